//! Round-based searches over the service of a few days.
//!
//! A [`ServiceWindow`] holds the runs of a few service days in contiguous arrays. On it work
//! - [`plan`] and [`pareto`]: paths between two sets of stops over arrival time and generalized cost,
//! - [`reach`]: the same from one place to every stop,
//! - [`range`]: earliest arrivals at every stop for each departure of a time window,
//! - [`first_come`]: those of one departure, with the wait for the first vehicle that the interface takes off; not in
//!   rounds, as it reproduces an order of ties (`label_setting`).
//!
//! A path comes about in this order: `horizon` with `least_times` (the hours that are looked at first), `bounds` (least cost
//! from everywhere to the far end), `rounds` with `entering`,
//! `seated` and `apart` (the search proper), `journey` (path from labels, waiting moved out), `transfer_optimization`
//! (better calls for the same vehicles), `pricing`, `alternatives` (searching again without the trips used, and the
//! choice), `compaction` (a path that dominates a chosen one takes its place).
//! All searches are written once for both directions, see [`Direction`], and those in rounds scan the timetable in one
//! place, `scan`.

mod alternatives;
mod apart;
mod bounds;
mod compaction;
mod compile;
mod costs;
mod direction;
mod entering;
mod filters;
mod horizon;
mod journey;
mod label_setting;
mod labels;
mod lane_spans;
mod lanes;
mod least_times;
mod memory;
mod plan;
mod pricing;
mod query;
mod range;
mod reach;
mod rounds;
mod scan;
mod seated;
mod transfer_optimization;
mod transfers;
pub mod window;

pub use direction::{Backward, Direction, Forward};
pub use filters::matches as route_matches;
pub use label_setting::{
    FirstCome, FirstComeQuery, FirstComeScratch, NoStreets, StreetsBetween, Walked, first_come,
};
pub use plan::{TransitAnswer, TransitScratch, pareto, plan};
pub use query::{Endpoint, OnBoardStart, StopSignal, StreetRival, TransitQuery};
pub use range::{Departure, RangeQuery, RangeScratch, UNREACHED, range};
pub use reach::{ReachAnswer, ReachQuery, ReachedStop, reach};
pub use transfers::least_change_seconds;
pub use window::ServiceWindow;
