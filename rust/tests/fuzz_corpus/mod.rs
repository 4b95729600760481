//! Every input that fuzzing kept, once more, as a plain test.

mod checks;

use std::path::Path;

/// Runs a check over the files of one folder; at least `least` of them must be there.
fn replay(target: &str, least: usize, check: fn(&[u8])) {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("rust/fuzz");
    if !fuzz.is_dir() {
        println!("no {}: source archives are without it", fuzz.display());
        return;
    }
    let mut files = 0;
    for entry in std::fs::read_dir(fuzz.join("corpus").join(target)).expect("a corpus for each target") {
        check(&std::fs::read(entry.expect("a readable folder").path()).expect("a readable file"));
        files += 1;
    }
    assert!(files >= least, "{target}: only {files} files");
}

#[test]
fn lexical_bytes() {
    replay("lexical_bytes", 20, checks::lexical_bytes);
}

#[test]
fn vector_bytes() {
    replay("vector_bytes", 20, checks::vector_bytes);
}

#[test]
fn dense_bytes() {
    replay("dense_bytes", 20, checks::dense_bytes);
}

#[test]
fn analyzer() {
    replay("analyzer", 20, checks::analyzer);
}

#[test]
fn directory_bytes() {
    replay("directory_bytes", 10, checks::directory_bytes);
}

#[test]
fn partition_bytes() {
    replay("partition_bytes", 10, checks::partition_bytes);
}
