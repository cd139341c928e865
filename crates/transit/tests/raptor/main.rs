//! The transit searches on towns of a few lines, and against searches without any cleverness.

// A test stops at the first thing that is not there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod brute_force;
mod days;
mod dominated;
#[allow(unreachable_pub)]
#[path = "../support/feed.rs"]
mod feed;
mod filters;
mod horizon;
mod paths;
mod random;
mod reach;
mod rules;
mod scenarios;
mod town;
