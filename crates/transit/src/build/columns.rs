//! Turns rows into flat columns.

use trestle_model::lists::offsets_of_lengths;

use super::assembly::{Assembly, PatternEntry};
use super::flex;
use crate::appended::{self, AddedTrips, CallHeadsigns, col};
use crate::calendar::service_columns;
use crate::call_lists::{CallLists, CallRow};
use crate::fares::{self, FareServiceOption};
use crate::lookup::id_orders;
use crate::timetable::{Agencies, Continuation, Feeds, Patterns, Routes, Stops, Timetable, Transfers, Trips};
use crate::transfers::{expand_rules, stops_of_stations};

/// The timetable of all rows.
pub(super) fn freeze(
    mut assembly: Assembly,
    continuations: Vec<Continuation>,
    fares: &[FareServiceOption],
) -> Timetable {
    let fare_services = fares::freeze(fares, &mut assembly.texts);
    let mut timetable = Timetable {
        feeds: feeds(&assembly),
        agencies: agencies(&assembly),
        stops: stops(&assembly),
        routes: routes(&assembly),
        patterns: patterns(&assembly),
        trips: trips(&assembly, continuations),
        services: service_columns(assembly.services.iter().map(|service| (service.feed, &service.row))),
        transfers: Transfers::default(),
        flex: flex::flex(&assembly),
        pathways: assembly.pathways.into(),
        fares: assembly.fares.into(),
        fare_rules: assembly.fare_rules.into(),
        fare_services,
        texts: assembly.texts.finish(),
        id_orders: Default::default(),
    };
    timetable.transfers.rules = expand_rules(&assembly.transfers, &stations(&timetable.stops));
    timetable.id_orders = id_orders(&timetable);
    timetable
}

fn feeds(assembly: &Assembly) -> Feeds {
    let rows = &assembly.feeds;
    let text =
        |value: fn(&crate::gtfs::FeedInfo) -> u32| col(rows, |feed| feed.info.as_ref().map_or(0, value));
    let date = |value: fn(&crate::gtfs::FeedInfo) -> Option<i32>| {
        col(rows, |feed| feed.info.as_ref().and_then(value).unwrap_or(i32::MIN))
    };
    Feeds {
        id: col(rows, |feed| feed.id),
        file: col(rows, |feed| feed.file),
        has_info: col(rows, |feed| u32::from(feed.info.is_some())),
        publisher_name: text(|info| info.publisher_name),
        publisher_url: text(|info| info.publisher_url),
        lang: text(|info| info.lang),
        version: text(|info| info.version),
        info_id: text(|info| info.id),
        start_date: date(|info| info.start_date),
        end_date: date(|info| info.end_date),
    }
}

fn agencies(assembly: &Assembly) -> Agencies {
    let rows = &assembly.agencies;
    Agencies {
        feed: col(rows, |a| a.feed),
        id: col(rows, |a| a.row.id),
        name: col(rows, |a| a.row.name),
        url: col(rows, |a| a.row.url),
        timezone: col(rows, |a| a.row.timezone),
        lang: col(rows, |a| a.row.lang),
        phone: col(rows, |a| a.row.phone),
        fare_url: col(rows, |a| a.row.fare_url),
        branding_url: col(rows, |a| a.row.branding_url),
    }
}

fn stops(assembly: &Assembly) -> Stops {
    let rows = &assembly.stops;
    let mut at_stop: Vec<Vec<[u32; 2]>> = vec![Vec::new(); rows.len()];
    for (number, pattern) in assembly.patterns.iter().enumerate() {
        for (position, call) in pattern.calls.iter().enumerate() {
            at_stop[call.stop as usize].push([number as u32, position as u32]);
        }
    }
    appended::stops(&Stops::default(), rows, at_stop)
}

fn routes(assembly: &Assembly) -> Routes {
    let rows = &assembly.routes;
    let mut of_route: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
    for (number, pattern) in assembly.patterns.iter().enumerate() {
        of_route[pattern.route as usize].push(number as u32);
    }
    appended::routes(&Routes::default(), rows, of_route)
}

fn patterns(assembly: &Assembly) -> Patterns {
    let rows = &assembly.patterns;
    let calls = || rows.iter().flat_map(|pattern| &pattern.calls);
    // A pattern has one hop fewer than calls; its last call gets an empty one.
    let hop_length = |pattern: &PatternEntry, call: usize| pattern.hops.get(call).map_or(0, Vec::len);
    let hop_lengths =
        rows.iter().flat_map(|pattern| (0..pattern.calls.len()).map(move |call| hop_length(pattern, call)));
    Patterns {
        route: col(rows, |p| p.route),
        direction: col(rows, |p| p.direction),
        code: col(rows, |p| p.code),
        name: col(rows, |p| p.name),
        call_offsets: offsets_of_lengths(rows.iter().map(|p| p.calls.len())).collect(),
        call_stop: calls().map(|call| call.stop).collect(),
        call_pickup: calls().map(|call| call.pickup).collect(),
        call_dropoff: calls().map(|call| call.dropoff).collect(),
        trip_offsets: rows.iter().map(|p| p.first_trip).chain([assembly.trips.len() as u32]).collect(),
        hop_offsets: offsets_of_lengths(hop_lengths).collect(),
        hop_points: rows.iter().flat_map(|p| p.hops.iter().flatten().copied()).collect(),
        has_shape: col(rows, |p| u8::from(!p.hops.is_empty())),
    }
}

fn trips(assembly: &Assembly, continuations: Vec<Continuation>) -> Trips {
    let rows = &assembly.trips;
    let none = Trips::default();
    let (mut calls, mut headsigns) = (CallLists::after(&none, 0), CallHeadsigns::after(&none));
    for trip in rows {
        headsigns.add(assembly.calls_of(trip).iter().map(|call| call.headsign));
        calls.add(assembly.calls_of(trip).iter().map(|call| CallRow {
            arrival: call.arrival,
            departure: call.departure,
            sequence: call.sequence,
            timepoint: u8::from(call.timepoint),
        }));
    }
    let added = AddedTrips {
        facts: rows.iter().map(|trip| &trip.row.facts).collect(),
        patterns: rows.iter().map(|trip| trip.pattern).collect(),
        calls,
        headsigns,
        frequencies: rows.iter().map(|trip| trip.frequencies.as_slice()).collect(),
    };
    Trips { continuations: continuations.into(), ..appended::trips(&none, added) }
}

/// The boardable stops that each stop stands for: those of a station, which is one of them where vehicles call at the
/// station itself, or the stop itself.
fn stations(stops: &Stops) -> Vec<Vec<u32>> {
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); stops.id.len()];
    for (station, stop) in stops_of_stations(stops) {
        members[station as usize].push(stop);
    }
    for (number, list) in members.iter_mut().enumerate() {
        if stops.location_type[number] != crate::gtfs::STATION || list.is_empty() {
            *list = vec![number as u32];
        }
    }
    members
}
