"""Pictures of results: pages that open offline."""
