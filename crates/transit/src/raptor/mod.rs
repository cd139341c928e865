//! Round-based searches over the service of a few days.

mod alternatives;
mod bounds;
mod compile;
mod costs;
mod direction;
mod entering;
mod filters;
mod journey;
mod labels;
mod lanes;
mod memory;
mod plan;
mod pricing;
mod query;
mod range;
mod reach;
mod refine;
mod rounds;
mod transfers;
pub mod window;

pub use direction::{Backward, Direction, Forward};
pub use filters::{allows_bikes, matches as route_matches};
pub use plan::{TransitAnswer, TransitScratch, pareto, plan};
pub use query::{Endpoint, OnBoardStart, StopSignal, TransitQuery};
pub use range::{RangeQuery, RangeScratch, UNREACHED, range};
pub use reach::{ReachAnswer, ReachQuery, ReachedStop, reach};
pub use window::ServiceWindow;
