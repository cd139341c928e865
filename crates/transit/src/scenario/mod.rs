//! Scenarios: a timetable with modifications. The given timetable stays as it is; the changed one shares all columns
//! that no modification touches.
//!
//! Trips that a modification changes are taken out of the schedule (they keep their places, on a service that never
//! runs) and put back after it as trips of new patterns. Places of all other entities stay the same, so that live
//! data, fares and street links of the schedule are those of the scenario too.

mod apply;
mod draft;
mod edit_trips;
mod freeze;
mod frequencies;
mod modification;
mod new_entities;
mod new_pattern;
mod selection;
mod transfer_rules;

pub use apply::{Applied, NewStop, Report, apply};
pub use modification::{
    AddedPattern, AddedTransferRule, FrequencyGroup, HopTimes, Modification, PatternDays, PatternRoute,
    PatternStarts, PatternStop, PatternTimetable, TripSelection,
};
