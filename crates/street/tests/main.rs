//! Tests of streets, as one program, so that what they share is compiled and linked once.

// In tests, missing values are failures.
#![allow(clippy::unwrap_used)]

mod barriers;
mod base_map;
mod cities;
mod elevation;
mod issue_inputs;
mod least_paths;
// The tests of plans search from place to place with it.
#[allow(dead_code)]
mod oracle;
mod street_build;
mod support;
