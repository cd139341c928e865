//! Plans in small towns: the effect of each parameter of a request and each feature of the inputs on an itinerary.
#![allow(clippy::expect_used)]

mod choices;
mod descriptions;
mod distances;
mod extremes;
mod links;
mod live;
mod live_calls;
mod live_copies;
mod live_message;
mod live_nights;
mod live_planned;
mod live_platforms;
mod live_walks;
mod modes;
mod names;
mod on_the_way;
mod rentals;
mod service_days;
pub(crate) mod street_rules;
mod timed_transfers;
pub(crate) mod town;
mod transfers;
mod wheelchair_changes;
mod wheelchair_slopes;
