//! Scenarios: a timetable with modifications. The given timetable does not change; the new one shares all columns that no
//! modification touches.
//!
//! Changed trips are taken out of the schedule (they keep their indices, on a service that never runs) and added again
//! as trips of new patterns. The indices of all other entities stay the same, so that live data, fares and street links
//! of the schedule are valid for the scenario too.

mod apply;
mod counted;
mod draft;
mod edit_trips;
mod freeze;
mod frequencies;
mod headways;
mod modification;
mod moved_stops;
mod new_entities;
mod new_pattern;
mod selection;
mod transfer_rules;

pub use apply::{Applied, PlacedStop, Report, apply};
pub use modification::{
    AddedPattern, AddedTransferRule, FrequencyGroup, HopTimes, Modification, PatternDays, PatternRoute,
    PatternStarts, PatternStop, PatternTimetable, TransferEnd, TripSelection,
};
