"""What each achievement is called, and what it takes. May import `translation` from `bot.ui.text`."""

from __future__ import annotations

from typing import Final

from bot.ui.text.translation import N_

#: The name of each achievement, and what somebody did who has it.
ACHIEVEMENTS: Final = {
    "short_fuse": (N_("Short fuse"), N_("go out on a Bob-omb")),
    "lie_detector": (N_("Lie detector"), N_("win three challenges in a row")),
    "comeback": (N_("Twenty to none"), N_("win a hand after holding twenty cards")),
    "poker_face": (N_("Poker face"), N_("get away with ten bluffs")),
    "parting_gift": (N_("Parting gift"), N_("go out with a Wild Draw Four")),
    "untouchable": (N_("Untouchable"), N_("win a hand without drawing a card")),
    "forgiven": (N_("Forgive and forget"), N_("win a hand after being caught not saying UNO")),
    "jackpot": (N_("Jackpot"), N_("score 300 points in one hand")),
    "hat_trick": (N_("Hat-trick"), N_("win three hands in a row")),
    "ten_at_table": (N_("King of the crowd"), N_("win a hand of ten players")),
    "queue_jumper": (N_("Queue jumper"), N_("jump in ten times")),
    "full_garage": (N_("Full garage"), N_("use every item")),
    "banana_farmer": (N_("Banana farmer"), N_("make others draw twenty cards with Banana Peels")),
    "eagle_eyes": (N_("Eagle eyes"), N_("catch others not saying UNO ten times")),
    "lost_for_words": (N_("Lost for words"), N_("be caught not saying UNO ten times")),
    "card_collector": (N_("Card collector"), N_("hold thirty cards at once")),
    "bystander": (N_("Innocent bystander"), N_("lose five turns to Skips in one hand")),
    "so_close": (N_("So close"), N_("lose ten hands with one card left")),
    "regular": (N_("Regular"), N_("play a hundred hands")),
}
