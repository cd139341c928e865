//! Tests of analyses, as one program, so that what they share is compiled and linked once.

// In tests, missing values are failures.
#![allow(clippy::unwrap_used)]

mod across_meridian;
mod bans;
mod circles;
mod contour_validity;
mod drivers;
mod each_search;
mod hostile_graphs;
mod late_arrivals;
mod linked_points;
mod long_streets;
mod open_nodes;
mod reached_ground;
mod single_times;
mod stairs;
#[path = "../../engine/tests/support/mod.rs"]
mod support;
mod walking_limit;
mod walks_between_vehicles;
mod window_times;
mod without_streets;
