//! From one place to everywhere: the time to every street vertex, over streets and timetable.
//!
//! link the place → walk (cycle, drive) to all vertices and stops → search the timetable → walk on from its stops.

mod after_rides;
mod arrivals;
mod earliest;
mod links_within;
mod place;
mod search;
mod search_costs;
mod search_steps;
mod street_times;
mod walks_between;
pub mod window;
mod window_times;

pub use arrivals::{ActiveTimes, EarliestArrivals};
pub use earliest::{EarliestSearch, SECONDS_TO_STOPS};
use links_within::links_within;
pub use place::center;
pub use search::{VertexValues, one_to_many};
pub use search_steps::{OneToMany, Origin};
pub use street_times::StreetTimes;
pub(crate) use window_times::WindowScratch;
