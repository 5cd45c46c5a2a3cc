"""``python -m dalembert`` is ``dalembert``."""

from dalembert.cli import main

if __name__ == "__main__":
    main()
