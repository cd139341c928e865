//! Hostile graphs: files with a valid checksum and a wrong value, and graphs built from hostile inputs. Each file is
//! either refused, or every query of the graph is answered. Code outside #[test] functions also panics when
//! something is missing.
#![allow(clippy::expect_used, clippy::print_stderr, clippy::panic)]

mod damage;
mod inputs;
mod searches;
mod town;
