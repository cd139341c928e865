//! Random towns, updates and questions.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use trestle_model::Direction;

use super::calendar::CALENDARS;
use super::compare::Question;
use super::linked::{Link, days_between};
use super::model::{Call, CallUpdate, Model, Moment, Row, Trip, Update, clock, seconds_of};

const STOPS: usize = 6;
const ROUTES: usize = 3;
const DAY: i32 = 86_400;
const EIGHT: i32 = 8 * 3600;

/// Numbers that updates are made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) trips: usize,
    pub(crate) stops: usize,
    pub(crate) routes: usize,
    /// Calls of most trips.
    pub(crate) calls: u32,
}

impl Size {
    /// Size of most random towns.
    pub(crate) const TOWN: Size = Size { trips: 8, stops: STOPS, routes: ROUTES, calls: 4 };
}

/// A line: its stops, minutes from stop to stop and at each, starts of its trips in minutes after eight.
fn line() -> impl Strategy<Value = Vec<Trip>> {
    let stops = some_stops(STOPS);
    let trip = (0..90i32, vec(any::<bool>(), 3), 0..3u8, 0..3u8, option::weighted(0.3, row()));
    // At some stops nobody may board or alight, or both.
    let rule = || prop_oneof![5 => Just(0u8), 1 => Just(1)];
    let hop = (1..15i32, 0..3i32, prop_oneof![4 => (rule(), rule()), 1 => Just((1, 1))]);
    (stops, vec(hop, 5), vec(trip, 1..4)).prop_map(|(stops, hops, trips)| {
        let one = |(start, days, wheelchair, bikes, row): (i32, Vec<bool>, u8, u8, Option<Row>)| {
            let mut time = EIGHT + start * 60;
            let mut call = |(at, stop): (usize, &usize)| {
                let arrival = time + if at == 0 { 0 } else { hops[at].0 * 60 };
                time = arrival + hops[at].1 * 30;
                let (pickup, dropoff) = hops[at].2;
                Call {
                    stop: *stop,
                    home: *stop,
                    arrival,
                    departure: time,
                    pickup,
                    dropoff,
                    skipped: false,
                    is_cut: false,
                }
            };
            let calls = stops.iter().enumerate().map(&mut call).collect();
            let days = [days[0], days[1] || !(days[0] || days[2]), days[2]];
            let id = String::new();
            Trip { id, route: 0, days, calls, rows: row.into_iter().collect(), wheelchair, bikes }
        };
        trips.into_iter().map(one).collect()
    })
}

fn row() -> impl Strategy<Value = Row> {
    (0..6i32, 1..7i32, 1..5i32, any::<bool>()).prop_map(|(start, length, headway, exact)| {
        let (start, headway) = (EIGHT + start * 600, headway * 300);
        Row { start, end: start + length * 600, headway, exact }
    })
}

/// Stops of which no two in a row are the same.
fn some_stops(stops: usize) -> impl Strategy<Value = Vec<usize>> {
    vec((0..stops, 1..stops), 2..=5).prop_map(move |numbers| {
        let mut last = numbers[0].0;
        let next = |(_, further): &(usize, usize)| {
            last = (last + further) % stops;
            last
        };
        numbers.iter().map(next).collect()
    })
}

/// Trips `T0`, `T1`, … of up to six lines by day or by night; vehicles of some continue as another trip.
pub(crate) fn town() -> impl Strategy<Value = Model> {
    let change = (0..2 * STOPS, 0..2 * STOPS, 0..900i32);
    let later = select(vec![0, 0, DAY - EIGHT - 1800, 2 * DAY - EIGHT - 1800]);
    (vec(line(), 1..6), vec(change, 0..4), select(CALENDARS.to_vec()), later, any::<usize>()).prop_map(
        |(lines, changes, calendar, later, seed)| {
            // Each stop has another platform beside it, and every other one is a station.
            let stop = |stop: usize| {
                let (place, platform) = (stop % STOPS, stop / STOPS);
                (format!("S{stop}"), 41.0 + place as f64 * 0.02 + platform as f64 * 0.0003, -8.6)
            };
            let stops: Vec<_> = (0..2 * STOPS).map(stop).collect();
            let station = |stop: usize| {
                if stop.is_multiple_of(2) { format!("G{}", stop % STOPS) } else { String::new() }
            };
            let stations = (0..stops.len()).map(station).collect();
            let mut trips: Vec<Trip> = Vec::new();
            for (number, line) in lines.into_iter().enumerate() {
                trips.extend(line.into_iter().map(|trip| Trip { route: number % ROUTES, ..trip }));
            }
            for (number, trip) in trips.iter_mut().enumerate() {
                trip.id = format!("T{number}");
                // Some trips after midnight belong to the next day.
                let is_late = trip.rows.is_empty() && trip.calls[0].arrival + later >= DAY;
                let is_next_day = is_late && (number + seed).is_multiple_of(3);
                move_trip(trip, if is_next_day { later - DAY } else { later });
            }
            let links = links(&trips, seed);
            let routes = (0..ROUTES).map(|route| format!("R{route}")).collect();
            Model { stops, stations, routes, trips, changes, calendar, links, later }
        },
    )
}

fn move_trip(trip: &mut Trip, by: i32) {
    for call in &mut trip.calls {
        (call.arrival, call.departure) = (call.arrival + by, call.departure + by);
    }
    for row in &mut trip.rows {
        (row.start, row.end) = (row.start + by, row.end + by);
    }
}

/// Some of the pairs of trips that one vehicle, or parts of a train, may serve.
fn links(trips: &[Trip], seed: usize) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for from in 0..trips.len() {
        for to in (0..trips.len()).filter(|to| *to != from && !(seed / 3 + 7 * from + to).is_multiple_of(3)) {
            let links_of = links.iter().filter(|link| link.from == from || link.to == to).count();
            if let Some(days) = days_between(&trips[from], &trips[to]).filter(|_| links_of <= seed % 2) {
                links.push(Link { from, to, days });
            }
        }
    }
    links
}

fn moment() -> impl Strategy<Value = Moment> {
    let delay = option::weighted(0.8, prop_oneof![12 => -900..3600i32, 1 => any::<i32>()]);
    let time = option::weighted(
        0.3,
        prop_oneof![12 => i64::from(EIGHT)..i64::from(EIGHT) + 7200, 1 => -1_000_000_000_000..1_000_000_000_000i64],
    );
    (delay, time).prop_map(|(delay, time)| Moment { delay, time })
}

fn call(size: Size) -> impl Strategy<Value = CallUpdate> {
    let place = prop_oneof![
        8 => (1..=size.calls).prop_map(|sequence| (Some(sequence), None)),
        4 => (0..size.stops).prop_map(|stop| (None, Some(format!("S{stop}")))),
        1 => Just((None, None)),
        1 => any::<u32>().prop_map(|sequence| (Some(sequence), None)),
    ];
    let relationship =
        prop_oneof![8 => Just(None), 4 => Just(Some(1)), 2 => Just(Some(2)), 1 => (0..6).prop_map(Some)];
    let times = (option::weighted(0.6, moment()), option::weighted(0.6, moment()));
    (place, times, relationship, assigned(size)).prop_map(
        |((sequence, stop), (arrival, departure), relationship, assigned)| CallUpdate {
            sequence,
            stop,
            assigned,
            arrival,
            departure,
            relationship,
        },
    )
}

/// Minutes from stop to stop, seconds at a stop, relationship and assigned stop.
type OwnHop = (i64, i64, Option<i32>, Option<usize>);

/// Any stop; for most updates about calls of a trip, [`fit_call`] takes one beside the scheduled one.
fn assigned(size: Size) -> impl Strategy<Value = Option<String>> {
    option::weighted(0.3, (0..size.stops + 1).prop_map(|stop| format!("S{stop}")))
}

/// Calls of an added or replaced trip, in order; the times of some overlap.
fn own_calls(size: Size) -> impl Strategy<Value = Vec<CallUpdate>> {
    let stops = prop_oneof![8 => some_stops(size.stops), 1 => (0..size.stops).prop_map(|stop| vec![stop])];
    let stay = prop_oneof![12 => Just(30), 1 => -200..0i64];
    let hop = (1..15i64, stay, option::weighted(0.1, Just(1)), option::weighted(0.05, 0..2 * size.stops));
    (0..90i64, stops, vec(hop, 5)).prop_map(|(start, stops, hops)| {
        let mut time = i64::from(EIGHT) + start * 60;
        let mut call = |(stop, (hop, stay, relationship, assigned)): (&usize, &OwnHop)| {
            time += hop * 60;
            let at = |time| Some(Moment { delay: None, time: Some(time) });
            CallUpdate {
                sequence: None,
                stop: Some(format!("S{stop}")),
                assigned: assigned.map(|stop| format!("S{stop}")),
                arrival: at(time),
                departure: at(time + stay),
                relationship: *relationship,
            }
        };
        stops.iter().zip(&hops).map(&mut call).collect()
    })
}

pub(crate) fn update(size: Size) -> impl Strategy<Value = Update> {
    let trip = prop_oneof![12 => (0..size.trips).prop_map(|trip| format!("T{trip}")), 2 => select(vec!["new", "other"]).prop_map(str::to_owned)];
    let start = option::weighted(
        0.5,
        prop_oneof![
            8 => (0..20i32).prop_map(|steps| clock(EIGHT + steps * 300)),
            2 => (0..7200i32).prop_map(|seconds| clock(EIGHT + seconds)),
        ],
    );
    let relationship = prop_oneof![8 => Just(None), 3 => Just(Some(3)), 6 => (-1..10).prop_map(Some)];
    let mut sorted = vec(call(size), 0..4).boxed();
    sorted = sorted
        .prop_map(|mut calls: Vec<CallUpdate>| {
            calls.sort_by_key(|call| call.sequence);
            // Two in a row may be about calls that the build has merged, which the model does not have.
            calls.dedup_by(|a, b| a.sequence.is_none() && a.stop.is_some() && a.stop == b.stop);
            // Nor does it have calls that are named only by their assigned stop.
            for call in calls.iter_mut().filter(|call| call.sequence.is_none()) {
                call.assigned = call.assigned.take().filter(|stop| call.stop.as_ref() != Some(stop));
            }
            calls
        })
        .boxed();
    let delay = option::of(prop_oneof![8 => -900..3600i32, 1 => any::<i32>()]);
    (
        trip,
        prop_oneof![9 => 0..3usize, 1 => Just(24)],
        start,
        relationship,
        delay,
        sorted,
        own_calls(size),
        0..size.routes + 1,
    )
        .prop_map(|(trip, day, start_time, relationship, delay, calls, own, route)| {
            let calls = if [Some(1), Some(5), Some(8)].contains(&relationship) { own } else { calls };
            Update { trip, day, start_time, route: format!("R{route}"), relationship, delay, calls }
        })
}

/// The update at the hours of the town and, with a `pick`, as a feed may really send it.
pub(crate) fn about(mut update: Update, pick: Option<usize>, town: &Model) -> Update {
    for call in &mut update.calls {
        for moment in [&mut call.arrival, &mut call.departure].into_iter().flatten() {
            moment.time = moment.time.map(|time| time.saturating_add(i64::from(town.later)));
        }
    }
    let mut update = match pick {
        Some(pick) => fitted(update, pick, town),
        None => update,
    };
    leave_skipped_stops(&mut update, town);
    update
}

/// Assigns no stop beside one that the vehicle skips. In the tables such a call is one where nobody may board or alight, and
/// walks to a vehicle lead to the nearest stop at which it calls.
fn leave_skipped_stops(update: &mut Update, town: &Model) {
    let trip = town.trips.iter().find(|trip| trip.id == update.trip);
    let skipped = update.calls.iter().filter(|call| call.relationship == Some(1));
    let stops: Vec<usize> = skipped
        .filter_map(|call| match (&call.stop, call.sequence, trip) {
            (Some(id), ..) => town.stop(id),
            (None, Some(sequence), Some(trip)) => {
                Some(trip.calls.get((sequence as usize).wrapping_sub(1))?.stop)
            }
            _ => None,
        })
        .collect();
    for call in &mut update.calls {
        let assigned = call.assigned.as_ref().and_then(|id| town.stop(id));
        if assigned.is_some_and(|assigned| stops.iter().any(|stop| town.are_together(*stop, assigned))) {
            call.assigned = None;
        }
    }
}

/// Changes the update into one that a feed may really send: about a trip that runs on the day, one of its runs, and
/// calls that it has.
fn fitted(update: Update, pick: usize, town: &Model) -> Update {
    let mut update = update;
    if [Some(1), Some(8)].contains(&update.relationship) {
        update.trip = format!("new{}", pick % 3);
        return update;
    }
    let trip = &town.trips[pick % town.trips.len()];
    let running: Vec<usize> = (0..3).filter(|day| trip.days[*day]).collect();
    (update.trip, update.day) = (trip.id.clone(), running[pick / 7 % running.len()]);
    let runs = |row: &Row| (row.start..row.end).step_by(row.headway as usize).collect::<Vec<_>>();
    let runs: Vec<i32> = trip.rows.iter().flat_map(runs).collect();
    update.start_time = match update.relationship {
        Some(6) => Some(clock(update.start_time.as_deref().map_or(EIGHT, seconds_of) + town.later)),
        _ => (!runs.is_empty()).then(|| clock(runs[pick / 11 % runs.len()])),
    };
    if update.relationship != Some(5) {
        update.calls.truncate(trip.calls.len());
        for (at, call) in update.calls.iter_mut().enumerate() {
            fit_call(call, at, trip, pick / 13);
            assign_beside(call, at, trip, town, pick / 17 + at);
        }
    }
    update
}

/// Most calls are named by their sequence; some by their stop, even with the sequence of another call.
fn fit_call(call: &mut CallUpdate, at: usize, trip: &Trip, pick: usize) {
    let scheduled = &trip.calls[at];
    let (sequence, stop) = (at as u32 + 1, format!("S{}", scheduled.stop));
    (call.sequence, call.stop) = match (pick + at) % 6 {
        0 => (None, Some(stop)),
        1 => (Some(sequence), Some(stop)),
        2 => (Some(sequence + 1), Some(stop)),
        _ => (Some(sequence), None),
    };
    for (moment, time) in [(&mut call.arrival, scheduled.arrival), (&mut call.departure, scheduled.departure)]
    {
        let Some(moment) = moment.as_mut().filter(|moment| moment.delay.is_some() || moment.time.is_some())
        else {
            continue;
        };
        let delay = moment.delay.map_or(60, |delay| delay.rem_euclid(900));
        moment.time = moment.time.filter(|_| trip.rows.is_empty()).map(|_| i64::from(time + delay));
        moment.delay = Some(delay);
    }
}

/// Where a stop is assigned, mostly takes one beside the scheduled one. Neighbouring calls are not moved to one stop, which the
/// build of a feed would make one call.
fn assign_beside(call: &mut CallUpdate, at: usize, trip: &Trip, town: &Model, pick: usize) {
    if call.assigned.is_none() || pick.is_multiple_of(11) {
        return;
    }
    let around = trip.calls[at.saturating_sub(1)..].iter().take(3);
    let around: Vec<usize> =
        around.map(|call| call.stop).filter(|stop| *stop != trip.calls[at].stop).collect();
    let is_near_neighbour = |stop: usize| around.iter().any(|other| town.are_together(*other, stop));
    let is_beside = |stop: &usize| town.are_together(trip.calls[at].stop, *stop) && !is_near_neighbour(*stop);
    let beside: Vec<usize> = (0..town.stops.len()).filter(is_beside).collect();
    call.assigned = beside.get(pick % beside.len().max(1)).map(|stop| format!("S{stop}"));
    // Some feeds give the assigned stop as the stop too.
    if call.sequence == Some(at as u32 + 1) && pick.is_multiple_of(5) {
        call.stop.clone_from(&call.assigned);
    }
}

/// The question with a number; the same number gives the same question. Most are about stops of one trip.
pub(crate) fn question(number: u32, town: &Model) -> Question {
    let mut state = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % below
    };
    let trip = &town.trips[next(town.trips.len() as u64) as usize];
    let board = next(trip.calls.len() as u64 - 1) as usize;
    let alight = board + 1 + next((trip.calls.len() - board - 1) as u64) as usize;
    let (from, to) = (trip.calls[board].stop, trip.calls[alight].stop);
    let day = (0..3).find(|day| trip.days[*day]).unwrap_or(0);
    let arrive_by = next(2) == 0;
    let from_row = trip.rows.first().map_or(0, |row| row.start - trip.calls[0].departure);
    let moment = if arrive_by {
        trip.calls[alight].arrival + next(2400) as i32
    } else {
        trip.calls[board].departure - next(2400) as i32
    };
    let banned = (next(3) == 0).then(|| town.trips[next(town.trips.len() as u64) as usize].id.clone());
    let near = |stop: usize| {
        let others =
            (0..town.stops.len()).filter(move |other| *other != stop && town.are_together(stop, *other));
        [stop].into_iter().chain(others).collect()
    };
    Question {
        from: near(from),
        to: near(to),
        time: town.calendar.start(day) + i64::from(moment + from_row),
        direction: Direction::of_request(arrive_by),
        wheelchair: next(4) == 0,
        bike: next(4) == 0,
        banned,
    }
}
