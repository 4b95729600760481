"""Runs with their receipts: from a dataset, or from reports, to everything that is told of it.

The law: for one dataset and one configuration the files are the same bytes on every run, but for times.
"""
# docs/sources.md: A3.5.5, A3.6.5, A3.6.9.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...profiles.router import RouterConfig
from ..filling import Progress, silent
from ..runner import plain
from . import comparing, retrieval_report, router_run
from .histories import Dataset
from .manifest import manifest
from .retrieval_report import as_json
from .run_files import slug
from .running import Arm, Ran, run

if TYPE_CHECKING:
    from ...embedding import Embedder


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which questions of a dataset are asked: so many, drawn by a seed, and of those the first."""

    size: int | None = None
    seed: int | None = None
    limit: int | None = None

    def of(self, dataset: Dataset) -> Dataset:
        """Return the dataset with those questions."""
        return dataset.sampled(self.size, self.seed, self.limit)

    def to_dict(self) -> dict[str, int | None]:
        """Return it as manifests tell it."""
        return {"sample_size": self.size, "sample_seed": self.seed, "limit": self.limit}


@dataclass(frozen=True, slots=True)
class Told:
    """What there is to tell of a run.

    Attributes:
        run_group: its name.
        reports: retrieval reports, by arm.
        compared: the arms beside the baseline.
        receipt: of the router.

    """

    run_group: str
    reports: Mapping[str, Mapping[str, Any]]
    compared: Mapping[str, Any]
    receipt: Mapping[str, Any]

    def files(self) -> dict[str, str]:
        """Return the text of each file by its name."""
        told = {f"{slug(name)}.retrieval-report.json": as_json(report) for name, report in self.reports.items()}
        return told | {
            "compare.json": as_json(self.compared),
            "compare.md": comparing.as_markdown(self.compared),
            "receipt.json": as_json(self.receipt),
            "receipt.md": router_run.as_markdown(self.receipt),
        }


def reported(
    dataset: Dataset,
    arms: Sequence[Arm],
    *,
    sampling: Sampling | None = None,
    embedder: Embedder | None = None,
    lancedb: str = "auto",
    run_group: str,
    created: str,
    progress: Progress[Any] = silent,
) -> dict[str, dict[str, Any]]:
    """Return the retrieval reports of arms from one run, by name.

    Args:
        dataset: the whole of it.
        arms: the ways to find sessions.
        sampling: which questions are asked; None for all.
        embedder: makes vectors; see `running.run`.
        lancedb: how LanceDB searches, likewise.
        run_group: names the run.
        created: the time in UTC.
        progress: shows how far it is.

    """
    drawn = sampling or Sampling()
    asked = drawn.of(dataset)
    runs = run(asked, arms, embedder=embedder, lancedb=lancedb, progress=progress)
    config = {"embedder": None if embedder is None else str(embedder.fingerprint), "lancedb": lancedb}
    return {each.arm.name: _report(each, asked, drawn, config, run_group, created) for each in runs}


def router_run_of(
    dataset: Dataset,
    config: RouterConfig | None = None,
    *,
    sampling: Sampling | None = None,
    policies: Sequence[str] = (),
    embedder: Embedder | None = None,
    lancedb: str = "auto",
    accept_loss: bool = False,
    run_group: str,
    created: str,
    progress: Progress[Any] = silent,
) -> Told:
    """Return the acceptance run of the router over a dataset. Arguments as for `reported` and `router_run`."""
    rules = config or RouterConfig()
    reports = reported(
        dataset,
        router_run.router_arms(rules, policies=policies),
        sampling=sampling,
        embedder=embedder,
        lancedb=lancedb,
        run_group=run_group,
        created=created,
        progress=progress,
    )
    return _told(reports, rules, accept_loss, run_group, created)


def router_replay_of(
    first: Mapping[str, Any],
    second: Mapping[str, Any],
    config: RouterConfig | None = None,
    *,
    accept_loss: bool = False,
    run_group: str = "replay",
) -> Told:
    """Return the acceptance of the router over recorded reports of its stages: the same bytes each time, times and all.

    Args:
        first: the retrieval report of the first stage; its times and its order count.
        second: that of the second stage, which is the baseline.
        config: of the router; None for the usual one.
        accept_loss: see `router_run.receipt`.
        run_group: names the run.

    """
    rules = config or RouterConfig()
    hybrid = router_run.replayed(first, second, rules)
    was = first["manifest"]
    told = {
        **was,
        "run_id": f"{run_group}-{router_run.HYBRID}",
        "provider": {
            "name": router_run.HYBRID,
            "config": {
                **{name: was["provider"]["config"].get(name) for name in ("embedder", "lancedb")},
                "reports": [first["run_id"], second["run_id"]],
                "router": rules.to_dict(),
            },
        },
        "parameters": {**was["parameters"], "recorded": True},
    }
    made = retrieval_report.retrieval_report(hybrid, told, dataset=first["dataset"], created=first["created_at_utc"])
    reports = {router_run.FIRST: dict(first), router_run.SECOND: dict(second), router_run.HYBRID: made}
    return _told(reports, rules, accept_loss, run_group, first["created_at_utc"])


def _told(
    reports: dict[str, dict[str, Any]], rules: RouterConfig, accept_loss: bool, run_group: str, created: str
) -> Told:
    compared = comparing.compare(reports, router_run.SECOND, run_group=run_group, created=created)
    receipt = router_run.receipt(reports, compared, rules, accept_loss=accept_loss)
    return Told(run_group, reports, compared, receipt)


def _report(
    ran: Ran, dataset: Dataset, drawn: Sampling, config: Mapping[str, Any], run_group: str, created: str
) -> dict[str, Any]:
    """Return the retrieval report of one arm with its manifest."""
    asked = dict(config) if ran.arm.lancedb else {"embedder": config["embedder"]}
    told = manifest(
        dataset,
        ran.arm.name,
        {**asked, "profile": plain(ran.settings), "policy": ran.arm.policy},
        {
            "top_k": ran.arm.top_k,
            **drawn.to_dict(),
            "skip_ingest": False,
            "preindex_once": len(dataset.histories) == 1,
            "fail_fast": False,
        },
        run_id=f"{run_group}-{slug(ran.arm.name)}",
        created=created,
    )
    return retrieval_report.retrieval_report(ran, told, dataset=dataset.name, created=created)
