"""What the bot itself says no to, apart from the rules. Imports nothing of the project."""

from enum import Enum


class Problem(Enum):
    """Why the bot did not do what somebody asked; the sentence a player reads for each is in `ui.replies`."""

    NOT_SEATED = "not_seated"
    ALREADY_SEATED = "already_seated"
    LOBBY_FULL = "lobby_full"
    NO_SEAT_FOR_COMPUTER = "no_seat_for_computer"
    SEAT_PROMISED = "seat_promised"
    YOUR_SEAT_IS_PROMISED = "your_seat_is_promised"
    NO_PERSON = "no_person"
    THEY_ARE_SEATED = "they_are_seated"
    THEY_HAVE_LEFT = "they_have_left"
    NOT_FOR_YOU = "not_for_you"
    OFFER_GONE = "offer_gone"
    OFFERED_ENOUGH = "offered_enough"
    WAITING = "waiting"
    EARLIER_TABLE = "earlier_table"
    LEVEL_OF_NOBODY = "level_of_nobody"
    NO_HAND_TO_COME = "no_hand_to_come"
    NOT_THE_HOST = "not_the_host"
    SEATS_TAKEN = "seats_taken"
    BY_INVITATION = "by_invitation"
    NOBODY_TO_INVITE = "nobody_to_invite"
    MOST_INVITED = "most_invited"
    TERMS_STAND = "terms_stand"
    UNO_IS_CALLED = "uno_is_called"
    NOT_IN_THIS_CHANNEL = "not_in_this_channel"
    NOT_A_MANAGER = "not_a_manager"
    NOT_A_MODERATOR = "not_a_moderator"
    NO_SUCH_CHOICE = "no_such_choice"
    MOVED = "moved"
    NOT_HOST_OR_MODERATOR = "not_host_or_moderator"
    NEED_TWO = "need_two"
    NO_VOTE_OF_ONE = "no_vote_of_one"
    TOO_MANY_TABLES = "too_many_tables"
    TOO_MANY_TABLES_HERE = "too_many_tables_here"
    GONE_FOR_GOOD = "gone_for_good"
    REMOVED_FOR_GOOD = "removed_for_good"
    THEY_ARE_NOT_SEATED = "they_are_not_seated"
    KICK_YOURSELF = "kick_yourself"
    PAUSED_ALREADY = "paused_already"
    NOT_PAUSED = "not_paused"
    ALREADY_STARTED = "already_started"
    NOT_STARTED = "not_started"
    TABLE_OVER = "table_over"
    NO_TABLE_HERE = "no_table_here"
    CHANNEL_TAKEN = "channel_taken"
    LOBBY_IS_OPEN = "lobby_is_open"
    MATCH_TO_JOIN = "match_to_join"
    HANDS_OR_TARGET = "hands_or_target"
    OLD_HAND = "old_hand"
    TOO_LATE = "too_late"
    NOT_YOUR_BUTTON = "not_your_button"
    TOO_EARLY = "too_early"
    CATCH_SPENT = "catch_spent"
    NOBODY_TO_CATCH = "nobody_to_catch"
    CATCH_YOURSELF = "catch_yourself"
    NO_JUMP = "no_jump"
    BUSY = "busy"
    NOT_SAVED = "not_saved"
    UNCERTAIN = "uncertain"
    NO_THREAD_HERE = "no_thread_here"
    NO_THREAD_MADE = "no_thread_made"
    MISSING_PERMISSIONS = "missing_permissions"
    SERVER_ONLY = "server_only"
    REPOST_TOO_SOON = "repost_too_soon"
    NO_SUCH_HAND = "no_such_hand"
    NO_SUCH_MATCH = "no_such_match"
    NOT_THEIR_MATCH = "not_their_match"
    TOO_FAST = "too_fast"
    START_TOO_SOON = "start_too_soon"
    UNEXPECTED = "unexpected"


class UserError(Exception):
    """Something a person asked for that cannot be; they are told in one sentence, and nothing has changed.

    `values` fill the sentence's placeholders.
    """

    def __init__(self, problem: Problem, **values: object) -> None:
        super().__init__(problem.value)
        self.problem = problem
        self.values = values
