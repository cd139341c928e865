//! Round-based searches over the service of a few days.
//!
//! An [`ActiveService`] holds the runs of a few service days in contiguous arrays. `compile` makes it from a timetable,
//! and `patch` changes it as live data changes. The searches on it are
//! - [`plan()`]: paths between two sets of stops over arrival time and generalized cost,
//! - [`one_to_all()`]: the same from one place to every stop,
//! - [`range()`]: earliest arrivals at every stop for each departure of a window,
//! - [`label_setting()`]: earliest arrivals of one departure, with the part of the first wait that the interface subtracts.
//!   It does not work in rounds, because it reproduces how ties are broken.
//!
//! The steps to a path are
//! - `horizon` with `least_times`: the hours that are searched first,
//! - `first_rounds`: where few rides lead,
//! - `bounds`: the least cost to the far end,
//! - `alternatives`: searches without the trips already used, and the choice from what they found,
//! - `path_search` with `limits`: one of these searches, up to some cost first,
//! - `rounds` with `entering`, `riders`, `seated` and `apart`: its rounds,
//! - `journey` and `pricing`: paths from labels, waits moved out of them, and their costs,
//! - `transfer_optimization`: better calls for the same vehicles,
//! - `compaction`: another search, for a path that dominates one that was chosen.
//!
//! All searches are written once for both directions, see [`trestle_model::Directed`]. They read vehicles, walks and the rules of
//! transfers.txt from `transit_data` (with `transfers` and `verdicts`), and `filters` says what a request allows. All
//! searches in rounds use `scan`.

pub mod active_service;
mod alternatives;
mod apart;
mod bounds;
mod compaction;
mod compile;
mod costs;
mod entering;
mod filters;
mod first_rounds;
mod horizon;
mod journey;
mod label_setting;
mod labels;
mod lane_spans;
mod lanes;
mod least_times;
mod limits;
mod memory;
mod one_to_all;
mod patch;
mod path_search;
mod plan;
mod pricing;
mod query;
mod range;
mod range_memory;
mod riders;
mod rounds;
mod run_order;
mod scan;
mod seated;
mod transfer_optimization;
mod transfers;
mod transit_data;
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
