//! Writes the name of these sources into the library, so that a stale extension can be told from a fresh one.
//!
//! `BYHEART_BUILD` is `VERSION+HASH`: FNV-1a (64 bits) over every `.rs` file below `rust/src`, then `Cargo.lock`, in order of
//! their paths. Each file adds its path, a zero byte, its length (8 bytes, little-endian) and its bytes. Nothing else
//! enters, neither clock nor machine; `tools/build_id.py` computes the same from a checkout.

use std::fs;
use std::path::{Path, PathBuf};

const FNV_OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01B3;

fn main() {
    println!("cargo::rerun-if-changed=rust/src");
    println!("cargo::rerun-if-changed=Cargo.lock");
    println!("cargo::rerun-if-changed=build.rs");

    let mut files = Vec::new();
    collect(Path::new("rust/src"), &mut files);
    files.push(PathBuf::from("Cargo.lock"));
    let mut named: Vec<(String, PathBuf)> = files.into_iter().map(|path| (portable(&path), path)).collect();
    named.sort();

    let mut hash = FNV_OFFSET;
    for (name, path) in named {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        hash = absorb(hash, name.as_bytes());
        hash = absorb(hash, &[0]);
        hash = absorb(hash, &(bytes.len() as u64).to_le_bytes());
        hash = absorb(hash, &bytes);
    }
    println!("cargo::rustc-env=BYHEART_BUILD={}+{hash:016x}", env!("CARGO_PKG_VERSION"));
}

/// Adds every `.rs` file below `folder`.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry of a folder that was just opened").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The path with forward slashes on every system.
fn portable(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// One pass of FNV-1a.
fn absorb(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}
