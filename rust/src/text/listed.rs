//! Numbers of a list without blanks, apart: "4711,4712", "[101,102]", "12:30;13:45".
//!
//! What is apart, in any writing, is defined in Python (`byheart.patterns.listed_numbers`). Here the same is found in ASCII.

use std::borrow::Cow;

/// What stands between two blanks with the numbers of lists in it apart: by a blank, or beside a word by a semicolon.
pub(super) fn listed(token: &[u8]) -> Cow<'_, [u8]> {
    let stands_between = |at: usize, marks: &[u8]| {
        let is_digit = |at: usize| token.get(at).is_some_and(u8::is_ascii_digit);
        marks.contains(&token[at]) && at > 0 && is_digit(at - 1) && is_digit(at + 1)
    };
    if !(0..token.len()).any(|at| stands_between(at, b",;|")) {
        return Cow::Borrowed(token);
    }
    let mark = if token.iter().any(u8::is_ascii_alphabetic) { b';' } else { b' ' };
    let mut said = token.to_vec();
    let mut at = 0;
    while at < token.len() {
        let start = at;
        at = number_end(token, start);
        if at > start && !is_one(token, start, at) {
            said[start..at].iter_mut().filter(|byte| **byte == b',').for_each(|byte| *byte = mark);
        }
        at = at.max(start + 1);
    }
    if mark == b' ' {
        (0..token.len()).filter(|&at| stands_between(at, b";|")).for_each(|at| said[at] = mark);
    }
    Cow::Owned(said)
}

/// Where digits end that begin here, with the points and commas between them.
fn number_end(token: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        let digits = token[end..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return end.saturating_sub(1).max(start);
        }
        end += digits;
        if !matches!(token.get(end), Some(b'.' | b',')) {
            return end;
        }
        end += 1;
    }
}

/// Whether digits with points and commas in them are one number.
fn is_one(token: &[u8], start: usize, end: usize) -> bool {
    let number = &token[start..end];
    if !number.contains(&b',') {
        return true;
    }
    let is_behind = start > 1 && matches!(token[start - 1], b'-' | b':' | b'/') && token[start - 2].is_ascii_digit();
    let is_bracketed = start > 0 && token[start - 1] == b'[' && token.get(end) == Some(&b']');
    if is_behind || is_bracketed {
        return false;
    }
    let lengths: Vec<usize> = number.split(|byte| !byte.is_ascii_digit()).map(<[u8]>::len).collect();
    let marks: Vec<u8> = number.iter().copied().filter(|byte| !byte.is_ascii_digit()).collect();
    let (last, before) = marks.split_last().expect("there is a comma");
    let of_commas = |marks: &[u8]| {
        let groups = &lengths[..=marks.len()];
        let is_grouped = marks.iter().all(|&mark| mark == b',') && groups[0] <= 3 && groups.last() == Some(&3);
        !marks.is_empty() && is_grouped && groups[1..].iter().all(|&length| matches!(length, 2 | 3))
    };
    let of_points = || {
        let groups = &lengths[1..=before.len()];
        let is_grouped = before.iter().all(|&mark| mark == b'.') && groups.iter().all(|&length| length == 3);
        !before.is_empty() && is_grouped && lengths[0] <= 3
    };
    match last {
        b',' => of_commas(&marks) || of_points() || (before.is_empty() && !(lengths[0] > 3 && lengths[1] > 2)),
        _ => of_commas(before),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_part_what_is_not_one_number() {
        for (token, expected) in [
            ("4711,4712,4713", "4711 4712 4713"),
            ("[101,102]", "[101 102]"),
            ("101,102", "101,102"),
            ("1,250.00", "1,250.00"),
            ("1.250.000,00", "1.250.000,00"),
            ("12,34,567.50", "12,34,567.50"),
            ("4711,13", "4711,13"),
            ("4711,13.99", "4711 13.99"),
            ("2026-01-05,4711", "2026-01-05 4711"),
            ("Anna,4711,13.99", "Anna,4711;13.99"),
            ("12:30;13:45|4711", "12:30 13:45 4711"),
            ("10.0.4.17,10.0.4.18", "10.0.4.17 10.0.4.18"),
            ("1,,2;", "1,,2;"),
            ("1,2.", "1,2."),
        ] {
            assert_eq!(std::str::from_utf8(&listed(token.as_bytes())), Ok(expected));
        }
    }
}
