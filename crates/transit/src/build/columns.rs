//! Turns rows into flat columns.

use trestle_model::Column;

use super::assembly::{Assembly, PatternEntry, TripEntry};
use super::column::{col, offsets};
use super::flex;
use crate::calendar::service_columns;
use crate::call_lists::{CallLists, CallRow, SharedLists};
use crate::fares::{self, FareServiceOption};
use crate::lookup::id_orders;
use crate::timetable::{Agencies, Feeds, Patterns, Routes, Stops, Timetable, Transfers, Trips};
use crate::transfers::expand_rules;

/// The timetable of all rows.
pub(super) fn freeze(
    mut assembly: Assembly,
    next_in_block: &[u32],
    fares: &[FareServiceOption],
) -> Timetable {
    let fare_services = fares::freeze(fares, &mut assembly.texts);
    let mut timetable = Timetable {
        feeds: feeds(&assembly),
        agencies: agencies(&assembly),
        stops: stops(&assembly),
        routes: routes(&assembly),
        patterns: patterns(&assembly),
        trips: trips(&assembly, next_in_block),
        services: service_columns(assembly.services.iter().map(|service| (service.feed, &service.row))),
        transfers: Transfers {
            rules: expand_rules(&assembly.transfers, &stations(&assembly)),
            ..Default::default()
        },
        flex: flex::flex(&assembly),
        pathways: assembly.pathways.into(),
        fares: assembly.fares.into(),
        fare_rules: assembly.fare_rules.into(),
        fare_services,
        texts: assembly.texts.finish(),
        id_orders: Default::default(),
    };
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
    Stops {
        feed: col(rows, |s| s.feed),
        id: col(rows, |s| s.row.id),
        code: col(rows, |s| s.row.code),
        name: col(rows, |s| s.row.name),
        desc: col(rows, |s| s.row.desc),
        lat: col(rows, |s| s.row.position.lat),
        lon: col(rows, |s| s.row.position.lon),
        zone: col(rows, |s| s.row.zone),
        url: col(rows, |s| s.row.url),
        location_type: col(rows, |s| s.row.location_type),
        wheelchair: col(rows, |s| s.row.wheelchair),
        parent: col(rows, |s| s.row.parent),
        parent_id: col(rows, |s| s.row.parent_id),
        timezone: col(rows, |s| s.row.timezone),
        vehicle_type: col(rows, |s| s.row.vehicle_type),
        platform: col(rows, |s| s.row.platform),
        direction: col(rows, |s| s.row.direction),
        pattern_offsets: offsets(at_stop.iter().map(Vec::len)),
        patterns: at_stop.into_iter().flatten().collect(),
    }
}

fn routes(assembly: &Assembly) -> Routes {
    let rows = &assembly.routes;
    let mut of_route: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
    for (number, pattern) in assembly.patterns.iter().enumerate() {
        of_route[pattern.route as usize].push(number as u32);
    }
    Routes {
        feed: col(rows, |r| r.feed),
        agency: col(rows, |r| r.row.agency),
        id: col(rows, |r| r.row.id),
        short_name: col(rows, |r| r.row.short_name),
        long_name: col(rows, |r| r.row.long_name),
        route_type: col(rows, |r| r.row.route_type),
        mode: col(rows, |r| r.row.mode as u8),
        desc: col(rows, |r| r.row.desc),
        url: col(rows, |r| r.row.url),
        color: col(rows, |r| r.row.color),
        text_color: col(rows, |r| r.row.text_color),
        route_bikes_allowed: col(rows, |r| r.row.route_bikes_allowed),
        bikes_allowed: col(rows, |r| r.row.bikes_allowed),
        sort_order: col(rows, |r| r.row.sort_order),
        eligibility_restricted: col(rows, |r| r.row.eligibility_restricted),
        branding_url: col(rows, |r| r.row.branding_url),
        pattern_offsets: offsets(of_route.iter().map(Vec::len)),
        patterns: of_route.into_iter().flatten().collect(),
    }
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
        call_offsets: offsets(rows.iter().map(|p| p.calls.len())),
        call_stop: calls().map(|call| call.stop).collect(),
        call_pickup: calls().map(|call| call.pickup).collect(),
        call_dropoff: calls().map(|call| call.dropoff).collect(),
        trip_offsets: rows.iter().map(|p| p.first_trip).chain([assembly.trips.len() as u32]).collect(),
        hop_offsets: offsets(hop_lengths),
        hop_points: rows.iter().flat_map(|p| p.hops.iter().flatten().copied()).collect(),
        has_shape: col(rows, |p| u8::from(!p.hops.is_empty())),
    }
}

fn trips(assembly: &Assembly, next_in_block: &[u32]) -> Trips {
    let rows = &assembly.trips;
    let mut previous_in_block = vec![u32::MAX; rows.len()];
    for (trip, &next) in next_in_block.iter().enumerate() {
        if let Some(slot) = previous_in_block.get_mut(next as usize) {
            *slot = trip as u32;
        }
    }
    let (headsign_offset, headsigns) = call_headsigns(assembly);
    let mut calls = CallLists::after(&Trips::default(), 0);
    for trip in rows {
        calls.add(assembly.calls_of(trip).iter().map(|call| CallRow {
            arrival: call.arrival,
            departure: call.departure,
            sequence: call.sequence,
            timepoint: u8::from(call.timepoint),
        }));
    }
    Trips {
        id: col(rows, |t| t.row.id),
        pattern: col(rows, |t| t.pattern),
        service: col(rows, |t| t.row.service),
        headsign: col(rows, |t| t.row.headsign),
        short_name: col(rows, |t| t.row.short_name),
        route_short_name: col(rows, |t| t.row.route_short_name),
        block: col(rows, |t| t.row.block),
        shape: col(rows, |t| t.row.shape_id),
        fare: col(rows, |t| t.row.fare),
        wheelchair: col(rows, |t| t.row.wheelchair),
        bikes_allowed: col(rows, |t| t.row.bikes_allowed),
        trip_bikes_allowed: col(rows, |t| t.row.trip_bikes_allowed),
        row: col(rows, |t| t.position),
        call_offset: calls.call_offset.into(),
        start: calls.start.into(),
        profile_offset: calls.profile_offset.into(),
        profile_arrival: col(&calls.profiles.entries, |times| times.0),
        profile_departure: col(&calls.profiles.entries, |times| times.1),
        sequence_offset: calls.sequence_offset.into(),
        sequences: col(&calls.sequences.entries, |call| call.0),
        timepoints: col(&calls.sequences.entries, |call| call.1),
        headsign_offset,
        headsigns,
        next_in_block: next_in_block.to_vec().into(),
        previous_in_block: previous_in_block.into(),
        frequency_offsets: offsets(rows.iter().map(|trip| trip.frequencies.len())),
        frequencies: rows.iter().flat_map(|trip| trip.frequencies.iter().copied()).collect(),
    }
}

/// stop_headsign columns of the trips that have any.
fn call_headsigns(assembly: &Assembly) -> (Column<u32>, Column<u32>) {
    let mut headsigns = SharedLists::after(0);
    let offsets = col(&assembly.trips, |trip: &TripEntry| {
        let calls = assembly.calls_of(trip);
        if calls.iter().all(|call| call.headsign == 0) {
            return u32::MAX;
        }
        headsigns.offset_of(calls.iter().map(|call| call.headsign).collect())
    });
    (offsets, headsigns.entries.into())
}

/// The boardable stops that each stop stands for: those of a station, or the stop itself.
fn stations(assembly: &Assembly) -> Vec<Vec<u32>> {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); assembly.stops.len()];
    for (number, stop) in assembly.stops.iter().enumerate() {
        if stop.row.location_type == 0
            && let Some(list) = children.get_mut(stop.row.parent as usize)
        {
            list.push(number as u32);
        }
    }
    for (number, list) in children.iter_mut().enumerate() {
        let is_station = assembly.stops[number].row.location_type == crate::gtfs::STATION;
        if !is_station || list.is_empty() {
            *list = vec![number as u32];
        }
    }
    children
}
