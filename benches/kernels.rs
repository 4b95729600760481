//! What the kernels cost, per instruction set. Run with `cargo bench`.

fn main() {
    divan::main();
}
