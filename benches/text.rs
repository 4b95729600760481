//! What: analysis of English text, and the stemmer alone. Corpus: 4 MB of sentences made of a fixed list of common
//! words, seed 7, common ones more often; the same with a curly apostrophe in every hundredth word; and
//! distinct words with the usual suffixes. Compare: modes, with and without stemming. Run: `cargo bench --bench text`.

use byheart_core::text::{Analyzer, Mode, Scratch, StopWords, stem_in_place};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Common words first, so that a skewed choice resembles running text.
const WORDS: &str = "the of and to a in is that it was for on are as with his they at be this from have or by one had \
    not but what all were when we there can an your which their said if do will each about how up out them then she \
    many some so these would other into has more two like him see time could no make than first been its who now \
    people my made over did down only way find use may water long little very after words called just where most \
    know get through back much before go good new write our used me man too any day same right look think also \
    around another came come work three must because does part even place well such here take why things help put \
    years different away again off went old number great tell men say small every found still between name should \
    home big give air line set own under read last never us left end along while might next sound below saw \
    something thought both few those always looked show large often together asked house don't world going want \
    school important until form food keep children feet land side without boy once animals life enough took \
    sometimes four head above kind began almost live page got earth need far hand high year mother light parts \
    country father let night following picture being study second eyes soon times story boys since white days ever \
    paper hard near sentence better best across during today others however sure means knew try told young miles \
    sun ways thing whole hear example heard several change answer room sea against top turned learn point city play \
    toward five using himself usually memory retrieval relational conditional organization hypervector deployment \
    information development government particularly understanding responsibilities well-known re-index user's";

/// `SplitMix64`: numbers that are the same everywhere.
struct Seeded(u64);

impl Seeded {
    /// A number in [0, below).
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % below as u64).expect("below a usize")
    }
}

/// Sentences of twelve words, about `bytes` long. The smaller of two draws favours the common words.
fn english(bytes: usize, mut decorate: impl FnMut(usize, &mut String)) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let (mut seeded, mut text) = (Seeded(7), String::new());
    for i in 0_usize.. {
        let word = words[seeded.next(words.len()).min(seeded.next(words.len()))];
        let (first, rest) = word.split_at(1);
        let start_of_sentence = i.is_multiple_of(12);
        text.push_str(if start_of_sentence { first.to_uppercase() } else { first.to_owned() }.as_str());
        text.push_str(rest);
        decorate(i, &mut text);
        text.push_str(if i % 12 == 11 { ". " } else { " " });
        if text.len() >= bytes {
            break;
        }
    }
    text
}

fn analyse(bencher: Bencher, text: &str, analyzer: Analyzer) {
    let mut scratch = Scratch::default();
    bencher.counter(BytesCount::of_str(text)).bench_local(|| {
        let mut length = 0;
        analyzer.for_each_term(black_box(text), &mut scratch, &mut |term| length += term.len());
        length
    });
}

const MODES: [Mode; 2] = [Mode::Unicode, Mode::Ascii];

#[divan::bench(args = MODES)]
fn english_stop_words_and_stems(bencher: Bencher, mode: Mode) {
    analyse(bencher, &english(4 << 20, |_, _| ()), Analyzer::new(mode, true, StopWords::English));
}

#[divan::bench(args = MODES)]
fn english_words_only(bencher: Bencher, mode: Mode) {
    analyse(bencher, &english(4 << 20, |_, _| ()), Analyzer::new(mode, false, StopWords::None));
}

#[divan::bench(args = MODES)]
fn english_with_curly_apostrophes(bencher: Bencher, mode: Mode) {
    let curly = |i: usize, text: &mut String| text.push_str(if i.is_multiple_of(100) { "\u{2019}s" } else { "" });
    analyse(bencher, &english(4 << 20, curly), Analyzer::new(mode, true, StopWords::English));
}

#[divan::bench]
fn japanese(bencher: Bencher) {
    analyse(bencher, &"記憶は、忘れないための仕組みです。 ".repeat(20_000), Analyzer::default());
}

#[divan::bench]
fn stems_of_distinct_words(bencher: Bencher) {
    let suffixes = ["", "s", "ed", "ing", "ation", "ational", "iveness", "fully", "izer", "ment", "able", "ies"];
    let words: Vec<String> = WORDS
        .split_whitespace()
        .flat_map(|word| suffixes.iter().map(move |suffix| format!("{word}{suffix}")))
        .collect();
    let mut stem = String::new();
    bencher.counter(ItemsCount::new(words.len())).bench_local(|| {
        let mut length = 0;
        for word in black_box(&words) {
            stem.clear();
            stem.push_str(word);
            stem_in_place(&mut stem);
            length += stem.len();
        }
        length
    });
}
