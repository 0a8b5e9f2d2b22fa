"""Everything that is sent outside an answer. For each table a worker renders the newest state.

This package owns the message ids of the tables and the tokens through which hands are reached. It merges
edits, reposts a table that has scrolled away, and knows what Discord's error codes mean. A worker is a task
that starts when there is something to render and ends when there is not. `tracker` holds what all parts
share, `table_message` is the worker, `reposts` decides when a table is posted again, `hands` sends the hands,
`notices` says everything else in a channel, `renderer` turns states into views.
"""

from bot.messages.table_message import Messages
from bot.messages.tracker import rendered_hand

__all__ = ["Messages", "rendered_hand"]
