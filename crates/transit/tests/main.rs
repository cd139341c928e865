//! Tests of timetables and transit searches, as one program, so that what they share is compiled and linked once.

// In tests, missing values are failures.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod common_mistakes;
mod fare_services;
mod hostile_feeds;
mod raptor;
mod reference_fares;
mod reference_index;
mod small_feeds;
mod support;
