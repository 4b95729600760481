//! What Python sees: convert, detach, call, convert. No arithmetic lives here.

use pyo3::prelude::*;

/// The extension module `byheart._core`.
#[pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("__build__", env!("BYHEART_BUILD"))
    }
}
