//! Calls as columns.

use trestle_engine::index::stop_times::{CallTime, PatternCalls};
use trestle_model::ids::{StopIdx, TripIdx};

use super::index::{CallTexts, Rows, StopTimes};

/// Columns of the calls of several stops or trips.
pub(crate) fn columns(asked: &[Vec<PatternCalls>]) -> StopTimes {
    let groups: Vec<&PatternCalls> = asked.iter().flatten().collect();
    let calls: Vec<&CallTime> = groups.iter().flat_map(|group| &group.calls).collect();
    let numbers = |read: fn(&CallTime) -> u32| calls.iter().map(|call| read(call)).collect::<Vec<u32>>();
    let seconds = |read: fn(&CallTime) -> i32| calls.iter().map(|call| read(call)).collect::<Vec<i32>>();
    let flags = |read: fn(&CallTime) -> u8| calls.iter().map(|call| read(call)).collect::<Vec<u8>>();
    StopTimes {
        group_offsets: offsets(asked.iter().map(Vec::len)).into(),
        patterns: groups.iter().map(|group| group.pattern.0).collect::<Vec<u32>>().into(),
        call_offsets: offsets(groups.iter().map(|group| group.calls.len())).into(),
        trips: numbers(|call| call.trip.0).into(),
        stops: numbers(|call| call.stop.0).into(),
        positions: numbers(|call| call.position).into(),
        counts: numbers(|call| call.calls).into(),
        sequences: numbers(|call| call.sequence).into(),
        scheduled_arrivals: seconds(|call| call.scheduled_arrival).into(),
        scheduled_departures: seconds(|call| call.scheduled_departure).into(),
        realtime_arrivals: seconds(|call| call.realtime_arrival).into(),
        realtime_departures: seconds(|call| call.realtime_departure).into(),
        timepoints: flags(|call| u8::from(call.timepoint)).into(),
        states: flags(|call| call.state as u8).into(),
        service_days: calls.iter().map(|call| call.service_day as f64).collect::<Vec<f64>>().into(),
    }
}

fn offsets(lengths: impl Iterator<Item = usize>) -> Vec<u32> {
    let ends = lengths.scan(0, |end, length| {
        *end += length as u32;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// Texts of calls, given by trip, stop and position. A trip with any stop_headsign shows exactly that column.
pub(crate) fn texts(rows: &Rows<'_>, trips: &[u32], stops: &[u32], positions: &[u32]) -> CallTexts {
    let timetable = rows.timetable;
    let text = |column: &[u32], trip: u32| {
        column.get(trip as usize).map_or_else(String::new, |&text| timetable.texts.get(text).to_owned())
    };
    let headsign = |(&trip, &position): (&u32, &u32)| match timetable.trip_calls(TripIdx(trip)).headsigns {
        Some(own) => {
            own.get(position as usize).map_or_else(String::new, |&t| timetable.texts.get(t).to_owned())
        }
        None => text(&timetable.trips.headsign, trip),
    };
    let known_trips = trips.iter().filter(|trip| (**trip as usize) < timetable.trips.count());
    let known_stops = stops.iter().filter(|stop| (**stop as usize) < timetable.stops.id.len());
    CallTexts {
        stop_ids: known_stops.map(|&stop| timetable.stop_id(StopIdx(stop))).collect(),
        trip_ids: known_trips.map(|&trip| timetable.trip_id(TripIdx(trip))).collect(),
        block_ids: trips.iter().map(|&trip| text(&timetable.trips.block, trip)).collect(),
        headsigns: trips.iter().zip(positions).map(headsign).collect(),
    }
}
