//! From one place to everywhere: the time to every street vertex, over streets and timetable.
//!
//! link the place → walk (cycle, drive) to all vertices and stops → search the timetable → walk on from its stops.
//!
//! There are two such searches, because the interface has both. They differ in each of these steps:
//!
//! | | `cheapest`, begun by [`one_to_many()`] | `earliest` ([`EarliestSearch`]) |
//! |---|---|---|
//! | finds | the time of the cheapest path | the least time |
//! | limits | transfers (hard) and walking (soft) | only time, unless walking limits are asked for |
//! | streets | a tree by cost | a tree by time, on foot [`WalkTimes`](trestle_street::search::WalkTimes) |
//! | timetable | `one_to_all` | `label_setting`, or for windows and matrices `range` |
//! | after vehicles | `after_rides` | `walks_between`, in step with the timetable |

mod after_rides;
mod arrivals;
mod cheapest;
mod earliest;
mod links_within;
mod one_street;
mod place;
mod search;
mod search_costs;
mod street_times;
mod walks_between;
pub mod window;
mod window_times;

pub use arrivals::{ActiveTimes, EarliestArrivals};
pub use cheapest::{OneToMany, Origin};
pub use earliest::EarliestSearch;
pub(crate) use links_within::links_within;
pub use place::center;
pub(crate) use place::{Joined, off_street, street_of};
pub use search::{VertexValues, one_to_many};
pub use street_times::StreetTimes;
pub(crate) use window_times::WindowScratch;
