"""Results on disk, and out of files of others."""
