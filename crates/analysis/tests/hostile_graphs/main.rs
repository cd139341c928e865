//! Graphs that nobody meant well: files with a right checksum and a wrong value, and what hostile inputs are built into.
//! Such a file is refused, or everything that a graph is asked for is answered.
// Outside of #[test] functions, too, a test stops at the first thing that is not there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr, clippy::panic)]

mod damage;
mod inputs;
mod searches;
mod town;
