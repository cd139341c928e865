//! Calls as columns.

use std::hash::Hash;

use napi::bindgen_prelude::{
    Float64ArraySlice, Int32ArraySlice, Uint8ArraySlice, Uint32Array, Uint32ArraySlice,
};
use napi_derive::napi;
use rustc_hash::FxHashMap;
use trestle_engine::index::CallTime;
use trestle_engine::index::stop_times::PatternCalls;
use trestle_model::ids::{StopIdx, TripIdx};
use trestle_model::lists::offsets_of_lengths;
use trestle_transit::timetable::{FlexCall, Timetable};

use super::packed::packed;
use super::rows::Rows;

/// continuous_pickup and continuous_drop_off where a feed does not give them: not at all.
const NOT_CONTINUOUS: u8 = 1;

packed! {
    /// Calls as columns. The patterns of the i-th stop (or trip) of the query are `groupOffsets[i]` to `groupOffsets[i +
    /// 1]`; the calls of group g are `callOffsets[g]` to `callOffsets[g + 1]`. Times are seconds after the start of the
    /// service day, or -1 where live data has removed them.
    pub struct StopTimes from (timetable: &Timetable, stops_or_trips: &[Vec<PatternCalls>]) {
        pub group_offsets: Uint32ArraySlice = offsets_of_lengths(stops_or_trips.iter().map(Vec::len)),
        /// `index` of each group's pattern.
        pub patterns: Uint32ArraySlice = stops_or_trips.iter().flatten().map(|group| group.pattern.0),
        pub call_offsets: Uint32ArraySlice =
            offsets_of_lengths(stops_or_trips.iter().flatten().map(|group| group.calls.len())),
        /// `index` of each call's trip.
        pub trips: Uint32ArraySlice = calls_of(stops_or_trips).map(|call| call.trip.0),
        /// `index` of each call's stop.
        pub stops: Uint32ArraySlice = calls_of(stops_or_trips).map(|call| call.stop.0),
        /// Position of each call in its pattern.
        pub positions: Uint32ArraySlice = calls_of(stops_or_trips).map(|call| call.position),
        /// Calls of each call's pattern.
        pub counts: Uint32ArraySlice = calls_of(stops_or_trips).map(|call| call.calls),
        /// stop_sequence.
        pub sequences: Uint32ArraySlice = calls_of(stops_or_trips).map(|call| call.sequence),
        pub scheduled_arrivals: Int32ArraySlice = calls_of(stops_or_trips).map(|call| call.scheduled_arrival),
        pub scheduled_departures: Int32ArraySlice = calls_of(stops_or_trips).map(|call| call.scheduled_departure),
        pub realtime_arrivals: Int32ArraySlice = calls_of(stops_or_trips).map(|call| call.realtime_arrival),
        pub realtime_departures: Int32ArraySlice = calls_of(stops_or_trips).map(|call| call.realtime_departure),
        /// 1 where the feed says that the time is exact.
        pub timepoints: Uint8ArraySlice = calls_of(stops_or_trips).map(|call| u8::from(call.timepoint)),
        /// 0 SCHEDULED, 1 UPDATED, 2 CANCELED, 3 ADDED, 4 MODIFIED.
        pub states: Uint8ArraySlice = calls_of(stops_or_trips).map(|call| call.state as u8),
        /// continuous_pickup: 0 anywhere until the next call, 1 not at all, 2 by phone, 3 with the driver.
        pub continuous_pickups: Uint8ArraySlice = calls_of(stops_or_trips)
            .map(|call| flex_of(timetable, call).map_or(NOT_CONTINUOUS, |flex| flex.continuous_pickup as u8)),
        /// continuous_drop_off, as above.
        pub continuous_drop_offs: Uint8ArraySlice = calls_of(stops_or_trips)
            .map(|call| flex_of(timetable, call).map_or(NOT_CONTINUOUS, |flex| flex.continuous_drop_off as u8)),
        /// Radius around the call that is served on demand, metres; 0 without.
        pub service_area_radii: Float64ArraySlice =
            calls_of(stops_or_trips).map(|call| flex_of(timetable, call).map_or(0.0, |flex| flex.radius)),
        /// `index` of the flex area that is served on demand, -1 without.
        pub service_areas: Int32ArraySlice =
            calls_of(stops_or_trips).map(|call| flex_of(timetable, call).map_or(-1, |flex| flex.area as i32)),
        /// Start of the service day, epoch seconds; 0 for the plain timetable of a trip.
        pub service_days: Float64ArraySlice = calls_of(stops_or_trips).map(|call| call.service_day as f64),
    }
}

/// Texts of calls. The columns hold positions in `texts`, which has each text once; the first is empty and means "no
/// text".
#[napi(object, object_from_js = false)]
pub struct CallTexts {
    pub texts: Vec<String>,
    /// `feed:stop`.
    pub stop_ids: Uint32Array,
    /// `feed:trip`.
    pub trip_ids: Uint32Array,
    pub block_ids: Uint32Array,
    pub headsigns: Uint32Array,
}

/// The calls of all groups.
fn calls_of(stops_or_trips: &[Vec<PatternCalls>]) -> impl Iterator<Item = &CallTime> {
    stops_or_trips.iter().flatten().flat_map(|group| &group.calls)
}

/// Flexible service at a call.
fn flex_of<'a>(timetable: &'a Timetable, call: &CallTime) -> Option<&'a FlexCall> {
    if timetable.flex.calls.is_empty() || call.trip.index() >= timetable.trips.count() {
        return None;
    }
    let first = *timetable.trips.call_offset.get(call.trip.index())?;
    timetable.flex.call((first + call.position) as usize)
}

/// Texts of calls, given by trip, stop and position.
pub(crate) fn texts(rows: &Rows<'_>, trips: &[u32], stops: &[u32], positions: &[u32]) -> CallTexts {
    let timetable = rows.timetable;
    let is_stop = |stop: u32| (stop as usize) < timetable.stops.id.len();
    let stop_id = |stop: u32| if is_stop(stop) { timetable.stop_id(StopIdx(stop)) } else { String::new() };
    let text = |text: u32| timetable.texts.get(text).to_owned();
    let headsign = |source: HeadsignSource| match source {
        HeadsignSource::Timetable(own) => text(own),
        HeadsignSource::AddedTrip(trip) => {
            rows.added_trip(trip).and_then(|added| added.headsign.clone()).unwrap_or_default()
        }
        HeadsignSource::LiveCall(trip, position) => {
            let live = rows.added_trip(trip).and_then(|added| added.headsign_at(position));
            live.unwrap_or_default().to_owned()
        }
    };
    let blocks = trips.iter().map(|&trip| block_of(rows, trip));
    let headsigns = trips.iter().zip(positions).map(|(&trip, &position)| headsign_of(rows, trip, position));
    let mut texts = vec![String::new()];
    CallTexts {
        stop_ids: text_column(&mut texts, stops.iter().copied(), stop_id),
        trip_ids: text_column(&mut texts, trips.iter().copied(), |trip| trip_id(rows, trip)),
        block_ids: text_column(&mut texts, blocks, text),
        headsigns: text_column(&mut texts, headsigns, headsign),
        texts,
    }
}

fn trip_id(rows: &Rows<'_>, trip: u32) -> String {
    match rows.added_trip(trip) {
        Some(added) => added.outer_id(rows.timetable),
        None if (trip as usize) < rows.timetable.trips.count() => rows.timetable.trip_id(TripIdx(trip)),
        None => String::new(),
    }
}

/// The block of a trip, as a text of the timetable. An added trip stays in the block of the trip that it replaces.
fn block_of(rows: &Rows<'_>, trip: u32) -> u32 {
    let scheduled = rows.added_trip(trip).map_or(Some(TripIdx(trip)), |added| added.replaces);
    let blocks = &rows.timetable.trips.block;
    scheduled.and_then(|trip| blocks.get(trip.index()).copied()).unwrap_or(0)
}

/// Where the headsign of a call comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum HeadsignSource {
    /// A text of the timetable.
    Timetable(u32),
    /// Live data about an added trip.
    AddedTrip(u32),
    /// Live data about a call of an added trip, at this position.
    LiveCall(u32, u32),
}

/// The headsign of a call. A trip with a stop_headsign at any of its calls shows only these, even where one is empty.
fn headsign_of(rows: &Rows<'_>, trip: u32, position: u32) -> HeadsignSource {
    let timetable = rows.timetable;
    let added = rows.added_trip(trip);
    if added.is_some_and(|added| added.headsign_at(position).is_some()) {
        return HeadsignSource::LiveCall(trip, position);
    }
    let scheduled = added.map_or(Some(TripIdx(trip)), |added| added.scheduled_with_same_calls(timetable));
    let at_calls = scheduled.and_then(|trip| timetable.trip_calls(trip).headsigns);
    let text = match (at_calls, added) {
        (Some(at_calls), _) => at_calls.get(position as usize),
        (None, Some(_)) => return HeadsignSource::AddedTrip(trip),
        (None, None) => timetable.trips.headsign.get(trip as usize),
    };
    HeadsignSource::Timetable(text.copied().unwrap_or(0))
}

/// Positions in `texts` of the text of each key; each key's text is added once, the empty one is at 0.
fn text_column<K: Copy + Eq + Hash>(
    texts: &mut Vec<String>,
    keys: impl Iterator<Item = K>,
    read: impl Fn(K) -> String,
) -> Uint32Array {
    let mut known = FxHashMap::default();
    let mut position = |key: K| {
        *known.entry(key).or_insert_with(|| {
            let text = read(key);
            if text.is_empty() {
                return 0;
            }
            texts.push(text);
            texts.len() as u32 - 1
        })
    };
    Uint32Array::new(keys.map(&mut position).collect())
}
