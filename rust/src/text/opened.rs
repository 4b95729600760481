//! A text with blanks in the place of marks that join words of which the index knows the parts.
//!
//! What that comes to, in any writing, is defined in Python (`byheart.retrieval.operators.opened_plainly`). Here the same is
//! found for all that stands between two blanks and is of ASCII; the rest is left to the definition.

use std::borrow::Cow;

use super::listed::listed;
use super::parts::{ELIDING, LONGEST, has_humps, is_hump, is_measured, is_space, is_word, parted};

/// A longer word behind an article is none that was elided before.
const LONGEST_ELIDED: usize = 56;

/// The pieces of a text in turns: one of ASCII, opened, with `mark` at words that stay one with a neighbour; and one of other
/// writing, as it is. The first and the last are of ASCII, and may be empty.
///
/// ```
/// let opened = |text| byheart_core::text::opened(text, "*");
/// assert_eq!(opened("kettle/5 or get__name/tea at 12:30, l'ecole"), ["kettle 5 or get__name* tea at 12:30, l ecole"]);
/// assert_eq!(opened("GitLab/get_userName and 5v/12v"), ["GitLab get_userName and 5v 12v"]);
/// assert_eq!(opened("tea/milk, th\u{e9}/lait"), ["tea milk, ", "th\u{e9}/lait", ""]);
/// ```
#[must_use]
pub fn opened(text: &str, mark: &str) -> Vec<String> {
    let mut pieces = vec![String::with_capacity(text.len() + 16)];
    for token in text.split_inclusive(|letter: char| letter.is_ascii() && is_space(letter as u8)) {
        if token.is_ascii() {
            push_token(token, mark, pieces.last_mut().expect("there is one"));
        } else {
            pieces.extend([token.to_owned(), String::new()]);
        }
    }
    pieces
}

fn push_token(token: &str, mark: &str, said: &mut String) {
    for part in without_elisions(token).as_bytes().split_inclusive(|&byte| is_space(byte)) {
        for piece in listed(part).split_inclusive(|&byte| byte == b' ') {
            let start = piece.iter().position(|&byte| is_word(byte)).unwrap_or(piece.len());
            let end = piece.iter().rposition(|&byte| is_word(byte)).map_or(start, |last| last + 1);
            push(&piece[..start], said);
            push_run(&piece[start..end], mark, said);
            push(&piece[end..], said);
        }
    }
}

fn push(bytes: &[u8], said: &mut String) {
    said.push_str(std::str::from_utf8(bytes).expect("it is of ASCII"));
}

/// What stands between two blanks, with a blank in the place of the apostrophe behind an article.
fn without_elisions(token: &str) -> Cow<'_, str> {
    let apostrophes = token.match_indices('\'').map(|(at, _)| at);
    let found: Vec<usize> = apostrophes.filter(|&at| is_elision(token.as_bytes(), at)).collect();
    if found.is_empty() {
        return Cow::Borrowed(token);
    }
    let mut said = token.to_owned();
    for at in found {
        said.replace_range(at..=at, " ");
    }
    Cow::Owned(said)
}

/// Whether the apostrophe here stands between an article and a word of letters, which no other apostrophe joins to more.
fn is_elision(text: &[u8], at: usize) -> bool {
    let start = text[..at].iter().rposition(|&byte| !is_word(byte)).map_or(0, |before| before + 1);
    if !ELIDING.contains(&text[start..at].to_ascii_lowercase().as_slice()) {
        return false;
    }
    let is_joined = start >= 2 && text[start - 1] == b'\'' && is_word(text[start - 2]);
    let rest = &text[at + 1..];
    let length = rest.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(rest.len());
    let goes_on = match rest.get(length) {
        Some(b'\'') => rest.get(length + 1).is_some_and(|&byte| is_word(byte)),
        next => next.is_some_and(|&byte| is_word(byte)),
    };
    !is_joined && (2..=LONGEST_ELIDED).contains(&length) && !goes_on
}

/// Writes a run of words and marks without white space, with blanks where it is parted.
fn push_run(run: &[u8], mark: &str, said: &mut String) {
    if run.iter().all(|&byte| is_word(byte)) {
        return push(run, said);
    }
    let (words, marks) = with_decimals(parted(run));
    let has_parts = |place: usize| is_known(&words[place]) && !is_within_number(place, &words, &marks);
    let parts: Vec<bool> = (0..words.len()).map(|place| has_parts(place) || is_number(place, &words, &marks)).collect();
    let begun = said.len();
    push(&words[0], said);
    for (place, (joining, word)) in marks.iter().zip(&words[1..]).enumerate() {
        let (before, part) = (parts[place], parts[place + 1]);
        if !before && !part {
            push(joining, said);
            push(word, said);
            continue;
        }
        let is_whole = before || said[begun..].rsplit(' ').next().is_some_and(|last| is_address(last.as_bytes()));
        said.push_str(if is_whole { "" } else { mark });
        said.push(' ');
        said.push_str(if part { "" } else { mark });
        push(word, said);
    }
}

/// The words of a run that has one of letters with numbers such as 3.5 in one piece, and the other marks.
fn with_decimals((words, marks): (Vec<Vec<u8>>, Vec<&[u8]>)) -> (Vec<Vec<u8>>, Vec<&[u8]>) {
    if !words.iter().any(|word| begins_with_a_letter(word)) {
        return (words, marks);
    }
    let (mut whole, mut left): (Vec<Vec<u8>>, Vec<&[u8]>) = (Vec::with_capacity(words.len()), Vec::new());
    for (place, word) in words.into_iter().enumerate() {
        let joining = place.checked_sub(1).map(|before| marks[before]);
        match (whole.last_mut(), joining) {
            (Some(last), Some(&[sign @ (b'.' | b',')]))
                if is_digits(before_hyphens(&word)) && is_decimal(behind_hyphens(last)) =>
            {
                last.push(sign);
                last.extend_from_slice(&word);
            }
            (_, joining) => {
                left.extend(joining);
                whole.push(word);
            }
        }
    }
    (whole, left)
}

/// Whether a word begins with a number that a point or comma joins to a digit: the index has it not alone.
fn is_within_number(place: usize, words: &[Vec<u8>], marks: &[&[u8]]) -> bool {
    place > 0
        && matches!(marks[place - 1].last(), Some(b'.' | b','))
        && words[place][0].is_ascii_digit()
        && words[place - 1].last().is_some_and(u8::is_ascii_digit)
}

fn before_hyphens(word: &[u8]) -> &[u8] {
    word.split(|&byte| byte == b'-').next().unwrap_or(word)
}

fn behind_hyphens(word: &[u8]) -> &[u8] {
    word.rsplit(|&byte| byte == b'-').next().unwrap_or(word)
}

fn is_digits(word: &[u8]) -> bool {
    !word.is_empty() && word.iter().all(u8::is_ascii_digit)
}

/// Whether a word is digits, but for points and commas.
fn is_decimal(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_digit) && word.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
}

fn begins_with_a_letter(word: &[u8]) -> bool {
    word[0].is_ascii_alphabetic() && word.len() <= LONGEST
}

/// Whether the index knows all parts of a word, in which hyphens and underscores may stand.
fn is_known(word: &[u8]) -> bool {
    let has_hyphens = word.contains(&b'-');
    let mut letters = word.split(|&byte| byte == b'-').filter(|piece| !(has_hyphens && is_decimal(piece))).peekable();
    letters.peek().is_some() && letters.all(is_known_piece)
}

fn is_known_piece(piece: &[u8]) -> bool {
    let word = piece.strip_suffix(b"'s").unwrap_or(piece);
    has_humps(word) || is_measured(piece) || piece.split(|&byte| byte == b'_').all(is_part)
}

/// Whether a word is a part, and one in one piece, wherever marks join it to others.
fn is_part(word: &[u8]) -> bool {
    if word.is_empty() || word.len() > LONGEST || !word[0].is_ascii_alphabetic() {
        return false;
    }
    (1..word.len()).all(|at| {
        let is_inside = match word[at] {
            b'\'' => word.get(at + 1).is_some_and(u8::is_ascii_alphanumeric),
            byte => byte.is_ascii_alphanumeric(),
        };
        is_inside && !is_hump(word, at)
    })
}

/// Whether a word of a run is a number that is a part.
fn is_number(place: usize, words: &[Vec<u8>], marks: &[&[u8]]) -> bool {
    let word = &words[place];
    if word.len() > LONGEST || !word.split(|byte| matches!(byte, b'.' | b',')).all(is_digits) {
        return false;
    }
    let before = place.checked_sub(1).map(|before| marks[before]);
    let after = marks.get(place).copied();
    if words.iter().any(|word| begins_with_a_letter(word)) {
        return !(matches!(before, Some(b"." | b",")) && words[place - 1].last().is_some_and(u8::is_ascii_digit));
    }
    let parting = |mark: Option<&[u8]>| mark.is_none_or(|mark| mark.iter().all(|byte| matches!(byte, b':' | b'/')));
    word.len() > 2 && !marks.is_empty() && parting(before) && parting(after)
}

/// Whether this is an address of four numbers.
fn is_address(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'.').count() == 4 && text.split(|&byte| byte == b'.').all(is_digits)
}
