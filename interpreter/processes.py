"""A job over many game numbers, done here or by worker processes; what comes of it is the same."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing.synchronize import Event
from typing import Any, Protocol, TypeVar

from interpreter.collector import collected_seldom
from interpreter.errors import WorkerLost

RANGE = 10
"""Games handed to a worker at a time: often enough to show progress and to lose little, seldom enough to cost nothing.
It does not depend on the number of workers, so that a run can be taken up again with another number."""
WAITING = 4
"""Ranges waiting for each worker, so that none is ever idle."""

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Deadline:
    """A moment so many seconds from now, by a clock that nobody sets; in another process it is as far off as it was
    when it was sent there."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def is_over(self) -> bool:
        """Whether it has passed."""
        return time.monotonic() > self._until

    def __reduce__(self) -> tuple[type[Deadline], tuple[float]]:
        return Deadline, (self._until - time.monotonic(),)


class Job(Protocol[T_co]):
    """What is to be done with each range of numbers; for more than one worker it must be picklable before `prepare`."""

    def prepare(self) -> object:
        """Make what all ranges need, once in each process."""
        ...

    def work(self, indices: range, stopped: Callable[[], bool]) -> T_co:
        """Do the numbers of a range; where `stopped` says so, only some of them."""
        ...


def ranges(first: int, count: int) -> Iterator[range]:
    """The numbers from `first` on in ranges."""
    for start in range(first, first + count, RANGE):
        yield range(start, min(start + RANGE, first + count))


def done(job: Job[T], parts: Iterable[range], workers: int) -> Generator[tuple[range, T], None, None]:
    """What the job came to for each range, as they are finished. The job must be prepared if there is one worker.

    Raises WorkerLost where a worker process was killed, after everything that was finished by then.
    """
    if workers > 1:
        yield from _in_processes(job, iter(parts), workers)
        return
    for indices in parts:
        with collected_seldom():
            found = job.work(indices, lambda: False)
        yield indices, found


class _Worker:
    """What one worker process keeps between ranges; a pool passes it only by the module."""

    job: Job[Any]
    stop: Event


def _start_worker(job: Job[Any], stop: Event) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process tells workers when to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()
    job.prepare()
    _Worker.job = job
    _Worker.stop = stop


def _end_with_parent() -> None:
    """A main process that was killed tells nobody, and its workers would wait for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(indices: range) -> Any:
    with collected_seldom():
        return _Worker.job.work(indices, _Worker.stop.is_set)


def _in_processes(job: Job[T], parts: Iterator[range], workers: int) -> Iterator[tuple[range, T]]:
    # Spawned, not forked: a fork copies the threads' locks of whoever called, such as a progress display.
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    pool = ProcessPoolExecutor(workers, context, _start_worker, (job, stop))
    try:
        with _interrupts_held():
            waiting: dict[Future[T], range] = {
                pool.submit(_work, indices): indices for indices in islice(parts, WAITING * workers)
            }
        lost = False
        while waiting:
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                indices = waiting.pop(future)
                try:
                    waiting |= {pool.submit(_work, more): more for more in islice(parts, 1)}
                    came_of_it = future.result()
                except BrokenExecutor:  # the pool ends at once, and so does everything that still waits
                    lost = True
                    if not future.exception():
                        yield indices, future.result()
                    continue
                yield indices, came_of_it
        if lost:
            raise WorkerLost
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold back Ctrl-C where the system can; processes started meanwhile never see it, and so print no traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
