//! The parts of identifiers in a text of ASCII, and its words that are in some tables.
//!
//! What the parts are, in any writing, is defined in Python (`byheart.retrieval.identifiers`), which also says what a text
//! that is not of ASCII alone has. Here the same is found in one pass over each token.

use std::collections::HashMap;
use std::hash::BuildHasher;

use super::is_stop_word;
use super::listed::listed;

/// Longer words are hashes, keys and encoded bytes, whose parts say nothing.
pub(super) const LONGEST: usize = 64;

/// Longer words of letters and digits are codes.
const LONGEST_MIXED: usize = 24;

/// What stands before the apostrophe of a French or Italian word.
pub(super) const ELIDING: [&[u8]; 22] = [
    b"c", b"d", b"j", b"l", b"m", b"n", b"s", b"t", b"qu", b"jusqu", b"lorsqu", b"puisqu", b"quoiqu", b"un", b"gl",
    b"all", b"dall", b"dell", b"nell", b"sull", b"quell", b"quest",
];

/// Appends the parts of the identifiers in a text of ASCII, each with a space behind it, in order.
///
/// ```
/// let mut parts = String::new();
/// byheart_core::text::push_parts("Call getUserName or os.path, don't; C++ at localhost:8080", &mut parts);
/// assert_eq!(parts, "get User Name os path Cplusplus localhost 8080 ");
/// ```
///
/// # Panics
/// If the text is not of ASCII alone.
pub fn push_parts(text: &str, parts: &mut String) {
    assert!(text.is_ascii(), "other writing is looked at in Python");
    for token in text.as_bytes().split(|&byte| is_space(byte)) {
        if may_have_parts(token) {
            of_token(token, parts);
        }
    }
}

/// Appends what each word of a text of ASCII says beside itself by a table, a word once, with a space behind it, in order.
pub fn push_beside<S: BuildHasher>(text: &str, beside: &HashMap<Box<str>, Box<[Box<str>]>, S>, parts: &mut String) {
    let mut found: Vec<&str> = Vec::new();
    for_each_word(text, |word| {
        if let Some((word, names)) = beside.get_key_value(word)
            && !found.contains(&word.as_ref())
        {
            found.push(word);
            names.iter().for_each(|name| push(name.as_bytes(), parts));
        }
    });
}

/// Calls with each run of letters of a text of ASCII, in lower case.
pub fn for_each_word(text: &str, mut call: impl FnMut(&str)) {
    let lower = text.to_ascii_lowercase();
    for word in lower.split(|letter: char| !letter.is_ascii_lowercase()) {
        if !word.is_empty() {
            call(word);
        }
    }
}

/// Calls with each stop word that a text of ASCII writes as a name, in lower case: "A" behind what ends no sentence, "I" behind a
/// capitalised word that begins none, and longer ones in capitals, unless all is in capitals.
pub fn for_each_name_in_capitals(text: &str, mut call: impl FnMut(&str)) {
    let has = |is_of: fn(&u8) -> bool| text.as_bytes().iter().any(is_of);
    if !has(u8::is_ascii_uppercase) || !has(u8::is_ascii_lowercase) {
        return;
    }
    let (mut before, mut last) = ("", "");
    for word in text.split(' ') {
        let name = word.trim_matches(|sign: char| ".,;:!?\"'()[]".contains(sign));
        let is_name = match name {
            "A" => goes_on(last),
            "I" => is_capitalised(last) && goes_on(before),
            _ => {
                name.len() > 1
                    && name.bytes().all(|letter| letter.is_ascii_uppercase())
                    && is_stop_word(&name.to_ascii_lowercase())
            }
        };
        if is_name {
            call(&name.to_ascii_lowercase());
        }
        (before, last) = (last, word);
    }
}

/// Whether a sentence goes on behind a word.
fn goes_on(word: &str) -> bool {
    word.bytes().next_back().is_some_and(|sign| sign.is_ascii_alphanumeric() || b",;:)".contains(&sign))
}

fn is_capitalised(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|letter| letter.is_ascii_alphabetic()) && word.as_bytes()[0].is_ascii_uppercase()
}

/// White space as `str.split` of Python has it.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b'\x1c'..=b'\x1f' | b' ')
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a token holds a hump, two words that signs join, or a letter with signs: others have no parts.
fn may_have_parts(token: &[u8]) -> bool {
    let mut joining = None; // whether signs stand between a letter or digit and here
    for (at, &byte) in token.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| token[at]);
        if byte.is_ascii_alphanumeric() {
            if joining == Some(true) {
                return true;
            }
            joining = Some(false);
            if byte.is_ascii_uppercase() && before.is_some_and(|before| before.is_ascii_lowercase()) {
                return true;
            }
            let is_other =
                |before: u8| before.is_ascii_alphanumeric() && before.is_ascii_digit() != byte.is_ascii_digit();
            if before.is_some_and(is_other) {
                return true;
            }
            if byte.is_ascii_lowercase()
                && at >= 2
                && token[at - 1].is_ascii_uppercase()
                && token[at - 2].is_ascii_uppercase()
            {
                return true;
            }
            if byte.is_ascii_alphabetic() && !before.is_some_and(is_word) {
                let rest = &token[at + 1..];
                if rest.starts_with(b"++") || rest.starts_with(b"#") {
                    return true;
                }
            }
        } else {
            joining = joining.map(|_| true);
        }
    }
    false
}

fn of_token(token: &[u8], parts: &mut String) {
    let words = words_of(token);
    let is_joined = words.len() > 1 && !is_one_word(token);
    let before = parts.len();
    for word in &words {
        if word.len() > LONGEST || !word[0].is_ascii_alphabetic() {
            continue;
        }
        push_pieces(word, is_joined, parts);
        if let Some(elided) = elided(word) {
            push(elided, parts);
        }
    }
    let apart = listed(token);
    if is_joined && parts.len() > before {
        push_numbers(&apart, parts);
    } else if words.len() > 1 {
        let pieces = || apart.split(|&byte| byte == b' ');
        if pieces().count() > 1 {
            pieces().filter(|piece| piece.len() <= LONGEST).for_each(|piece| push(piece, parts));
        }
        pieces().for_each(|piece| push_lone_numbers(piece, parts));
    }
    if is_joined {
        push_names(token, parts);
        push_measured(token, parts);
    }
    push_versions(token, parts);
    for word in &words {
        push_letters_and_numbers(word, parts);
    }
    push_signed(token, parts);
}

/// Appends the names of code that other marks join to something, as in `get_name(user` or `self->getName()`, and those with
/// humps that points join.
fn push_names(token: &[u8], parts: &mut String) {
    let bare = without_signs_around(token);
    let mut at = 0;
    while at < token.len() {
        if !token[at].is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let mut end = word_end(token, at);
        while token.get(end) == Some(&b'.') && token.get(end + 1).is_some_and(|&byte| is_word(byte)) {
            end = word_end(token, end + 1);
        }
        let name = &token[at..end];
        if name != bare && is_name(name) {
            push(name, parts);
        }
        if name.contains(&b'.') {
            name.split(|&byte| byte == b'.').filter(|piece| has_humps(piece)).for_each(|piece| push(piece, parts));
        }
        at = end;
    }
}

/// Whether a word of letters, digits and underscores is made of several by its capitals.
pub(super) fn has_humps(word: &[u8]) -> bool {
    !word.is_empty()
        && word.len() <= LONGEST
        && word[0].is_ascii_alphabetic()
        && word.iter().all(|&byte| is_word(byte))
        && (1..word.len()).any(|at| is_hump(word, at))
}

/// Whether a word is digits with letters behind them, and no part of the time of a log.
pub(super) fn is_measured(word: &[u8]) -> bool {
    let digits = digits_end(word, 0);
    let behind = &word[digits..];
    let is_of_time = digits == 2
        && (behind == b"Z" || matches!(behind, [b'T', one, other] if one.is_ascii_digit() && other.is_ascii_digit()));
    digits > 0
        && word.len() <= LONGEST
        && behind.first().is_some_and(u8::is_ascii_alphabetic)
        && behind.iter().all(u8::is_ascii_alphanumeric)
        && !is_of_time
}

/// Appends the words that begin with digits, as `5v` and `2nd`; an underscore parts them from what is beside it.
fn push_measured(token: &[u8], parts: &mut String) {
    let mut at = 0;
    for word in token.chunk_by(|one, other| one.is_ascii_alphanumeric() == other.is_ascii_alphanumeric()) {
        let is_behind_a_number = at >= 2 && matches!(token[at - 1], b'.' | b',') && token[at - 2].is_ascii_digit();
        if !is_behind_a_number && is_measured(word) {
            push(word, parts);
        }
        at += word.len();
    }
}

/// Whether a run of words and points begins with a letter and is made of several words.
fn is_name(run: &[u8]) -> bool {
    let last = run.iter().rposition(|&byte| byte != b'_').unwrap_or(0);
    run[0].is_ascii_alphabetic()
        && run.len() <= LONGEST
        && (run.contains(&b'.') || run[..last].contains(&b'_') || (1..run.len()).any(|at| is_hump(run, at)))
}

fn word_end(text: &[u8], start: usize) -> usize {
    text[start..].iter().position(|&byte| !is_word(byte)).map_or(text.len(), |length| start + length)
}

/// Appends the numbers of versions, which are written with a letter before them and without: `v3.4.0`.
fn push_versions(token: &[u8], parts: &mut String) {
    for (at, letter) in token.iter().enumerate() {
        let is_amid = at > 0 && token[at - 1].is_ascii_alphanumeric();
        if is_amid || !letter.eq_ignore_ascii_case(&b'v') {
            continue;
        }
        let start = at + 1;
        let mut end = digits_end(token, start);
        let first = end;
        while end > start && token.get(end) == Some(&b'.') && token.get(end + 1).is_some_and(u8::is_ascii_digit) {
            end = digits_end(token, end + 1);
        }
        let is_whole = token.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric());
        if end > first && is_whole && end - start <= LONGEST {
            push(&token[start..end], parts);
        }
    }
}

/// Appends the letters and the numbers of a word such as 750W or LH2084, or of its humps, in up to three pieces.
fn push_letters_and_numbers(word: &[u8], parts: &mut String) {
    let mut push_mixed = |piece: &[u8]| {
        if piece.len() > LONGEST_MIXED || !piece.iter().all(u8::is_ascii_alphanumeric) {
            return;
        }
        let runs = || piece.chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit());
        let digits = piece.iter().filter(|byte| byte.is_ascii_digit()).count();
        if (2..=3).contains(&runs().count()) && (digits > 1 || piece.len() - digits > 2) {
            runs().for_each(|run| push(run, parts));
        }
    };
    if word[0].is_ascii_digit() {
        return push_mixed(word);
    }
    let mut start = 0;
    for at in (1..word.len()).filter(|&at| is_hump(word, at)) {
        push_mixed(&word[start..at]);
        start = at;
    }
    push_mixed(&word[start..]);
}

/// Whether a new piece of a word begins here.
pub(super) fn is_hump(word: &[u8], at: usize) -> bool {
    let (before, here) = (word[at - 1], word[at]);
    let rises = (before.is_ascii_lowercase() || before.is_ascii_digit()) && here.is_ascii_uppercase();
    let falls = before.is_ascii_uppercase()
        && here.is_ascii_uppercase()
        && word.get(at + 1).is_some_and(u8::is_ascii_lowercase);
    rises || falls
}

fn push(part: &[u8], parts: &mut String) {
    parts.push_str(std::str::from_utf8(part).expect("it is of ASCII"));
    parts.push(' ');
}

/// Runs of letters and digits, which apostrophes between them do not end.
fn words_of(token: &[u8]) -> Vec<&[u8]> {
    let mut words = Vec::new();
    let mut at = 0;
    while at < token.len() {
        if !token[at].is_ascii_alphanumeric() {
            at += 1;
            continue;
        }
        let start = at;
        while at < token.len()
            && (token[at].is_ascii_alphanumeric()
                || (token[at] == b'\'' && token.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)))
        {
            at += 1;
        }
        words.push(&token[start..at]);
    }
    words
}

/// Whether a token is letters and digits alone, but for hyphens and apostrophes, and signs around it.
fn is_one_word(token: &[u8]) -> bool {
    let mut inner = without_signs_around(token).iter().filter(|&&byte| byte != b'-' && byte != b'\'').peekable();
    inner.peek().is_some() && inner.all(u8::is_ascii_alphanumeric)
}

fn without_signs_around(token: &[u8]) -> &[u8] {
    let around = |byte: &u8| b".,;:!?()[]{}\"`<>*#=-'".contains(byte);
    let start = token.iter().position(|byte| !around(byte)).unwrap_or(token.len());
    let end = token.iter().rposition(|byte| !around(byte)).map_or(start, |last| last + 1);
    &token[start..end]
}

/// Appends the pieces that humps part; a word in one piece if it is `wanted`.
fn push_pieces(word: &[u8], wanted: bool, parts: &mut String) {
    let mut start = 0;
    for at in (1..word.len()).filter(|&at| is_hump(word, at)) {
        push(&word[start..at], parts);
        start = at;
    }
    if start > 0 || wanted {
        push(&word[start..], parts);
    }
}

/// What stands behind an elided article or pronoun.
fn elided(word: &[u8]) -> Option<&[u8]> {
    let apostrophe = word.iter().position(|&byte| byte == b'\'')?;
    let article = word[..apostrophe].to_ascii_lowercase();
    if !ELIDING.contains(&article.as_slice()) {
        return None;
    }
    let rest = &word[apostrophe + 1..];
    let end = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
    (end >= 2).then(|| &rest[..end])
}

/// Where a run of digits ends that begins here.
fn digits_end(text: &[u8], start: usize) -> usize {
    text[start..].iter().position(|byte| !byte.is_ascii_digit()).map_or(text.len(), |length| start + length)
}

/// Appends the whole numbers of a token, points and commas in them; an underscore parts them from what is beside it.
fn push_numbers(token: &[u8], parts: &mut String) {
    let mut at = 0;
    while at < token.len() {
        let is_behind_a_number = at >= 2 && matches!(token[at - 1], b'.' | b',') && token[at - 2].is_ascii_digit();
        let is_amid = at > 0 && token[at - 1].is_ascii_alphanumeric();
        if !token[at].is_ascii_digit() || is_amid || is_behind_a_number {
            at += 1;
            continue;
        }
        let mut end = digits_end(token, at);
        let mut without_last = None; // where the number ends without its last group
        while end + 1 < token.len() && matches!(token[end], b'.' | b',') && token[end + 1].is_ascii_digit() {
            without_last = Some(end);
            end = digits_end(token, end + 1);
        }
        let is_whole = token.get(end).is_none_or(|&byte| !byte.is_ascii_alphanumeric());
        match if is_whole { Some(end) } else { without_last } {
            Some(end) => {
                if end - at <= LONGEST {
                    push(&token[at..end], parts);
                }
                at = end;
            }
            None => at += 1,
        }
    }
}

/// Appends the addresses, and the numbers that colons and slashes part, of a token that has no word of letters.
fn push_lone_numbers(token: &[u8], parts: &mut String) {
    let Some(start) = token.iter().position(|&byte| is_word(byte)) else { return };
    let end = token.iter().rposition(|&byte| is_word(byte)).expect("there is one") + 1;
    let run = &token[start..end];
    if run.iter().all(|&byte| is_word(byte)) {
        return;
    }
    let (words, marks) = parted(run);
    let is_of_letters = |word: &Vec<u8>| word[0].is_ascii_alphabetic() && word.len() <= LONGEST;
    if marks.is_empty() || words.iter().any(is_of_letters) {
        return;
    }
    push_addresses(run, parts);
    for (place, word) in words.iter().enumerate() {
        let parts_it = |mark: &&[u8]| mark.iter().all(|byte| matches!(byte, b':' | b'/'));
        let before = place.checked_sub(1).and_then(|before| marks.get(before));
        let is_number = word.iter().all(u8::is_ascii_digit) && (3..=LONGEST).contains(&word.len());
        if is_number && before.is_none_or(parts_it) && marks.get(place).is_none_or(parts_it) {
            push(word, parts);
        }
    }
}

/// The words of a run, and the marks between them; hyphens and apostrophes join words to one, and so do control characters.
pub(super) fn parted(run: &[u8]) -> (Vec<Vec<u8>>, Vec<&[u8]>) {
    let (mut words, mut marks) = (vec![Vec::new()], Vec::new());
    for piece in run.chunk_by(|&one, &other| is_word(one) == is_word(other)) {
        let is_mark = |byte: &u8| byte.is_ascii_punctuation() && !matches!(byte, b'-' | b'\'');
        if !is_word(piece[0]) && piece.iter().any(is_mark) {
            words.push(Vec::new());
            marks.push(piece);
        } else {
            words.last_mut().expect("there is one").extend_from_slice(piece);
        }
    }
    (words, marks)
}

/// Appends the addresses of four numbers.
fn push_addresses(run: &[u8], parts: &mut String) {
    let is_near = |byte: u8| is_word(byte) || byte == b'.';
    let mut at = 0;
    while at < run.len() {
        if !run[at].is_ascii_digit() || (at > 0 && is_near(run[at - 1])) {
            at += 1;
            continue;
        }
        let (mut end, mut groups) = (digits_end(run, at), 0);
        while groups < 3 && run.get(end) == Some(&b'.') && run.get(end + 1).is_some_and(u8::is_ascii_digit) {
            end = digits_end(run, end + 1);
            groups += 1;
        }
        if groups == 3 && run.get(end).is_none_or(|&byte| !is_near(byte)) {
            push(&run[at..end], parts);
        }
        at = end;
    }
}

/// Appends the letters with signs that are names of languages.
fn push_signed(token: &[u8], parts: &mut String) {
    for (at, &letter) in token.iter().enumerate() {
        if !letter.is_ascii_alphabetic() || (at > 0 && is_word(token[at - 1])) {
            continue;
        }
        let rest = &token[at + 1..];
        let signs: [(&[u8], &str); 2] = [(b"++", "plusplus"), (b"#", "sharp")];
        for (sign, said) in signs {
            if rest.starts_with(sign) && rest.get(sign.len()).is_none_or(|&byte| !is_word(byte)) {
                parts.push(char::from(letter));
                push(said.as_bytes(), parts);
            }
        }
    }
}
