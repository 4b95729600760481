//! Which instruction sets there are, which one is used, and the macro that compiles a kernel for each.

use std::ffi::OsStr;
use std::fmt;
use std::sync::OnceLock;

use crate::error::{Error, Result};

/// The environment variable that forces an instruction set.
const SETTING: &str = "BYHEART_ISA";

/// The feature list of each instruction set: written here and nowhere else, so that what is compiled in and
/// what is looked for cannot differ.
macro_rules! with_features {
    (avx2, $then:ident $($rest:tt)*) => {
        $then! { ["avx2" "bmi1" "bmi2" "popcnt"] $($rest)* }
    };
    (avx512, $then:ident $($rest:tt)*) => {
        $then! {
            ["avx2" "bmi1" "bmi2" "popcnt" "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vpopcntdq" "avx512vnni"] $($rest)*
        }
    };
}

/// True if this processor and its operating system support every feature of the list.
#[cfg(target_arch = "x86_64")]
macro_rules! detected {
    ([$($feature:tt)+]) => { true $(&& std::arch::is_x86_feature_detected!($feature))+ };
}

/// A copy of a safe body, compiled for the features of the list.
macro_rules! compiled_for {
    ([$($feature:tt)+] $name:ident, $body:path, ($($arg:ident: $kind:ty),*) -> $answer:ty) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature($(enable = $feature),+)]
        fn $name($($arg: $kind),*) -> $answer {
            $body($($arg),*)
        }
    };
}

/// Writes a public kernel from one safe body: its copies and the choice between them. A kernel may have a body of its own
/// for AVX2 (`[name_avx2 = body, name_avx512]`), where the compiler does not find the instructions by itself.
macro_rules! kernel {
    ($(#[$doc:meta])* pub fn $name:ident [$avx2:ident, $avx512:ident]($($arg:ident: $kind:ty),* $(,)?) -> $answer:ty = $body:path) => {
        kernel! { $(#[$doc])* pub fn $name [$avx2 = $body, $avx512]($($arg: $kind),*) -> $answer = $body }
    };
    ($(#[$doc:meta])* pub fn $name:ident [$avx2:ident = $own:path, $avx512:ident]($($arg:ident: $kind:ty),* $(,)?) -> $answer:ty = $body:path) => {
        with_features! { avx2, compiled_for $avx2, $own, ($($arg: $kind),*) -> $answer }
        with_features! { avx512, compiled_for $avx512, $body, ($($arg: $kind),*) -> $answer }

        $(#[$doc])*
        #[allow(unsafe_code)] // to call the copies; denied everywhere else
        pub fn $name(isa: $crate::kernel::Isa, $($arg: $kind),*) -> $answer {
            match isa {
                $crate::kernel::Isa::Portable => $body($($arg),*),
                // SAFETY: the `Seen` inside this variant is made by `Isa::available` alone, after it has found
                // on this machine every feature the copy is compiled for; both read the list in `with_features`.
                #[cfg(target_arch = "x86_64")]
                $crate::kernel::Isa::Avx2(_) => unsafe { $avx2($($arg),*) },
                // SAFETY: as above, for the longer list.
                #[cfg(target_arch = "x86_64")]
                $crate::kernel::Isa::Avx512(_) => unsafe { $avx512($($arg),*) },
            }
        }
    };
}

/// Proof that the processor was asked: only [`Isa::available`] can make one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seen(());

/// An instruction set that this processor can run.
///
/// A value of a vector variant is proof that the processor has it, so kernels need not ask again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Isa {
    /// What every processor of this architecture has (on x86-64: SSE2).
    Portable,
    /// 256-bit vectors: AVX2, BMI and POPCNT.
    #[cfg(target_arch = "x86_64")]
    Avx2(Seen),
    /// 512-bit vectors with a population count: AVX-512 F, BW, DQ, VL and VPOPCNTDQ.
    #[cfg(target_arch = "x86_64")]
    Avx512(Seen),
}

impl Isa {
    /// Every instruction set this processor can run, slowest first; never empty.
    ///
    /// ```
    /// use byheart_core::kernel::Isa;
    /// assert_eq!(Isa::available()[0], Isa::Portable);
    /// ```
    #[must_use]
    pub fn available() -> Vec<Self> {
        static FOUND: OnceLock<Vec<Isa>> = OnceLock::new();
        FOUND.get_or_init(Self::detect).clone()
    }

    /// The instruction set in use: the best one, or the one that the environment variable `BYHEART_ISA`
    /// (`portable`, `avx2` or `avx512`; empty counts as unset) forces. The variable is read once, at first use.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the variable holds another word or a set that this processor lacks. The
    /// error stays: no other set is ever chosen in its place.
    ///
    /// ```
    /// use byheart_core::kernel::Isa;
    /// assert!(Isa::available().contains(&Isa::active()?));
    /// # Ok::<(), byheart_core::Error>(())
    /// ```
    pub fn active() -> Result<Self> {
        static ACTIVE: OnceLock<Result<Isa>> = OnceLock::new();
        ACTIVE.get_or_init(|| Self::choose(std::env::var_os(SETTING).as_deref())).clone()
    }

    /// One line for reports: the set in use and the sets there are.
    ///
    /// ```
    /// assert!(byheart_core::kernel::Isa::describe().contains("portable"));
    /// ```
    #[must_use]
    pub fn describe() -> String {
        let there = names();
        match Self::active() {
            Ok(isa) => format!("{isa} (this processor has {there})"),
            Err(error) => format!("none: {error} (this processor has {there})"),
        }
    }

    fn detect() -> Vec<Self> {
        let mut found = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if with_features!(avx2, detected) {
                found.push(Self::Avx2(Seen(())));
            }
            if with_features!(avx512, detected) {
                found.push(Self::Avx512(Seen(())));
            }
        }
        found
    }

    fn choose(setting: Option<&OsStr>) -> Result<Self> {
        let available = Self::available();
        let Some(wanted) = setting.filter(|s| !s.is_empty()) else {
            return Ok(available[available.len() - 1]);
        };
        available.into_iter().find(|isa| wanted == isa.name()).ok_or_else(|| {
            let there = names();
            Error::invalid(
                SETTING,
                format!("{} is not among the instruction sets of this processor ({there})", wanted.display()),
            )
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => "avx512",
        }
    }
}

fn names() -> String {
    Isa::available().iter().map(|isa| isa.name()).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Isa {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl fmt::Debug for Isa {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_setting_the_last_available_set_is_used() {
        let best = *Isa::available().last().unwrap();
        assert_eq!(Isa::choose(None), Ok(best));
        assert_eq!(Isa::choose(Some(OsStr::new(""))), Ok(best));
    }

    #[test]
    fn every_available_set_can_be_forced_by_its_name() {
        for isa in Isa::available() {
            assert_eq!(Isa::choose(Some(OsStr::new(isa.name()))), Ok(isa));
        }
    }

    #[test]
    fn an_unknown_setting_is_an_error_that_names_it() {
        for word in ["sse9", "AVX2", "avx2 ", "auto"] {
            let error = Isa::choose(Some(OsStr::new(word))).unwrap_err().to_string();
            assert!(error.contains("BYHEART_ISA") && error.contains(word), "{error}");
        }
    }
}
