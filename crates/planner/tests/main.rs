//! Tests of plans, as one program, so that what they share is compiled and linked once.

// In tests, missing values are failures.
#![allow(clippy::unwrap_used)]

mod dice;
mod feasible_plans;
#[path = "../../transit/tests/support/feed.rs"]
#[allow(dead_code, unreachable_pub)]
mod feed;
mod hostile_live_feeds;
mod hostile_maps;
mod least_cost;
#[path = "../../street/tests/oracle/mod.rs"]
#[allow(dead_code)]
mod oracle;
mod plans;
mod profile;
mod reached_places;
mod reference_narrative;
mod shared_city;
#[path = "../../street/tests/support/mod.rs"]
mod streets;
#[path = "../../engine/tests/support/mod.rs"]
mod support;
