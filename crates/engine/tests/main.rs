//! Tests of graphs and live data, as one program, so that what they share is compiled and linked once.

// In tests, missing values are failures.
#![allow(clippy::unwrap_used)]

mod live_oracle;
mod raw_feeds;
