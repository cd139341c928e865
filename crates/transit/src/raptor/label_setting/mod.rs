//! Earliest arrivals at all stops with the wait for the first vehicle that the interface's servers take off.
//!
//! This is not a search in rounds, and it exists only because of the order in which those servers break ties: theirs is
//! a search to everywhere that keeps the earliest way to each stop and to each call of a lane, of equally early ones
//! the one found first, and goes on from the way with the least time *without* that wait. Rounds know no such order.
//!
//! So a way that waits longer for its first vehicle is gone on from before one that is sooner at a stop, and where
//! both get the same vehicle then, it counts. Without streets between stops the arrivals are those of
//! [`super::range()`]; waits differ.

mod queue;
mod search;

use super::direction::{Backward, Forward};
use super::query::{Endpoint, StopSignal};
use super::window::ServiceWindow;
use crate::timetable::Timetable;
use trestle_model::RoutingRequest;
use trestle_model::ids::StopIdx;

pub use queue::FirstComeScratch;
use search::Search;

/// A search from a place at the request's time, or to it by that time (`arrive_by`).
#[derive(Clone, Copy, Debug)]
pub struct FirstComeQuery<'a> {
    /// Time, direction, costs, slacks and filters. There is no limit on transfers.
    pub request: &'a RoutingRequest,
    /// Ways between the place and stops.
    pub near: &'a [Endpoint],
    /// The traveller takes a bike of their own on board.
    pub bike_aboard: bool,
    /// Longest time of interest, seconds.
    pub max_seconds: i32,
    /// Seconds of the wait for the first vehicle that are taken off at most.
    pub clamp: i32,
    /// When to give up.
    pub stop: StopSignal<'a>,
}

/// How a stop is reached, having left a vehicle there (with `arrive_by`: about to board one).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FirstCome {
    /// Seconds, or [`super::range::UNREACHED`].
    pub seconds: i32,
    /// Seconds of them spent waiting for the first vehicle (with `arrive_by`: after the last one).
    pub initial_wait: i32,
    /// Generalized cost.
    pub cost: f64,
}

/// The streets on which one goes on from a stop, to others as well: walked in step with the search.
pub trait StreetsBetween {
    /// Somebody goes on from a stop, for the `number`th time since the search began (from 0).
    fn leave(&mut self, stop: StopIdx, way: &FirstCome, number: usize);

    /// Walks on from everywhere that is reached within `seconds` without the first wait, and adds the stops where
    /// somebody is by then; `false` when it was stopped.
    fn walk_until(&mut self, seconds: i32, walked: &mut Vec<Walked>) -> bool;
}

/// No streets: one changes at stops and along the prepared transfers only.
#[derive(Clone, Copy, Debug)]
pub struct NoStreets;

impl StreetsBetween for NoStreets {
    fn leave(&mut self, _stop: StopIdx, _way: &FirstCome, _number: usize) {}

    fn walk_until(&mut self, _seconds: i32, _walked: &mut Vec<Walked>) -> bool {
        true
    }
}

/// A stop that is reached on the streets from another one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Walked {
    /// The stop.
    pub stop: StopIdx,
    /// Seconds since the search began.
    pub seconds: i32,
    /// Generalized cost of all that.
    pub cost: f64,
    /// Which of those who left a stop it is.
    pub number: usize,
}

/// Finds how every stop is reached; `None` when it was stopped.
///
/// Rules of transfers.txt for certain trips or routes are not looked at here.
pub fn first_come<S: StreetsBetween>(
    timetable: &Timetable,
    window: &ServiceWindow,
    query: &FirstComeQuery<'_>,
    streets: &mut S,
    scratch: &mut FirstComeScratch,
) -> Option<Vec<FirstCome>> {
    if query.request.arrive_by {
        Search::<Backward, S>::new(timetable, window, query, streets, scratch).run()
    } else {
        Search::<Forward, S>::new(timetable, window, query, streets, scratch).run()
    }
}
