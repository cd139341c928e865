//! Columns of rows that follow those of a timetable: of an empty one in a build, of the schedule in a scenario.

use trestle_model::Column;
use trestle_model::lists::offsets_of_lengths;

use crate::call_lists::{CallLists, SharedLists};
use crate::gtfs::{OfFeed, RouteRow, StopRow, TripFacts};
use crate::timetable::{Frequency, Routes, Stops, Trips};

/// A column with additional values, or the column itself when there are none.
pub(crate) fn appended<T: Copy + Send + Sync>(
    column: &Column<T>,
    more: impl IntoIterator<Item = T>,
) -> Column<T> {
    let mut more = more.into_iter().peekable();
    if more.peek().is_none() {
        return column.clone();
    }
    column.iter().copied().chain(more).collect()
}

/// A column of offsets with those of additional lists.
pub(crate) fn appended_offsets(
    offsets: &Column<u32>,
    lengths: impl IntoIterator<Item = usize>,
) -> Column<u32> {
    let mut end = offsets.last().copied().unwrap_or(0);
    let more = lengths.into_iter().map(|length| {
        end += length as u32;
        end
    });
    if offsets.is_empty() { std::iter::once(0).chain(more).collect() } else { appended(offsets, more) }
}

/// A column with a value of each row.
pub(crate) fn col<R, T: Send + Sync>(rows: &[R], value: impl FnMut(&R) -> T) -> Column<T> {
    rows.iter().map(value).collect()
}

/// Stops with additional ones. `calls` are the calls at each of all stops, as in [`Stops::patterns`].
pub(crate) fn stops(base: &Stops, added: &[OfFeed<StopRow>], calls: Vec<Vec<[u32; 2]>>) -> Stops {
    let rows = || added.iter().map(|stop| &stop.row);
    Stops {
        feed: appended(&base.feed, added.iter().map(|stop| stop.feed)),
        id: appended(&base.id, rows().map(|s| s.id)),
        code: appended(&base.code, rows().map(|s| s.code)),
        name: appended(&base.name, rows().map(|s| s.name)),
        desc: appended(&base.desc, rows().map(|s| s.desc)),
        lat: appended(&base.lat, rows().map(|s| s.position.lat)),
        lon: appended(&base.lon, rows().map(|s| s.position.lon)),
        zone: appended(&base.zone, rows().map(|s| s.zone)),
        url: appended(&base.url, rows().map(|s| s.url)),
        location_type: appended(&base.location_type, rows().map(|s| s.location_type)),
        wheelchair: appended(&base.wheelchair, rows().map(|s| s.wheelchair)),
        parent: appended(&base.parent, rows().map(|s| s.parent)),
        parent_id: appended(&base.parent_id, rows().map(|s| s.parent_id)),
        timezone: appended(&base.timezone, rows().map(|s| s.timezone)),
        vehicle_type: appended(&base.vehicle_type, rows().map(|s| s.vehicle_type)),
        platform: appended(&base.platform, rows().map(|s| s.platform)),
        direction: appended(&base.direction, rows().map(|s| s.direction)),
        pattern_offsets: offsets_of_lengths(calls.iter().map(Vec::len)).collect(),
        patterns: calls.into_iter().flatten().collect(),
    }
}

/// Routes with additional ones. `patterns` are those of each of all routes.
pub(crate) fn routes(base: &Routes, added: &[OfFeed<RouteRow>], patterns: Vec<Vec<u32>>) -> Routes {
    let rows = || added.iter().map(|route| &route.row);
    Routes {
        feed: appended(&base.feed, added.iter().map(|route| route.feed)),
        agency: appended(&base.agency, rows().map(|r| r.agency)),
        id: appended(&base.id, rows().map(|r| r.id)),
        short_name: appended(&base.short_name, rows().map(|r| r.short_name)),
        long_name: appended(&base.long_name, rows().map(|r| r.long_name)),
        route_type: appended(&base.route_type, rows().map(|r| r.route_type)),
        mode: appended(&base.mode, rows().map(|r| r.mode as u8)),
        desc: appended(&base.desc, rows().map(|r| r.desc)),
        url: appended(&base.url, rows().map(|r| r.url)),
        color: appended(&base.color, rows().map(|r| r.color)),
        text_color: appended(&base.text_color, rows().map(|r| r.text_color)),
        route_bikes_allowed: appended(&base.route_bikes_allowed, rows().map(|r| r.route_bikes_allowed)),
        bikes_allowed: appended(&base.bikes_allowed, rows().map(|r| r.bikes_allowed)),
        sort_order: appended(&base.sort_order, rows().map(|r| r.sort_order)),
        eligibility_restricted: appended(
            &base.eligibility_restricted,
            rows().map(|r| r.eligibility_restricted),
        ),
        branding_url: appended(&base.branding_url, rows().map(|r| r.branding_url)),
        pattern_offsets: offsets_of_lengths(patterns.iter().map(Vec::len)).collect(),
        patterns: patterns.into_iter().flatten().collect(),
    }
}

/// Additional trips, each with its pattern, calls and frequencies.
pub(crate) struct AddedTrips<'a> {
    pub(crate) facts: Vec<&'a TripFacts>,
    pub(crate) patterns: Vec<u32>,
    pub(crate) calls: CallLists,
    pub(crate) headsigns: CallHeadsigns,
    pub(crate) frequencies: Vec<&'a [Frequency]>,
}

/// stop_headsign columns of trips.
pub(crate) struct CallHeadsigns {
    offsets: Vec<u32>,
    headsigns: SharedLists<u32>,
}

impl CallHeadsigns {
    /// No trips yet. The first one will follow the trips of `base`.
    pub(crate) fn after(base: &Trips) -> Self {
        CallHeadsigns { offsets: Vec::new(), headsigns: SharedLists::after(base.headsigns.len()) }
    }

    /// Adds a trip with the headsign of each call.
    pub(crate) fn add(&mut self, headsigns: impl Iterator<Item = u32>) {
        let headsigns: Vec<u32> = headsigns.collect();
        let has_any = headsigns.iter().any(|headsign| *headsign != 0);
        self.offsets.push(if has_any { self.headsigns.offset_of(headsigns) } else { u32::MAX });
    }
}

/// Trips with additional ones, without the columns about blocks.
pub(crate) fn trips(base: &Trips, added: AddedTrips<'_>) -> Trips {
    let AddedTrips { facts, patterns, calls, headsigns, frequencies } = added;
    let facts = || facts.iter();
    let (profiles, sequences) = (|| calls.profiles.entries.iter(), || calls.sequences.entries.iter());
    Trips {
        id: appended(&base.id, facts().map(|t| t.id)),
        pattern: appended(&base.pattern, patterns),
        service: appended(&base.service, facts().map(|t| t.service)),
        headsign: appended(&base.headsign, facts().map(|t| t.headsign)),
        short_name: appended(&base.short_name, facts().map(|t| t.short_name)),
        route_short_name: appended(&base.route_short_name, facts().map(|t| t.route_short_name)),
        block: appended(&base.block, facts().map(|t| t.block)),
        shape: appended(&base.shape, facts().map(|t| t.shape)),
        fare: appended(&base.fare, facts().map(|t| t.fare)),
        wheelchair: appended(&base.wheelchair, facts().map(|t| t.wheelchair)),
        bikes_allowed: appended(&base.bikes_allowed, facts().map(|t| t.bikes_allowed)),
        trip_bikes_allowed: appended(&base.trip_bikes_allowed, facts().map(|t| t.trip_bikes_allowed)),
        row: appended(&base.row, facts().map(|t| t.row)),
        profile_arrival: appended(&base.profile_arrival, profiles().map(|times| times.0)),
        profile_departure: appended(&base.profile_departure, profiles().map(|times| times.1)),
        sequences: appended(&base.sequences, sequences().map(|call| call.0)),
        timepoints: appended(&base.timepoints, sequences().map(|call| call.1)),
        call_offset: appended(&base.call_offset, calls.call_offset),
        start: appended(&base.start, calls.start),
        profile_offset: appended(&base.profile_offset, calls.profile_offset),
        sequence_offset: appended(&base.sequence_offset, calls.sequence_offset),
        headsign_offset: appended(&base.headsign_offset, headsigns.offsets),
        headsigns: appended(&base.headsigns, headsigns.headsigns.entries),
        frequency_offsets: appended_offsets(&base.frequency_offsets, frequencies.iter().map(|f| f.len())),
        frequencies: appended(&base.frequencies, frequencies.into_iter().flatten().copied()),
        ..Trips::default()
    }
}
