//! Earliest arrivals at all stops, with the wait for the first vehicle that the interface's servers subtract.
//!
//! This label-setting search exists only to break ties as those servers do, which a search in rounds cannot. For each stop
//! and each call of a lane it keeps the earliest label, the first one found if several are equally early, and it continues
//! from labels in order of their time *without* the first wait.
//!
//! So a label with a longer first wait is continued before one that is earlier at a stop, and is the one that counts if
//! both take the same vehicle next. Without streets between stops the arrivals are those of [`super::range()`]; the waits
//! differ.

mod queue;
mod search;

use super::active_service::ActiveService;
use super::query::OneToAllQuery;
use crate::timetable::Timetable;
use trestle_model::ids::StopIdx;
use trestle_model::{Backward, Direction, Forward};

pub use queue::LabelSettingScratch;
use search::LabelSettingSearch;

/// The arrival at a stop, having left a vehicle there (backward: about to board one).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ArrivalWithWait {
    /// Seconds, or [`super::range_memory::UNREACHED`].
    pub seconds: i32,
    /// Seconds of that spent waiting for the first vehicle (backward: after the last one).
    pub initial_wait: i32,
    pub cost: f64,
}

/// A street search between stops, in step with the transit search.
pub trait StreetsBetween {
    /// Starts a walk from a stop. `number` counts these calls from 0.
    fn leave(&mut self, stop: StopIdx, arrival: &ArrivalWithWait, number: usize);

    /// Continues all walks up to `seconds` without the first wait, and adds the stops that they have reached to `walked`;
    /// `false` if it was stopped.
    fn walk_until(&mut self, seconds: i32, walked: &mut Vec<Walked>) -> bool;
}

/// No streets: changes only at stops and along the prepared transfers.
#[derive(Clone, Copy, Debug)]
pub struct NoStreets;

impl StreetsBetween for NoStreets {
    fn leave(&mut self, _stop: StopIdx, _arrival: &ArrivalWithWait, _number: usize) {}

    fn walk_until(&mut self, _seconds: i32, _walked: &mut Vec<Walked>) -> bool {
        true
    }
}

/// A stop that is reached on the streets from another one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Walked {
    pub stop: StopIdx,
    /// Seconds since the start of the search.
    pub seconds: i32,
    /// Generalized cost since the start of the search.
    pub cost: f64,
    /// `number` of the call of [`StreetsBetween::leave`].
    pub number: usize,
}

/// Finds the arrival at every stop; `None` if it was stopped. At most `clamp` seconds of the first wait are subtracted.
/// There is no limit on transfers.
///
/// Where a rule of transfers.txt between two stops is for certain trips or routes, no rules between these stops are
/// applied.
pub fn label_setting<S: StreetsBetween>(
    timetable: &Timetable,
    service: &ActiveService,
    query: &OneToAllQuery<'_>,
    clamp: i32,
    streets: &mut S,
    scratch: &mut LabelSettingScratch,
) -> Option<Vec<ArrivalWithWait>> {
    match query.request.direction {
        Direction::Forward => {
            LabelSettingSearch::<Forward, S>::new(timetable, service, (query, clamp), streets, scratch).run()
        }
        Direction::Backward => {
            LabelSettingSearch::<Backward, S>::new(timetable, service, (query, clamp), streets, scratch).run()
        }
    }
}
