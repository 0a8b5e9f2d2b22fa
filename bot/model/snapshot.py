"""The saved form of a table's state: one JSON object, with the people beside it, seat by seat."""

from datetime import datetime
from typing import Any, Final

from bot.model.ending import Ending
from bot.model.options import read_options
from bot.model.seating import Person, Removals, Seating
from bot.model.state import Clock, HandLog, State
from engine.codec import decode, decode_event, encode, encode_event
from engine.errors import BadInput

#: The form of `snapshot`.
SCHEMA: Final = 2


def snapshot(state: State) -> dict[str, Any]:
    """Write a state as a JSON object; the people are saved beside it, seat by seat."""
    return {
        "schema": SCHEMA,
        "host": state.seating.host,
        "terms": state.options.written(),
        "invited": [[person.user_id, person.name] for person in state.seating.invited],
        "again_of": state.seating.again_of,
        "again": [[person.user_id, person.name, person.cpu] for person in state.seating.again],
        "again_host": state.seating.again_host,
        "again_removed": sorted(state.seating.again_removed),
        "learning": sorted(state.seating.learning),
        "match": None if state.match is None else encode(state.match),
        "recent": [encode_event(event) for event in state.log.recent],
        "touched": {
            str(seat): [encode_event(event) for event in events] for seat, events in state.log.touched.items()
        },
        "played_at": None if state.clock.played_at is None else state.clock.played_at.isoformat(),
        "item_at": None if state.clock.item_at is None else state.clock.item_at.isoformat(),
        "failed": sorted(state.log.failed),
        "head": state.log.head,
        "moves": state.log.moves,
        "hands_won": list(state.hands_won),
        "gone": {str(seat): counts for seat, counts in state.seating.gone.items()},
        "removed": sorted(state.removals.seats),
        "barred": sorted(state.removals.barred),
        "removers": sorted(state.removals.removers),
        "hand_removers": sorted(state.removals.hand_removers),
        "host_seen_at": state.clock.host_seen_at.isoformat(),
        "heirs": {str(seat): heir for seat, heir in state.seating.heirs.items()},
        "ended": state.ended,
        "ended_by": state.ended_by,
        "acted_at": state.clock.acted_at.isoformat(),
        "clock_at": state.clock.full_at.isoformat(),
        "began_at": state.clock.began_at.isoformat(),
        "paused_at": None if state.clock.paused_at is None else state.clock.paused_at.isoformat(),
        "nudged": state.clock.nudged,
        "woken": sorted(state.seating.woken),
        "votes": {str(seat): sorted(voters) for seat, voters in state.removals.votes.items()},
        "successors": _write_people(state.seating.successors),
        "offers": _write_people(state.seating.offers),
        "offered": {str(seat): often for seat, often in state.seating.offered.items()},
    }


def _write_people(people: dict[int, Person]) -> dict[str, Any]:
    return {str(seat): [person.user_id, person.name] for seat, person in people.items()}


def _read_people(saved: dict[str, Any]) -> dict[int, Person]:
    return {int(seat): Person(user_id, name) for seat, (user_id, name) in saved.items()}


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _options_of_old(saved: dict[str, Any]) -> dict[str, Any]:
    return {name: saved[name] for name in ("rules", "length", "turn_time", "locale")}


def _read_seating(saved: Any, people: list[Person]) -> Seating:
    return Seating(
        people=people,
        host=saved["host"],
        heirs={int(seat): heir for seat, heir in saved.get("heirs", {}).items()},
        invited=tuple(Person(user_id, name) for user_id, name in saved.get("invited", ())),
        again_of=saved.get("again_of"),
        again=tuple(Person(*person) for person in saved.get("again", ())),
        again_host=saved.get("again_host"),
        again_removed=frozenset(saved.get("again_removed", ())),
        learning=frozenset(saved.get("learning", ())),
        woken=frozenset(saved["woken"]),
        gone={int(seat): counts for seat, counts in saved["gone"].items()},
        successors=_read_people(saved.get("successors", {})),
        offers=_read_people(saved.get("offers", {})),
        offered={int(seat): often for seat, often in saved.get("offered", {}).items()},
    )


def _read_clock(saved: Any) -> Clock:
    return Clock(
        acted_at=datetime.fromisoformat(saved["acted_at"]),
        host_seen_at=datetime.fromisoformat(saved.get("host_seen_at", saved["acted_at"])),
        began_at=datetime.fromisoformat(saved["began_at"]),
        full_at=datetime.fromisoformat(saved["clock_at"]),
        paused_at=_time(saved["paused_at"]),
        played_at=_time(saved["played_at"]),
        item_at=_time(saved.get("item_at")),
        nudged=saved["nudged"],
    )


def restore(saved: Any, people: list[Person], version: int) -> State:
    """Read a state that `snapshot` wrote; raises BadInput for anything else."""
    try:
        if saved["schema"] not in (1, SCHEMA):
            raise BadInput("schema", f"{saved['schema']!r} is not known")
        state = State(
            seating=_read_seating(saved, people),
            # The first form had the terms among the rest.
            options=read_options(saved["terms"] if saved["schema"] == SCHEMA else _options_of_old(saved)),
            match=None if saved["match"] is None else decode(saved["match"]),
            hands_won=tuple(saved["hands_won"]),
            log=HandLog(
                head=saved["head"],
                moves=saved["moves"],
                recent=tuple(decode_event(event) for event in saved["recent"]),
                touched={
                    int(seat): tuple(map(decode_event, events))
                    for seat, events in saved.get("touched", {}).items()
                },
                failed=frozenset(saved["failed"]),
            ),
            clock=_read_clock(saved),
            removals=Removals(
                seats=frozenset(saved.get("removed", ())),
                barred=frozenset(saved.get("barred", ())),
                removers=frozenset(saved.get("removers", ())),
                hand_removers=frozenset(saved.get("hand_removers", ())),
                votes={int(seat): frozenset(voters) for seat, voters in saved["votes"].items()},
            ),
            ended=None if saved["ended"] is None else Ending(saved["ended"]),
            ended_by=saved.get("ended_by", ""),
            version=version,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput("table", f"cannot be read: {error!r}") from error
    if state.match is not None and len(state.match.scores) > len(people):
        raise BadInput("table", "has fewer people than seats")
    if state.ended is None and state.seating.host not in range(len(people)):
        raise BadInput("table", "has no host")
    return state
