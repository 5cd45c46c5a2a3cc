"""The compiled entry points of contact rows."""

from dalembert._jit import entry
from dalembert.contacts.events.active import events, rhs, survey
from dalembert.contacts.events.hold import project
from dalembert.contacts.events.tables import Rows

ENTRIES = {name: entry("contact_events", name, f, Rows, module=__name__)
           for name, f in (("rhs", rhs), ("events", events), ("project", project), ("survey", survey))}
