"""The collector is as it was once the games are played."""

from __future__ import annotations

import gc

import pytest

from interpreter.collector import SELDOM, collected_seldom
from interpreter.processes import done


class Thresholds:
    """A job that notes what the collector is set to."""

    def prepare(self) -> None:
        """Nothing to make."""

    def work(self, indices: range, _stopped: object) -> tuple[int, bool]:
        """The threshold while these are played, and whether older objects are out of sight."""
        assert indices
        return gc.get_threshold()[0], gc.get_freeze_count() > 0


@pytest.fixture(autouse=True)
def as_python_sets_it() -> None:
    assert gc.get_freeze_count() == 0
    assert 0 < gc.get_threshold()[0] < SELDOM


def test_jobs_are_done_with_the_collector_looking_seldom_and_all_is_as_before_afterwards() -> None:
    before = gc.get_threshold()

    found = [what for _, what in done(Thresholds(), [range(1), range(1, 2)], workers=1)]

    assert found == [(SELDOM, True)] * 2
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_all_is_as_before_when_something_breaks() -> None:
    before = gc.get_threshold()

    with pytest.raises(KeyError), collected_seldom():
        raise KeyError

    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_objects_that_somebody_else_put_out_of_sight_stay_there() -> None:
    gc.freeze()
    try:
        with collected_seldom():
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_a_collector_that_was_turned_off_stays_so() -> None:
    before = gc.get_threshold()
    gc.set_threshold(0)
    try:
        with collected_seldom():
            assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*before)
