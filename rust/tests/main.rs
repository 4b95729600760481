//! The tests of the core as others see it; one program, since each would compile and link the whole of it again.

mod adversarial;
mod dense_bytes;
mod dense_index;
mod fuzz_corpus;
mod hdc_algebra;
mod hdc_bytes;
mod hdc_format;
mod hdc_index;
mod kernel_isa;
