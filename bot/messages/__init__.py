"""All that is sent outside an answer: per table one worker that draws the newest state.

It owns the tables' message ids and the tokens through which hands are reached, puts edits together, posts a
table anew when it has scrolled away, and knows what Discord's error codes mean. A worker is a task that
begins when there is something to draw and ends when there is not. `board` is what all parts share, `worker`
the table, `hands` the hands, `notices` whatever else is said in a channel.
"""

from bot.messages.table_message import Messages
from bot.messages.tracker import drawn

__all__ = ["Messages", "drawn"]
