"""Files: models as TOML or JSON, their schema, and writing that never leaves half a file behind.

    Model ──document──▶ plain values ──toml, json──▶ text ──atomic──▶ file          and back, with line numbers in errors
"""
