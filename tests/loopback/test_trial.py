"""How a table is judged at which something went wrong: what is late, and what must wait for its end."""

import random

import pytest

from tests.loopback.kinds import Kind
from tests.loopback.server import Loopback
from tests.loopback.trial import Lateness, Step, Trial


async def lateness(loopback: Loopback, kind: Kind | None, step: tuple[float, float | None]) -> Lateness:
    """Judge a table at which one step came at a time and was shown at another, while 10 to 16 was bad."""
    trial = Trial(loopback, kind, random.Random(1))
    trial.begins, trial.ends = 10.0, 16.0
    at, shown = step
    trial.steps.append(Step(2, at, trial.people[0], computer=False, table=shown, hand=shown))
    late = Lateness(2.0)
    late.note(trial._late(trial.steps[0], trial.steps[0].table, "table"))
    return late


@pytest.mark.parametrize(
    ("kind", "step", "told"),
    [
        pytest.param(None, (11.0, 12.5), "1.50 s", id="in time"),
        pytest.param(None, (11.0, 13.5), "2.50 s", id="late"),
        pytest.param(None, (11.0, None), "never", id="never"),
        pytest.param(Kind.MEMBER_LOOK, (11.0, 13.5), "2.50 s", id="late for what it does not need"),
        pytest.param(Kind.TABLE_EDIT, (11.0, 18.5), "1.50 s", id="in time after what it needs"),
        pytest.param(Kind.TABLE_EDIT, (9.0, 18.5), "1.50 s", id="in time though begun before"),
        pytest.param(Kind.TABLE_EDIT, (7.0, 18.5), "11.50 s", id="late before anything was wrong"),
        pytest.param(Kind.TABLE_EDIT, (11.0, 19.5), "2.50 s", id="late after what it needs"),
        pytest.param(Kind.ANSWER, (11.0, 15.0), "1.50 s", id="in time after its answer was given up"),
    ],
)
async def test_what_is_late(
    loopback: Loopback, kind: Kind | None, step: tuple[float, float | None], told: str
) -> None:
    late = await lateness(loopback, kind, step)
    assert str(late) == told
    assert late.too_long == (told != "1.50 s")
