//! What some tests need and not every machine has: the data of cities and the recorded answers in `../shared`, beside
//! the repository. Only tests and examples depend on this crate.

use std::path::{Path, PathBuf};

/// A file or folder of `../shared`. `None`, with a message, where it is missing: then the caller skips its test.
///
/// # Panics
/// Where it is missing and the environment says `CI=true`: there every test has to run.
pub fn shared(path: &str) -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    is_there(path, found.exists(), std::env::var("CI").as_deref() == Ok("true")).then_some(found)
}

// Tests say on the standard output what they skip.
#[allow(clippy::print_stdout)]
fn is_there(path: &str, found: bool, all_have_to_run: bool) -> bool {
    assert!(found || !all_have_to_run, "../shared/{path} is missing; no test may be skipped where CI=true");
    if !found {
        println!("skipped: ../shared/{path} is missing");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::is_there;

    #[test]
    fn what_is_missing_is_skipped() {
        assert!(!is_there("data/atlantis", false, false));
        assert!(is_there("data/porto", true, false));
    }

    #[test]
    fn what_is_there_is_tested_with_ci_too() {
        assert!(is_there("data/porto", true, true));
    }

    #[test]
    #[should_panic(expected = "../shared/data/atlantis is missing")]
    fn what_is_missing_fails_with_ci() {
        is_there("data/atlantis", false, true);
    }
}
