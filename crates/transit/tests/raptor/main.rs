//! The transit searches on towns described in a few lines, and compared with brute-force searches.

// In tests, missing values are failures.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod bans;
mod brute_force;
mod days;
mod dominated;
#[allow(unreachable_pub)]
#[path = "../support/feed.rs"]
mod feed;
mod filters;
mod horizon;
mod one_to_all;
mod paths;
mod plain_search;
mod random;
mod random_rules;
mod rules;
mod scenarios;
mod town;
