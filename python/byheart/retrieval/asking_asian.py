"""The words of a question that only ask, in Japanese, Chinese, Korean and Hindi.

All but Hindi are found by characters and pairs of these: "ありますか" alone made a question familiar, since half of all
records end so. What is left out is what nearly any sentence has: particles, endings, question words. In long
questions in Japanese at the end alone: without all particles jsquad-valid loses .008 of nDCG@10, so .001.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from unicodedata import normalize

from ..light.expressions import expression

KANA: Final = expression("[\u3041-\u30ff]")
_HAN: Final = expression("[\u4e00-\u9fff]")
_HANGUL: Final = expression("[\uac00-\ud7a3]")
_DEVANAGARI: Final = expression("[\u0900-\u097f]")

_PARTICLES: Final = """
は が を に の で と へ も か や から まで より だけ など ので のに ね よ な って では には とは ても とか という
"""
_OTHERS: Final = """
です でした でしょう ます ました ません ませんか ない なかった だ だった である であった
た て で れ られ せ さ し する した して される された いる いた いて いない おき ある あった あり い いう いえ おり
おきます ください たい なる なった なり なければ ば う よう
いつ どこ だれ どれ どの どう どんな どちら どうやって どうして なぜ なに なん なんの いくら いくつ
これ それ あれ この その あの ここ そこ こと もの
"""
_SAYS_LITTLE: Final = "|".join(sorted({*_PARTICLES.split(), *_OTHERS.split()}, key=lambda word: (-len(word), word)))
_BEHIND: Final = f"(?<=[\u4e00-\u9fff々])(?=[ぁ-ん])[ぁ-ん]{{0,2}}?(?:{_SAYS_LITTLE}){{0,8}}+(?![ぁ-ん])"
"""What a word in Chinese characters ends in, and all that follows up to the next one."""
_ALONE: Final = f"(?<![ぁ-ん])(?:{_SAYS_LITTLE}){{1,8}}+(?![ぁ-ん])"
_FIRST: Final = f"(?<=[\u30a1-\u30ff\u4e00-\u9fff々a-z0-9])(?:{'|'.join(_PARTICLES.split())})(?=[ぁ-ん])"
_LAST: Final = f"(?<=[ぁ-ん]{{2}})(?:{_SAYS_LITTLE}){{1,8}}+(?![ぁ-ん])"
_ANYWHERE: Final = tuple(map(expression, (_BEHIND, _ALONE, _FIRST, _LAST)))
_AT_THE_END: Final = tuple(expression(rf"{form}(?=[?？。！!\s]*$)") for form in (_BEHIND, _ALONE, _LAST))
_SHORT: Final = 16
"""Characters: in a longer question particles between words tell which words stand beside each other."""
_NAN: Final = expression("何(?:時|分|曜日|月|年|日|色|歳|人|回|の|が|を)?|誰|幾つ?")

_COURTESY: Final = expression(
    "(?:を|が|は|も)?(?:教えて|おしえて|聞かせて)(?:いただけ(?:ます|ません)か|もらえ(?:ます|ません)か|くれ(?:ます|ません)か"
    "|くださ(?:い|いませんか)|ほしい(?:です)?|くれる|ちょうだい)?(?=[?？。！!\\s]*$)"
    "|(?:が|を|は)?(?:知りたい(?:です|のですが|んですが)?|わかりますか|ご存知ですか)(?=[?？。！!\\s]*$)"
    "|(?:でした|だった|だ|た|る|の)?っけ(?=[?？。！!\\s]*$)"
)
"""What a question in Japanese ends with that asks politely, or tries to remember."""
_CHINESE: Final = expression(
    "(?:是|在)?(?:什么时候|什麼時候|为什么|為什麼|怎么样|怎麼樣|怎么|怎麼|什么|什麼"
    "|哪里|哪裡|哪儿|哪兒|哪个|哪個|哪些|哪|多少|多久|多长|多長|谁|誰)|[吗嗎呢吧]|(?<!目)的|(?<![还還就])是|了(?!解)"
)
_KOREAN: Final = expression(
    r"(?:어디|무엇|무얼|뭐|뭘|누구|누가|언제|얼마|어떻게|어떤|어때|어느|무슨|왜|몇)[가-힣]*"
    r"|있(?:어|나|니|습|는|을)[가-힣]*|(?:입니|합니|됩니)[가-힣]*|(?:해|해요|하나요|이야|예요|이에요)"
)
_JOSA: Final = expression(r"(?<=[가-힣]{2})(?:에서|에게|으로|까지|부터|은|는|이|가|을|를|에|의|로|와|과|도)$")
_HINDI_WORDS: Final = """
है हैं हूँ था थी थे हो होता होती होते क्या कहाँ कहां कब कौन कैसे कैसा कैसी क्यों कितना कितने कितनी
किस किसका किसकी किसके किसको किससे का के की को में से पर ने और या यह वह ये वे
मेरा मेरी मेरे हम आप तुम जाता जाती जाते
"""
_HINDI: Final = frozenset(_HINDI_WORDS.split())
_BETWEEN_BLANKS: Final = expression("[^ ]+")
_SYLLABLES: Final = expression("[0-9A-Za-z]*[가-힣]+")
_AROUND: Final = "?!.,;:\"'()।？！。、，"


def without_asking(text: str) -> str:
    """Return a text without the words that only ask, where it is in one of these languages; else as it is.

    >>> [without_asking(text) for text in ("財布はどこにありますか", "护照在哪里", "여권이 어디 있어?", "टिकट कितने का")]
    ['財布 ', '护照 ', '여권  ', 'टिकट  ']
    """
    text = normalize("NFKC", text)
    if KANA.search(text) is not None:
        return _japanese(text)
    if _HANGUL.search(text) is not None:
        return _BETWEEN_BLANKS.sub(lambda match: _korean(match[0]), text)
    if _HAN.search(text) is not None:
        return _CHINESE.sub(" ", text)
    if _DEVANAGARI.search(text) is not None:
        return _BETWEEN_BLANKS.sub(lambda match: "" if match[0].strip(_AROUND) in _HINDI else match[0], text)
    return text


def _korean(word: str) -> str:
    """Return a word without its particle; nothing for one that only asks, and what has other signs as it is."""
    plain = word.strip(_AROUND)
    if _KOREAN.fullmatch(plain) is not None:
        return ""
    return _JOSA.sub("", plain) if _SYLLABLES.fullmatch(plain) is not None else word


def _japanese(text: str) -> str:
    text = _COURTESY.sub(" ", text)
    for pattern in (_NAN, *(_ANYWHERE if len(text) <= _SHORT else _AT_THE_END)):
        text = pattern.sub(" ", text)
    return text


def without_pieces(terms: Sequence[str]) -> list[str]:
    """Return terms without what stands in any text, if others are left: single kana, and syllables of Korean words.

    Single Chinese characters say much: without them jsquad-valid loses another 0.008 of nDCG@10.

    >>> without_pieces(["パ", "パス", "ス", "スー", "ー", "弟"]), without_pieces(["열", "열쇠", "쇠", "집"])
    (['パス', 'スー', '弟'], ['열쇠', '집'])
    """
    pairs = "".join([term for term in terms if len(term) == 2])
    return [term for term in terms if not _is_piece(term, pairs)] or [*terms]


def _is_piece(term: str, pairs: str) -> bool:
    if len(term) > 1:
        return False
    return KANA.match(term) is not None or (_HANGUL.match(term) is not None and term in pairs)


def without_strays(terms: Sequence[str], text: str, missing: set[str]) -> list[str]:
    """Return terms of a Japanese question without the characters of words that no record holds.

    "日" says nothing about "日本" where no record holds that. Chinese may be in the characters of another land.

    >>> without_strays(["日", "日本", "本", "弟"], "日本の弟", {"日本", "本"})
    ['日本', '弟']
    """
    if KANA.search(text) is None:
        return [*terms]
    pairs = [term for term in terms if len(term) == 2]
    known, others = ("".join([pair for pair in pairs if (pair in missing) is out]) for out in (False, True))
    kept = [term for term in terms if len(term) > 1 or term in known or term not in others]
    return kept or [*terms]
