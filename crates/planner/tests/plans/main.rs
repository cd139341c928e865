//! Plans in small towns: the effect of each parameter of a request and each feature of the inputs on an itinerary.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../../../transit/tests/support/feed.rs"]
#[allow(dead_code, unreachable_pub)]
mod feed;
#[path = "../../../street/tests/support/mod.rs"]
mod streets;

mod choices;
mod extremes;
mod live;
mod live_message;
mod live_nights;
mod modes;
mod on_the_way;
mod service_days;
mod street_rules;
mod town;
mod transfers;
