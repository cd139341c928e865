//! Columns of flexible service, only for trips and calls that have any.

use trestle_model::lists::offsets_of_lengths;

use super::assembly::{Assembly, TripEntry};
use crate::appended::col;
use crate::gtfs::{BLANK, FlexCallRow, Hailing};
use crate::timetable::{Flex, FlexAreas, FlexCall, FlexTrip};

/// Default of continuous_pickup and continuous_drop_off.
const NOT_CONTINUOUS: u8 = 1;

pub(super) fn flex(assembly: &Assembly) -> Flex {
    Flex { areas: areas(assembly), trips: trips(assembly).collect(), calls: calls(assembly).into() }
}

fn areas(assembly: &Assembly) -> FlexAreas {
    let rows = &assembly.areas;
    FlexAreas {
        feed: col(rows, |area| area.feed),
        id: col(rows, |area| area.row.id),
        offsets: offsets_of_lengths(rows.iter().map(|area| area.row.boundary.len())).collect(),
        points: rows.iter().flat_map(|area| area.row.boundary.iter().copied()).collect(),
    }
}

fn trips(assembly: &Assembly) -> impl Iterator<Item = FlexTrip> + '_ {
    (0u32..)
        .zip(&assembly.trips)
        .filter_map(|(trip, entry)| entry.row.flex.map(|flex| FlexTrip { trip, ..flex }))
}

fn calls(assembly: &Assembly) -> Vec<FlexCall> {
    let mut calls = Vec::new();
    let mut first_call = 0;
    for trip in &assembly.trips {
        let route = assembly.routes[assembly.patterns[trip.pattern as usize].route as usize].row.hailing;
        let is_given_by_route = route != Hailing { pickup: BLANK, drop_off: BLANK };
        if is_given_by_route {
            let positions = 0..assembly.calls_of(trip).len() as u32;
            calls
                .extend(positions.map(|at| flex_call(assembly, trip, first_call + at, row(trip, at), route)));
        } else {
            let rows = trip.flex_calls.iter();
            calls.extend(rows.map(|(at, row)| flex_call(assembly, trip, first_call + at, Some(row), route)));
        }
        first_call += assembly.calls_of(trip).len() as u32;
    }
    calls
}

fn row(trip: &TripEntry, position: u32) -> Option<&FlexCallRow> {
    trip.flex_calls.iter().find(|(at, _)| *at == position).map(|(_, row)| row)
}

/// Values of a call, from its own row or else from its route.
fn flex_call(
    assembly: &Assembly,
    trip: &TripEntry,
    call: u32,
    row: Option<&FlexCallRow>,
    route: Hailing,
) -> FlexCall {
    let kind = |own: Option<u8>, of_route: u8| {
        let given = own.into_iter().chain([of_route]).find(|kind| *kind != BLANK);
        u32::from(given.unwrap_or(NOT_CONTINUOUS))
    };
    let feed = assembly.feed_of(trip);
    let of_area = |id: u32| assembly.areas.iter().position(|area| area.feed == feed && area.row.id == id);
    let area = row.filter(|row| row.area != 0).and_then(|row| of_area(row.area));
    FlexCall {
        radius: row.map_or(0.0, |row| row.radius),
        call,
        continuous_pickup: kind(row.map(|row| row.hailing.pickup), route.pickup),
        continuous_drop_off: kind(row.map(|row| row.hailing.drop_off), route.drop_off),
        area: area.map_or(u32::MAX, |area| area as u32),
    }
}
