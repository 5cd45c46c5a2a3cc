"""One question, one file: check, assemble, accelerations, dynamics …"""
