"""The parts of identifiers: what is one, that profiles by name do not see them, and that no text takes long."""

import unicodedata

import pytest

from byheart import Analyzer, Memory
from byheart.retrieval.identifiers import parts_of, wholes_of
from byheart.retrieval.marked_terms import MARK, marked
from byheart.retrieval.plain_forms import LONGEST, unaccented


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("getUserName", "get User Name"),
        ("get_user_name()", "get user name"),
        ("HTTPServer parseJSON2", "HTTP Server parse JSON2 JSON 2"),
        ("750W 40x60, LH2084.", "750 W 40 x 60 LH 2084"),
        ("utf8 IL2 2nd x2 10am A1c", "utf 8 10 am"),
        ("a1b2c3 5d41402abc4b2a76b9719d911017c592 v2", ""),
        ("os.path.join std::vec", "os path join std vec"),
        ("At 12:30 we paid 3.50.", ""),
        ("The kettle. The pot", ""),
        ("a" * LONGEST + "B", ""),
        ("x" * (LONGEST - 1) + "Y", "x" * (LONGEST - 1) + " Y"),
        ("茶Pot", ""),
        ("We need eggs,milk,flour and salt.", "eggs milk flour"),
        ('{"city":"Lyon","temperature":21}', "city Lyon temperature 21"),
        ("postgresql://app@db.internal:5432/app", "postgresql app db internal app 5432 db.internal"),
        ("web:1.9.3 v2.4.1 src/main.py:42:7", "web 1.9.3 v2 2.4.1 src main py 42 7 main.py"),
        ("tea/coffee; late—again—on a Monday", "tea coffee late again on"),
        ("foo(bar,baz) x|y ann@example.org", "foo bar baz x y ann example org example.org"),
        ("well-known (don't!) it’s e-mail", ""),
        ("東京、大阪", ""),
        ("кофе,чай", "кофе чай"),
        ("हिन्दी में, cafe\u0301s", ""),
        ("a-_b", "a b"),
        ("ERR_1042 step_3_done V017__add_col_17.sql 1_000", "ERR 1042 step done 3 V017 add col sql 17 V 017"),
        ("a_1.5_b c_12a d_7%", "a b 1.5 c 12a 12 a d 7 d_7"),
        ("10.0.4.17:6379, 192.168.1.10/24", "10.0.4.17 6379 192.168.1.10"),
        ("INV/2024/17 2024/17 3/2024", "INV 2024 17 2024 2024"),
        ("1:2345% 1:2345. 1:2,345 12:30:15", "2345 2345 1:2 345"),  # behind a time a comma parts numbers
        ("L'école d’Élodie, dell'arte; qu'est-ce", "école Élodie arte est"),
        ("o'clock rock'n'roll don't l'a", ""),
    ],
)
def test_parts(text: str, parts: str) -> None:
    assert parts_of(text) == parts.split()


def test_marked_terms_stay_as_they_are_and_are_nobody_elses() -> None:
    analyzer = Analyzer()
    said = marked("runningFast", analyzer)
    assert [term.removeprefix(MARK) for term in said.split()] == analyzer.terms("running fast")
    assert analyzer.terms(said) == said.split()
    assert marked("runningFast", Analyzer(mode="ascii")) == "", "without its mark a part would be another field's term"


@pytest.mark.parametrize("text", ["a", "a.", "aB", "A", "_", "a_", "a:", "Aa"])
def test_no_text_takes_more_than_its_length(text: str) -> None:
    memory = Memory()
    memory.remember("pot é " + text * 400_000)  # takes for ever where a look at each character looks at those behind it
    assert len(memory.recall("pot")) == 1


def test_a_part_finds_its_identifier_in_auto_and_changes_nothing_for_others() -> None:
    memory, plain = Memory(), Memory()
    memory.remember("def getUserName(self): return self.name", id="a")
    memory.remember("the user is away", id="b")
    plain.remember("def getusername(self): return self.nam", id="a")
    plain.remember("the user is away", id="b")
    assert [hit.id for hit in memory.recall("user name")] == ["a", "b"]
    for profile in ("kb-fast", "kb-balanced"):
        assert [hit.id for hit in memory.recall("user", profile=profile)] == ["b"]
        assert (
            memory.recall("away", profile=profile).hits[0].score == plain.recall("away", profile=profile).hits[0].score
        )


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The café in Zürich", "cafe Zurich Zuerich"),
        ("Mu\u0308ller, Ärger", "Muller Mueller Arger Aerger"),
        ("cafe\u0301 na\u00efve", "cafe naive"),
        ("Straße, Łódź, smørrebrød, Œuvre", "Strasse Lodz smorrebrod OEuvre"),
        ("plain words", ""),
        ("が ガ й 한국", ""),
        ("× ÷", ""),
        ("tiếng Việt", "tieng Viet"),
    ],
)
def test_words_without_accents(text: str, plain: str) -> None:
    assert unaccented(text) == plain.split()


def test_a_question_typed_without_accents_finds_the_word_with_them() -> None:
    memory = Memory()
    memory.remember("The café in Zürich opens at nine", id="cafe")
    memory.remember("The tea room in Bern opens at ten", id="tea")
    assert [hit.id for hit in memory.recall("cafe zurich")] == ["cafe"]
    assert [hit.id for hit in memory.recall("Zuerich")] == ["cafe"]
    assert [hit.id for hit in memory.recall("Zürich café")] == ["cafe"]
    assert not memory.recall("cafe", profile="kb-fast"), "profiles by name have their sources' words"


def test_who_writes_with_accents_gets_no_more_for_it() -> None:
    plain, written = Memory(), Memory()
    plain.remember("a resume of tea", id="a")
    written.remember("a résumé of tea", id="a")
    assert plain.recall("resume of tea")[0].strength == pytest.approx(
        written.recall("résumé of tea")[0].strength, abs=0.02
    )


@pytest.mark.parametrize("word", ["eggs", "milk", "Lyon", "coffee", "late"])
def test_words_that_marks_join_are_found(word: str) -> None:
    memory = Memory()
    texts = ["We need eggs,milk,flour and salt.", '{"city":"Lyon","temperature":21}', "Ask for tea/coffee/cocoa.",
             "He was late—again—on Monday.", "The rent is due.", "Lunch is at noon."]  # fmt: skip
    memory.remember_many(texts)
    [hit] = memory.recall(word)
    assert word.lower() in hit.text.lower()


def test_a_number_that_marks_join_to_words_is_found() -> None:
    memory = Memory()
    memory.remember("Connect to postgresql://app@db.internal:5432/app", id="url")
    memory.remember("JIRA ticket OPS-1432: disk full.", id="ops")
    memory.remember("Image web:1.9.3 is the last one.", id="image")
    memory.remember("Dev server at http://localhost:8080/health", id="server")
    found = {
        query: memory.recall(query) for query in ("5432", "port 5432", "8080", "1.9.3", '"internal:5432"', '"5432"')
    }
    assert [recall[0].id for recall in found.values()] == ["url", "url", "server", "image", "url", "url"]
    assert all(recall.sufficient for recall in found.values())


def test_an_address_and_its_port_are_found() -> None:
    memory = Memory()
    memory.remember("Redis is at 10.0.4.17:6379, database 3.", id="redis")
    memory.remember("The invoice is INV/2024/17.", id="invoice")
    memory.remember("The bastion listens at the gate.", id="bastion")
    asked = ("6379", '"6379"', "what is on port 6379?", "10.0.4.17", '"10.0.4.17"', '"10.0.4.17:6379"')
    for query in asked:
        assert [hit.id for hit in memory.recall(query)] == ["redis"], query
    assert [hit.id for hit in memory.recall("2024/17")] == ["invoice"]
    assert not memory.recall('"10.0.4"') and not memory.recall('"17:6379"'), "half an address is another one"


def test_a_number_is_found_with_its_unit_and_apart_from_it() -> None:
    memory = Memory()
    memory.remember("The kettle takes 750 W.", id="watt")
    memory.remember("The box is 40x60 cm.", id="box")
    memory.remember("We fly with LH2084 on Monday.", id="flight")
    asked = {"750W": "watt", "750 W": "watt", "40 x 60": "box", "40x60": "box", "LH 2084": "flight", "LH2084": "flight"}
    for query, best in asked.items():
        recall = memory.recall(query, 1)
        assert [hit.id for hit in recall] == [best] and recall.sufficient, query


def test_a_word_behind_an_elision_is_found() -> None:
    memory = Memory()
    memory.remember("L'école ferme à 16 heures.", id="school")
    memory.remember("L'eau est coupée jeudi.", id="water")
    assert [[hit.id for hit in memory.recall(query)] for query in ("école", "eau", "ecole")] == [
        ["school"], ["water"], ["school"]]  # fmt: skip


def test_a_name_of_code_weighs_its_parts_and_the_whole_decides() -> None:
    memory = Memory()
    for name in ("Widget", "Frame", "Panel", "Drawer"):  # words find enough, so that pieces of words are not asked
        memory.remember(f"{name}Table renders rows of {name.lower()}s.")
    memory.remember("Fixed TypeError in src/components/InvoiceTable.tsx:31; default the prop to [].", id="path")
    memory.remember("The InvoiceTable takes rows.", id="whole")
    assert [hit.id for hit in memory.recall("InvoiceTable")][:2] == ["whole", "path"]
    assert [hit.id for hit in memory.recall("where is InvoiceTable?")][:2] == ["path", "whole"], "it says where"
    assert memory.recall("InvoiceTable.tsx")[0].id == "path"


@pytest.mark.parametrize(
    ("text", "parts", "wholes"),
    [
        ("DNAを遺伝情報とし、RNAを仲介とする流れ", "", ""),
        ("悲劇的交響曲（Tragische Sinfonie）が描かれた年", "", ""),
        ("InvoiceTableの列は？", "Invoice Table", "InvoiceTable"),
        ("서버는 localhost:8080에서", "localhost 8080", "localhost:8080"),
        ("พอร์ตของhttp.serverคือ", "http server", "http.server"),
    ],
)
def test_a_name_in_writing_without_spaces_is_a_word_by_itself(text: str, parts: str, wholes: str) -> None:
    assert " ".join(parts_of(text)) == parts and " ".join(wholes_of(text)) == wholes


def test_what_analysis_cuts_into_characters_parts_names() -> None:
    analyzer = Analyzer()
    for first in (*range(0x0E01, 0x10000, 7), *range(0x20000, 0x40000, 997)):
        sign = chr(first)
        if sign.isalnum() and unicodedata.normalize("NFKC", sign) == sign:
            cut = len(analyzer.terms(f"ab{sign}cd")) > 1
            assert (parts_of(f"aB{sign}cD") == ["a", "B", "c", "D"]) is cut, f"U+{first:04X}"


def test_a_question_without_spaces_is_not_made_light_by_a_name_in_it() -> None:
    """All of it was taken for one name of code, and only the parts of that weighed."""
    memory = Memory()
    memory.remember("遺伝情報はDNAに保存され、RNAが仲介する。", id="flow")
    memory.remember("DNA、DNA、RNA、RNA。", id="names")
    memory.remember("東京の天気は晴れです。", id="weather")
    question = "DNAを遺伝情報の保存、RNAを仲介とする流れを何と言う？"
    answer, spaced = (memory.recall(each, min_strength=0) for each in (question, question.replace("DNAを", "DNA を")))
    assert answer[0].id == "flow" and answer.strength == spaced.strength
