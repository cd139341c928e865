//! Reads texts of the timetable, and live data, for the entities of the index.

use trestle_engine::snapshot::Snapshot;
use trestle_model::ids::TripIdx;
use trestle_model::strings::StringIdx;
use trestle_transit::overlay::AddedTrip;
use trestle_transit::timetable::Timetable;

/// Reads what a graph knows of entities (`index.rs`).
pub(crate) struct Rows<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(crate) timetable: &'a Timetable,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(snapshot: &'a Snapshot) -> Self {
        Rows { snapshot, timetable: &snapshot.graph.timetable }
    }

    pub(super) fn text(&self, text: StringIdx) -> String {
        self.timetable.texts.get(text).to_owned()
    }

    pub(super) fn opt(&self, text: StringIdx) -> Option<String> {
        self.timetable.texts.opt(text).map(str::to_owned)
    }

    /// An added trip; `None` for scheduled and unknown ones.
    pub(crate) fn added_trip(&self, index: u32) -> Option<&'a AddedTrip> {
        self.snapshot.live_schedule().trip(TripIdx(index))
    }
}
