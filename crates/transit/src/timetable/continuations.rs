//! Trips whose vehicles continue as other trips.

use bytemuck::{Pod, Zeroable};
use trestle_model::ids::TripIdx;
use trestle_model::rules::{Wrong, first_wrong};

use super::Timetable;

/// A trip whose vehicle continues as another trip, so that riders may stay seated.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
pub struct Continuation {
    /// The trip that ends.
    pub from_trip: u32,
    /// The trip that follows.
    pub to_trip: u32,
    /// Days from the service day of the first trip to that of the second: 1 over midnight, otherwise 0.
    pub days: i32,
}

/// Sort key of the trips of a vehicle on one day: first departure, last arrival, row in trips.txt.
fn key(t: &Timetable, trip: u32) -> (Option<i32>, Option<i32>, Option<u32>) {
    let calls = t.trip_calls(TripIdx(trip));
    (calls.first_departure(), calls.last_arrival(), t.trips.row.get(trip as usize).copied())
}

/// Both trips exist, and the second one is later, so following a vehicle comes to an end.
pub(super) fn continuation(t: &Timetable, row: &Continuation) -> Wrong {
    let trips = t.trips.id.len();
    if [row.from_trip, row.to_trip].iter().any(|trip| *trip as usize >= trips) {
        return Some("a trip does not exist");
    }
    first_wrong([
        ((0..=1).contains(&row.days), "the next trip is not on the same day or the next one"),
        (row.days != 0 || key(t, row.from_trip) < key(t, row.to_trip), "the next trip starts earlier"),
    ])
}
