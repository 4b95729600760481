//! What: the inner loops, per instruction set. Corpus: `SplitMix64` words of seeds 0, 1, 2..., no structure.
//! Compare: the rows of one group with each other, and `hamming_*` with `stream`, which only reads the same bytes.
//!
//! Run with `cargo bench --bench kernels`.

use byheart_core::kernel::{Isa, Majority, Words, dot, dot_many, generate, hamming_batch, hamming_many};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

fn vectors(count: usize) -> Vec<Words> {
    let seeds: Vec<u64> = (0..count as u64).collect();
    let mut rows = vec![Words::ZERO; count];
    generate(Isa::Portable, &seeds, &mut rows);
    rows
}

fn floats(count: usize) -> Vec<f32> {
    vectors(count.div_ceil(64))
        .iter()
        .flat_map(|row| row.0)
        .take(count)
        .map(|word| (word >> 40) as f32 / 16_777_216.0 - 0.5)
        .collect()
}

/// The limit of a scan: the same bytes, read and folded with one operation a word. Compiled for the portable
/// set, so a vector set can be faster where the rows lie in a cache.
#[divan::bench(consts = [10_000, 100_000])]
fn stream<const ROWS: usize>(bencher: Bencher) {
    let rows = vectors(ROWS);
    bencher.counter(BytesCount::of_slice(&rows)).bench_local(|| {
        black_box(&rows).iter().fold([0_u64; 64], |mut all, row| {
            all.iter_mut().zip(&row.0).for_each(|(all, word)| *all |= word);
            all
        })
    });
}

#[divan::bench(args = Isa::available(), consts = [10_000, 100_000])]
fn hamming_scan<const ROWS: usize>(bencher: Bencher, isa: Isa) {
    let rows = vectors(ROWS);
    let (query, mut out) = (rows[7], vec![0; ROWS]);
    bencher
        .counter(BytesCount::of_slice(&rows))
        .bench_local(|| hamming_many(isa, black_box(&query), black_box(&rows), &mut out));
}

#[divan::bench(args = Isa::available())]
fn hamming_scan_of_32_queries(bencher: Bencher, isa: Isa) {
    const ROWS: usize = 10_000;
    let rows = vectors(ROWS);
    let (queries, mut out) = (rows[..32].to_vec(), vec![0; 32 * ROWS]);
    bencher
        .counter(ItemsCount::new(32 * ROWS))
        .bench_local(|| hamming_batch(isa, black_box(&queries), black_box(&rows), &mut out));
}

#[divan::bench(args = Isa::available(), consts = [256, 768])]
fn dot_of_one_pair<const DIMENSIONS: usize>(bencher: Bencher, isa: Isa) {
    let (a, b) = (floats(DIMENSIONS), floats(2 * DIMENSIONS));
    bencher.bench_local(|| dot(isa, black_box(&a), black_box(&b[DIMENSIONS..])));
}

#[divan::bench(args = Isa::available(), consts = [256, 768])]
fn dot_with_1000_rows<const DIMENSIONS: usize>(bencher: Bencher, isa: Isa) {
    let (query, rows, mut out) = (floats(DIMENSIONS), floats(1000 * DIMENSIONS), vec![0.0; 1000]);
    bencher
        .counter(ItemsCount::new(1000_usize))
        .bench_local(|| dot_many(isa, black_box(&query), black_box(&rows), &mut out));
}

#[divan::bench(args = Isa::available(), consts = [16, 64, 512])]
fn bundle<const PARTS: usize>(bencher: Bencher, isa: Isa) {
    let rows = vectors(PARTS);
    let rows: Vec<&Words> = rows.iter().collect();
    bencher.counter(ItemsCount::new(PARTS)).bench_local(|| {
        let mut majority = Majority::default();
        majority.add(isa, black_box(&rows), 0);
        let tie = majority.parity();
        majority.decide(isa, &tie)
    });
}

#[divan::bench(args = Isa::available())]
fn generate_64(bencher: Bencher, isa: Isa) {
    let (seeds, mut out) = ((0..64).collect::<Vec<u64>>(), vec![Words::ZERO; 64]);
    bencher.counter(ItemsCount::new(64_usize)).bench_local(|| generate(isa, black_box(&seeds), &mut out));
}
