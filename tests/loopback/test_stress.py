"""Twenty tables at once through faults and restarts: each finishes, adds up, and every press was answered."""

from statistics import median

from tests.loopback.conftest import StartBot
from tests.loopback.server import Loopback
from tests.loopback.stress import SETTINGS, Stress, free_port


async def test_a_dozen_tables_finish_through_faults_and_restarts(
    loopback: Loopback, start_bot: StartBot
) -> None:
    bot = await start_bot(ready=False, TABLE_EDIT_DELAY="1", METRICS_PORT=str(free_port()), **SETTINGS)
    stress = Stress(loopback, bot, tables=12, rate=80, seed=3)
    await stress.run()
    stress.check()
    assert (stress.seen["kills"], stress.seen["clean stops"]) == (2, 2)
    assert not bot.logged("stopped_in_the_middle")
    assert median(stress.waits) < 3.0
    for what in ("old hands", "replays"):
        assert stress.seen[what] > 10, what
    assert stress.mishaps.seen["faults"] > 20
