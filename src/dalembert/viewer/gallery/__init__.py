"""One page of many mechanisms: the demo's."""
