//! Memory of a search thread for analyses, kept from request to request.

use trestle_street::search::{DrivingMemory, StreetSearch};
use trestle_transit::raptor::{LabelSettingScratch, RangeScratch, TransitScratch};

use crate::one_to_many::WindowScratch;

/// What the searches of an analysis write into. One per search thread; never shared.
#[derive(Default)]
pub struct Scratch {
    /// Streets around the start.
    pub(crate) access: StreetSearch,
    /// Streets after the timetable.
    pub(crate) egress: StreetSearch,
    /// Streets after the earliest vehicles, where those after the cheapest ones are in `egress`.
    pub(crate) early_egress: StreetSearch,
    /// Drives of a matrix.
    pub(crate) driving: DrivingMemory,
    /// Timetable.
    pub(crate) transit: TransitScratch,
    /// Windows of departures.
    pub(crate) window: WindowScratch,
    /// Timetable, by time alone.
    pub(crate) range: RangeScratch,
    /// Timetable, by time without the wait for the first vehicle.
    pub(crate) label_setting: LabelSettingScratch,
}
