#![no_main]

#[allow(dead_code)] // each target runs one of the checks
#[path = "../../tests/fuzz_corpus/checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::partition_bytes(data));
