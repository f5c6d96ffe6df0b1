"""A job over many game numbers on a Dask cluster: `pip install 'rulespec[dask]'`.

A range of games is one task. If a worker is lost, the cluster does its tasks again elsewhere, and each counts once.
"""

from __future__ import annotations

import pickle
from collections.abc import Generator, Iterable
from itertools import islice
from typing import Any, TypeVar

from interpreter.processes import WAITING, Job

T = TypeVar("T")

_prepared: dict[bytes, Job[Any]] = {}
"""Jobs a worker process has made ready, by what was sent of them."""


def done_on(address: str, job: Job[T], parts: Iterable[range]) -> Generator[tuple[range, T], None, None]:
    """What the job came to for each range, as the cluster at `address` finishes them.

    The job must not be prepared; what it builds from, such as the file of a sheet, must be there on every machine.
    Raises OSError if no cluster answers.
    """
    import distributed  # noqa: PLC0415

    library: Any = distributed
    sent = pickle.dumps(job)
    with library.Client(address, timeout="10s") as client:
        upcoming = iter(parts)
        places = max(1, sum(client.nthreads().values()))
        waiting = {client.submit(_work, sent, r, pure=False): r for r in islice(upcoming, WAITING * places)}
        finished = library.as_completed(list(waiting))
        for future in finished:
            for more in islice(upcoming, 1):
                another = client.submit(_work, sent, more, pure=False)
                waiting[another] = more
                finished.add(another)
            yield waiting.pop(future), future.result()


def _work(sent: bytes, indices: range) -> Any:
    """Do a range in a worker, which keeps the job it made ready last."""
    if sent not in _prepared:
        job: Job[Any] = pickle.loads(sent)
        job.prepare()
        _prepared.clear()
        _prepared[sent] = job
    return _prepared[sent].work(indices, lambda: False)
