"""Saved indexes are made anew when a version takes other words of a record in than the one that saved them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from byheart import Analyzer, Memory, Record
from byheart.memory.engine import Engine
from byheart.retrieval.words import document

SAMPLES = [
    "ERR_1042 in step_31_done of option_7",
    "İlaç İSTANBUL",
    "Call _18:30_ or __A4__ about 4711,4712 and [101,102]; 2026-01-05,Anna,4711,13.99; Google_検索",
    "Call getUserName or os.path.join_all, see HTTPServer at localhost:8080/health, 10.0.4.17:6379 or 3/2024.",
    "750W, 40x60, LH2084, utf8, IL2; C++, C#; eggs,milk; tea/coffee; well-known; don't",
    "They went to the mice before.", "Her cello, two puppies and a couch.",
    "She is allergic, and weighed 60 kg.", "I moved to Utrecht.",
    "Gate A is for the WHO; World War I ended.",
    "The café in Zürich, groß; L'école d'Élodie, un'altra", "Meine Katzen heißen Mia und Leo.",
    "Мои ключи лежат у двери.", "Οι γάτες μου είναι στον κήπο.", "القطط في البيت", "¿Dónde están las llaves?",
    "Le mie gatte si chiamano Mia e Lea.", "Minha irmã trabalha nas escolas.", "Mijn zussen werken op scholen.",
    "Mina systrar arbetar på skolor.", "Mine søstre arbejder på skoler.", "東京の家でDNAを調べた", "안녕하세요 서울",
    "The re\u00adfrig\u200berator hums.", "Backup at 2024-05-04T07:45:10Z done.",
    "self.getName() in GitLab/GitHub, 5v/12v or room:4b; api.get_userName",
]  # fmt: skip
TAKEN_IN = "5fe41f21ad83e73a"
"""Of what is taken in. Who changes that changes `parts` in `Engine._identity` too, or files keep the old words."""
NAMED = (
    "words, numbers, underscores, ports, elisions, units, signs, scripts, bases, stems, light, names, "
    "lists, emphasis, dotless, kinds, unseen, stamps, roots, states, humps, measures"
)


def test_the_words_that_are_taken_in_have_a_name_in_saved_indexes() -> None:
    records = [Record(text=text, topic=text[:12], source_words=text[-20:]) for text in SAMPLES]
    said = json.dumps([document(record, Analyzer()) for record in records], ensure_ascii=False)
    assert hashlib.sha256(said.encode()).hexdigest()[:16] == TAKEN_IN
    memory = Memory()
    assert memory._engine._identity()["parts"] == NAMED


def test_a_file_whose_words_were_taken_in_otherwise_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.db"
    now = Engine._identity
    with monkeypatch.context() as older:
        older.setattr("byheart.retrieval.words.marked_stems", lambda text, analyzer: [])
        older.setattr(Engine, "_identity", lambda self: {**now(self), "parts": "words and numbers"})
        with Memory(path) as memory:
            memory.remember("Das Kind ist im Garten.", id="child")
            memory.remember("Meine Katzen heißen Mia und Leo.", id="cats")
            memory._engine.indexes.save(at_least=0)
            assert "all:katz " not in str(memory.explain("Wie heißt meine Katze?", "cats"))
    with Memory(path) as memory:
        assert "all:katz " in str(memory.explain("Wie heißt meine Katze?", "cats"))
