from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.salient import Salient
    from ..models.speaker import Speaker


T = TypeVar("T", bound="Overview")


@_attrs_define
class Overview:
    """
    Attributes:
        agents (int):
        communities (int):
        entities (int):
        episodes (int):
        events (int): Facts that happened
        facts (int): That are believed now, also those that have ended
        facts_ended (int):
        failed (int):
        first_known (datetime.datetime | None): When the first fact that is believed was recorded
        first_said (datetime.datetime | None):
        former_versions (int): Of facts, that are believed no longer
        last_known (datetime.datetime | None): When its graph was last written
        last_said (datetime.datetime | None):
        rejections (int):
        salient (list[Salient]): What is spoken of most lately, as of the last episode
        speakers (list[Speaker]): Who speaks, the most first
        threads (int):
        waiting (int): Episodes that are not read yet
    """

    agents: int
    communities: int
    entities: int
    episodes: int
    events: int
    facts: int
    facts_ended: int
    failed: int
    first_known: datetime.datetime | None
    first_said: datetime.datetime | None
    former_versions: int
    last_known: datetime.datetime | None
    last_said: datetime.datetime | None
    rejections: int
    salient: list[Salient]
    speakers: list[Speaker]
    threads: int
    waiting: int

    def to_dict(self) -> dict[str, Any]:
        agents = self.agents

        communities = self.communities

        entities = self.entities

        episodes = self.episodes

        events = self.events

        facts = self.facts

        facts_ended = self.facts_ended

        failed = self.failed

        first_known: None | str
        if isinstance(self.first_known, datetime.datetime):
            first_known = self.first_known.isoformat()
        else:
            first_known = self.first_known

        first_said: None | str
        if isinstance(self.first_said, datetime.datetime):
            first_said = self.first_said.isoformat()
        else:
            first_said = self.first_said

        former_versions = self.former_versions

        last_known: None | str
        if isinstance(self.last_known, datetime.datetime):
            last_known = self.last_known.isoformat()
        else:
            last_known = self.last_known

        last_said: None | str
        if isinstance(self.last_said, datetime.datetime):
            last_said = self.last_said.isoformat()
        else:
            last_said = self.last_said

        rejections = self.rejections

        salient = []
        for salient_item_data in self.salient:
            salient_item = salient_item_data.to_dict()
            salient.append(salient_item)

        speakers = []
        for speakers_item_data in self.speakers:
            speakers_item = speakers_item_data.to_dict()
            speakers.append(speakers_item)

        threads = self.threads

        waiting = self.waiting

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "agents": agents,
                "communities": communities,
                "entities": entities,
                "episodes": episodes,
                "events": events,
                "facts": facts,
                "facts_ended": facts_ended,
                "failed": failed,
                "first_known": first_known,
                "first_said": first_said,
                "former_versions": former_versions,
                "last_known": last_known,
                "last_said": last_said,
                "rejections": rejections,
                "salient": salient,
                "speakers": speakers,
                "threads": threads,
                "waiting": waiting,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.salient import Salient
        from ..models.speaker import Speaker

        d = dict(src_dict)
        agents = d.pop("agents")

        communities = d.pop("communities")

        entities = d.pop("entities")

        episodes = d.pop("episodes")

        events = d.pop("events")

        facts = d.pop("facts")

        facts_ended = d.pop("facts_ended")

        failed = d.pop("failed")

        def _parse_first_known(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                first_known_type_0 = datetime.datetime.fromisoformat(data)

                return first_known_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        first_known = _parse_first_known(d.pop("first_known"))

        def _parse_first_said(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                first_said_type_0 = datetime.datetime.fromisoformat(data)

                return first_said_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        first_said = _parse_first_said(d.pop("first_said"))

        former_versions = d.pop("former_versions")

        def _parse_last_known(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_known_type_0 = datetime.datetime.fromisoformat(data)

                return last_known_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last_known = _parse_last_known(d.pop("last_known"))

        def _parse_last_said(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_said_type_0 = datetime.datetime.fromisoformat(data)

                return last_said_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last_said = _parse_last_said(d.pop("last_said"))

        rejections = d.pop("rejections")

        salient = []
        _salient = d.pop("salient")
        for salient_item_data in _salient:
            salient_item = Salient.from_dict(salient_item_data)

            salient.append(salient_item)

        speakers = []
        _speakers = d.pop("speakers")
        for speakers_item_data in _speakers:
            speakers_item = Speaker.from_dict(speakers_item_data)

            speakers.append(speakers_item)

        threads = d.pop("threads")

        waiting = d.pop("waiting")

        overview = cls(
            agents=agents,
            communities=communities,
            entities=entities,
            episodes=episodes,
            events=events,
            facts=facts,
            facts_ended=facts_ended,
            failed=failed,
            first_known=first_known,
            first_said=first_said,
            former_versions=former_versions,
            last_known=last_known,
            last_said=last_said,
            rejections=rejections,
            salient=salient,
            speakers=speakers,
            threads=threads,
            waiting=waiting,
        )

        return overview
