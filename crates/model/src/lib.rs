//! Values shared by every layer: typed indices, columns and their rules, service dates, geometry,
//! routing requests, itineraries, outcomes and build issues. No I/O, no clock, no wire format.

pub mod bit_set;
pub mod buckets;
pub mod cell_grid;
pub mod column;
pub mod defaults;
pub mod direction;
pub mod geo;
pub mod ids;
pub mod issue;
pub mod itinerary;
pub mod lists;
pub mod mercator;
pub mod mode;
pub mod named;
pub mod outcome;
pub mod polyline;
pub mod prefetch;
pub mod processors;
pub mod recent;
pub mod request;
pub mod request_ranges;
pub mod rules;
pub mod service_date;
pub mod strings;
pub mod variable_length;

pub use bit_set::BitSet;
pub use column::{Column, ColumnError, ColumnSink, ColumnSource};
pub use direction::{Backward, Directed, Direction, Forward};
pub use issue::{Issue, IssueSink};
pub use mode::{Mode, ModeSet};
pub use outcome::{PlanError, PlanErrorCode};
pub use request::RoutingRequest;
pub use service_date::ServiceDate;
pub use strings::Strings;
