//! Round-based searches over the service of a few days.
//!
//! An [`ActiveService`] holds the runs of a few service days in contiguous arrays. `compile` makes it from a timetable,
//! and `patch` changes it as live data changes. `timed_calls` has the calls of live trips that are patterns of their own.
//! Three searches enter its vehicles:
//!
//! | Search | What it keeps | What it finds |
//! |---|---|---|
//! | `mc_raptor`, McRAPTOR | at each stop, a bag of entries over time and generalized cost | paths between two sets of stops ([`plan()`]), or from one place to every stop ([`one_to_all()`]) |
//! | `range`, rRAPTOR | at each stop and for each round, the earliest time | times at every stop for each departure of a window ([`range()`]), or one time that `plan` uses as a bound |
//! | `label_setting`, Dijkstra's algorithm | at each stop, and at each call of a lane, the earliest label | times at every stop for one departure, with the part of the first wait that the interface subtracts ([`label_setting()`]) |
//!
//! The first two work in rounds: both are a `RoundSearch`, and `scan` is compiled for each. They keep
//! different things because of speed: where only the time matters, one number at a stop is enough, and most runs need not
//! be looked at. The third exists because it breaks ties like the interface's reference, which takes labels in an order
//! that rounds do not have. All three read vehicles, walks and the rules of transfers.txt from `transit_data` (with
//! `transfers` and `verdicts`), look up runs with `run_order`, and ask `filters` what a request allows. They are written
//! once for both directions, see [`trestle_model::Directed`].
//!
//! [`plan()`] takes these steps:
//! - `horizon` with `least_times`: the hours that are searched first,
//! - `first_rounds`: where few rides lead,
//! - `bounds`: the least cost to the far end,
//! - `alternatives`: searches without the trips already used, and the choice from what they found,
//! - `path_search` with `limits`: one of these searches, up to some cost first,
//! - `mc_raptor` with `entering`, `riders`, `seated` and `apart`: the search itself,
//! - `journey` and `pricing`: paths from labels, waits moved out of them, and their costs,
//! - `transfer_optimization`: better calls for the same vehicles,
//! - `compaction`: another search, for a path that dominates one that was chosen.

pub mod active_service;
mod alternatives;
mod apart;
mod bounds;
mod compaction;
mod compile;
mod costs;
mod entering;
mod filters;
mod first_arrival;
mod first_rounds;
mod horizon;
mod journey;
mod label_setting;
mod labels;
mod lane_spans;
mod lanes;
mod least_times;
mod limits;
mod live_trip;
mod marks;
mod mc_raptor;
mod memory;
mod one_to_all;
mod only_runs;
mod patch;
mod path_search;
mod plan;
mod pricing;
mod query;
mod range;
mod range_memory;
mod riders;
mod run_order;
mod scan;
mod seated;
mod timed_calls;
mod transfer_optimization;
mod transfers;
mod transit_data;
mod trips_by_id;
mod verdicts;

pub use active_service::ActiveService;
pub use filters::matches as route_matches;
pub use label_setting::{
    ArrivalWithWait, LabelSettingScratch, NoStreets, StreetsBetween, Walked, label_setting,
};
pub use least_times::{LeastTimes, ServiceHours};
pub use one_to_all::{OneToAllAnswer, StopArrival, StreetsAfter, one_to_all};
pub use plan::{TransitAnswer, TransitScratch, plan};
pub use query::{
    Departures, Endpoint, OnBoardStart, OneToAllQuery, StreetAlternative, StreetWalk, TransitQuery,
};
pub use range::{Departure, RangeScratch, range};
pub use range_memory::UNREACHED;
pub use verdicts::least_change_seconds;
