"""Scenes as files of other programs: glTF, the course's frames."""
