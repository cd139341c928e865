//! Calls as columns.

use std::hash::Hash;

use napi::bindgen_prelude::{
    Env, Float64ArraySlice, Int32ArraySlice, Uint8ArraySlice, Uint32Array, Uint32ArraySlice,
};
use napi_derive::napi;
use rustc_hash::FxHashMap;
use trestle_engine::index::CallTime;
use trestle_engine::index::stop_times::PatternCalls;
use trestle_model::ids::{StopIdx, TripIdx};
use trestle_model::lists::offsets_of_lengths;
use trestle_transit::timetable::{FlexCall, Timetable};

use super::packed::Packing;
use super::rows::Rows;

/// Calls as columns. The patterns of the i-th stop (or trip) of the query are `groupOffsets[i]` to `groupOffsets[i +
/// 1]`; the calls of group g are `callOffsets[g]` to `callOffsets[g + 1]`. Times are seconds after the start of the
/// service day, or -1 where live data has removed them.
#[napi(object, object_from_js = false)]
pub struct StopTimes<'env> {
    pub group_offsets: Uint32ArraySlice<'env>,
    /// `index` of each group's pattern.
    pub patterns: Uint32ArraySlice<'env>,
    pub call_offsets: Uint32ArraySlice<'env>,
    /// `index` of each call's trip.
    pub trips: Uint32ArraySlice<'env>,
    /// `index` of each call's stop.
    pub stops: Uint32ArraySlice<'env>,
    /// Position of each call in its pattern.
    pub positions: Uint32ArraySlice<'env>,
    /// Calls of each call's pattern.
    pub counts: Uint32ArraySlice<'env>,
    /// stop_sequence.
    pub sequences: Uint32ArraySlice<'env>,
    pub scheduled_arrivals: Int32ArraySlice<'env>,
    pub scheduled_departures: Int32ArraySlice<'env>,
    pub realtime_arrivals: Int32ArraySlice<'env>,
    pub realtime_departures: Int32ArraySlice<'env>,
    /// 1 where the feed says that the time is exact.
    pub timepoints: Uint8ArraySlice<'env>,
    /// 0 SCHEDULED, 1 UPDATED, 2 CANCELED, 3 ADDED, 4 MODIFIED.
    pub states: Uint8ArraySlice<'env>,
    /// continuous_pickup: 0 anywhere until the next call, 1 not at all, 2 by phone, 3 with the driver.
    pub continuous_pickups: Uint8ArraySlice<'env>,
    /// continuous_drop_off, as above.
    pub continuous_drop_offs: Uint8ArraySlice<'env>,
    /// Radius around the call that is served on demand, metres; 0 without.
    pub service_area_radii: Float64ArraySlice<'env>,
    /// `index` of the flex area that is served on demand, -1 without.
    pub service_areas: Int32ArraySlice<'env>,
    /// Start of the service day, epoch seconds; 0 for the plain timetable of a trip.
    pub service_days: Float64ArraySlice<'env>,
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

/// Columns of the calls of several stops or trips.
pub(crate) fn columns<'env>(
    env: &'env Env,
    timetable: &Timetable,
    calls: &[Vec<PatternCalls>],
) -> napi::Result<StopTimes<'env>> {
    let groups = || calls.iter().flatten();
    let each = || groups().flat_map(|group| &group.calls);
    let flex = |call: &CallTime| flex_of(timetable, call);
    let mut packing = Packing::default();
    let service_days = packing.f64s(each().map(|call| call.service_day as f64));
    let radii = packing.f64s(each().map(|call| flex(call).map_or(0.0, |flex| flex.radius)));
    let group_offsets = packing.u32s(offsets_of_lengths(calls.iter().map(Vec::len)));
    let patterns = packing.u32s(groups().map(|group| group.pattern.0));
    let call_offsets = packing.u32s(offsets_of_lengths(groups().map(|group| group.calls.len())));
    let trips = packing.u32s(each().map(|call| call.trip.0));
    let stops = packing.u32s(each().map(|call| call.stop.0));
    let positions = packing.u32s(each().map(|call| call.position));
    let counts = packing.u32s(each().map(|call| call.calls));
    let sequences = packing.u32s(each().map(|call| call.sequence));
    let scheduled_arrivals = packing.i32s(each().map(|call| call.scheduled_arrival));
    let scheduled_departures = packing.i32s(each().map(|call| call.scheduled_departure));
    let realtime_arrivals = packing.i32s(each().map(|call| call.realtime_arrival));
    let realtime_departures = packing.i32s(each().map(|call| call.realtime_departure));
    let areas = packing.i32s(each().map(|call| flex(call).map_or(-1, |flex| flex.area as i32)));
    let timepoints = packing.u8s(each().map(|call| u8::from(call.timepoint)));
    let states = packing.u8s(each().map(|call| call.state as u8));
    let pickups = packing.u8s(each().map(|call| continuous(flex(call).map(|flex| flex.continuous_pickup))));
    let drop_offs =
        packing.u8s(each().map(|call| continuous(flex(call).map(|flex| flex.continuous_drop_off))));
    let packed = packing.finish(env)?;
    Ok(StopTimes {
        group_offsets: packed.u32s(group_offsets)?,
        patterns: packed.u32s(patterns)?,
        call_offsets: packed.u32s(call_offsets)?,
        trips: packed.u32s(trips)?,
        stops: packed.u32s(stops)?,
        positions: packed.u32s(positions)?,
        counts: packed.u32s(counts)?,
        sequences: packed.u32s(sequences)?,
        scheduled_arrivals: packed.i32s(scheduled_arrivals)?,
        scheduled_departures: packed.i32s(scheduled_departures)?,
        realtime_arrivals: packed.i32s(realtime_arrivals)?,
        realtime_departures: packed.i32s(realtime_departures)?,
        timepoints: packed.u8s(timepoints)?,
        states: packed.u8s(states)?,
        continuous_pickups: packed.u8s(pickups)?,
        continuous_drop_offs: packed.u8s(drop_offs)?,
        service_area_radii: packed.f64s(radii)?,
        service_areas: packed.i32s(areas)?,
        service_days: packed.f64s(service_days)?,
    })
}

/// Flexible service at a call.
fn flex_of<'a>(timetable: &'a Timetable, call: &CallTime) -> Option<&'a FlexCall> {
    if timetable.flex.calls.is_empty() || call.trip.index() >= timetable.trips.count() {
        return None;
    }
    let first = *timetable.trips.call_offset.get(call.trip.index())?;
    timetable.flex.call((first + call.position) as usize)
}

/// continuous_pickup or continuous_drop_off: 1, not at all, where a feed does not give it.
fn continuous(given: Option<u32>) -> u8 {
    given.unwrap_or(1) as u8
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
}

/// The headsign of a call. A trip with a stop_headsign at any of its calls shows only these, even where one is empty.
fn headsign_of(rows: &Rows<'_>, trip: u32, position: u32) -> HeadsignSource {
    let timetable = rows.timetable;
    let added = rows.added_trip(trip);
    let scheduled = added.map_or(Some(TripIdx(trip)), |added| added.replaces_same_stops(timetable));
    let Some(scheduled) = scheduled else { return HeadsignSource::AddedTrip(trip) };
    let text = match timetable.trip_calls(scheduled).headsigns {
        Some(at_calls) => at_calls.get(position as usize),
        None => timetable.trips.headsign.get(scheduled.index()),
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
