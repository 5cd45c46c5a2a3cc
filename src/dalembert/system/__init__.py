"""The flattened mechanism: record tables, index layout (names ↔ ranges), workspace."""
