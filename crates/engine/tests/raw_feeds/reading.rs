//! A slow second reading of feeds: the runs of every day, as GTFS and the interface define them.

use std::collections::BTreeMap;

use super::feed::{Call, Feed, Trip};

const DAY: i32 = 86_400;

/// A call of a run; times are epoch seconds.
#[derive(Clone, Debug)]
pub(crate) struct RunCall {
    pub(crate) stop: usize,
    pub(crate) comes: i64,
    pub(crate) goes: i64,
    pub(crate) boards: bool,
    pub(crate) alights: bool,
}

/// Vehicles at a headway without fixed times.
#[derive(Clone, Debug)]
pub(crate) struct Headway {
    pub(crate) seconds: i64,
    /// First and last second at which one may leave the first stop.
    pub(crate) first: i64,
    pub(crate) last: i64,
}

/// A trip on one day.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// Feed and trip, as positions.
    pub(crate) feed: usize,
    pub(crate) trip: usize,
    pub(crate) day: i32,
    pub(crate) day_start: i64,
    pub(crate) calls: Vec<RunCall>,
    pub(crate) headway: Option<Headway>,
    /// Whether the trip has rows in frequencies.txt that can be used.
    pub(crate) is_repeated: bool,
    /// The runs that the vehicle continues as, and whether it was another one before.
    pub(crate) next: Vec<usize>,
    pub(crate) continues: bool,
}

/// All runs on some days; `start` tells when a day of a feed begins.
pub(crate) fn runs(
    feeds: &[Feed],
    days: impl Iterator<Item = i32> + Clone,
    start: impl Fn(usize, i32) -> i64,
) -> Vec<Run> {
    let mut runs = Vec::new();
    for (number, feed) in feeds.iter().enumerate() {
        let calls: Vec<Vec<Timed>> = feed.trips.iter().map(repaired).collect();
        let mut places: BTreeMap<(usize, i32), usize> = BTreeMap::new();
        for day in days.clone() {
            let day_start = start(number, day);
            for (trip, calls) in calls.iter().enumerate().filter(|(_, calls)| calls.len() >= 2) {
                if !runs_on(feed, feed.trips[trip].service, day) {
                    continue;
                }
                places.insert((trip, day), runs.len());
                let run = Run {
                    feed: number,
                    trip,
                    day,
                    day_start,
                    calls: Vec::new(),
                    headway: None,
                    is_repeated: false,
                    next: Vec::new(),
                    continues: false,
                };
                runs.extend(of_trip(&feed.trips[trip], calls, &run));
            }
        }
        let block = |trip: usize| feed.trips[trip].block;
        let are_of_block =
            |(from, to, _): &(usize, usize, i32)| block(*from).is_some() && block(*from) == block(*to);
        let (of_block, parts): (Vec<_>, Vec<_>) = linked(feed, &calls).into_iter().partition(are_of_block);
        for pair in of_block.into_iter().chain(parts).chain(following(feed, &calls)) {
            let (before, after, later) = pair;
            for day in days.clone() {
                let (before, after) = (places.get(&(before, day)), places.get(&(after, day + later)));
                if let (Some(&before), Some(&after)) = (before, after) {
                    join(&mut runs, before, after, are_of_block(&pair));
                }
            }
        }
    }
    runs
}

/// Joins two runs, unless the second one leaves before the first one comes, or their block has joined them with others.
fn join(runs: &mut [Run], before: usize, after: usize, is_of_block: bool) {
    let comes = runs[before].calls.last().map(|call| call.comes);
    let goes = runs[after].calls.first().map(|call| call.goes);
    let is_free = runs[before].next.is_empty() && !runs[after].continues;
    if comes <= goes && (!is_of_block || is_free) {
        runs[before].next.push(after);
        runs[after].continues = true;
    }
}

fn runs_on(feed: &Feed, service: usize, day: i32) -> bool {
    let service = &feed.services[service];
    // 1 January 1970 was a Thursday.
    let weekday = (day + 3).rem_euclid(7) as usize;
    let weekly =
        service.weekly.is_some_and(|(first, last, days)| first <= day && day <= last && days[weekday]);
    let exception = service.exceptions.iter().rev().find(|(exception, _)| *exception == day);
    exception.map_or(weekly, |(_, added)| *added)
}

/// A call with both times.
#[derive(Clone, Debug)]
struct Timed {
    stop: usize,
    arrival: i32,
    departure: i32,
    pickup: u8,
    drop_off: u8,
}

/// The calls that remain of the rows of a trip, all with times that never run backwards.
fn repaired(trip: &Trip) -> Vec<Timed> {
    let either = |call: &Call| Some((call.arrival.or(call.departure)?, call.departure.or(call.arrival)?));
    let mut calls: Vec<(Call, Option<(i32, i32)>)> = Vec::new();
    for call in &trip.calls {
        let times = either(call);
        match calls.last_mut().filter(|(last, _)| last.stop == call.stop) {
            None => calls.push((call.clone(), times)),
            Some((last, known)) => {
                *known = match (*known, times) {
                    (Some((arrival, _)), Some((_, departure))) => Some((arrival, departure)),
                    (known, times) => known.or(times),
                };
                last.pickup = least(last.pickup, call.pickup);
                last.drop_off = least(last.drop_off, call.drop_off);
            }
        }
    }
    while calls.last().is_some_and(|(_, times)| times.is_none()) {
        calls.pop();
    }
    let blank = calls.iter().take_while(|(_, times)| times.is_none()).count();
    calls.drain(..blank);
    put_in_order(&mut calls);
    let mut timed: Vec<Timed> = Vec::new();
    for at in 0..calls.len() {
        let times = calls[at].1.unwrap_or_else(|| {
            let known = |at: usize| Some((at, calls[at].1?));
            let (first, (_, from)) = (0..at).rev().find_map(known).expect("the first call has times");
            let (last, (to, _)) = (at..calls.len()).find_map(known).expect("the last call has times");
            let step = (to - from) / (last - first) as i32;
            let time = from + step * (at - first) as i32;
            (time, time)
        });
        let call = &calls[at].0;
        timed.push(Timed {
            stop: call.stop,
            arrival: times.0,
            departure: times.1,
            pickup: call.pickup,
            drop_off: call.drop_off,
        });
    }
    timed
}

/// Of two calls that are one, what either permits: 1 means "none"; of the other values, the smallest is the easiest for
/// riders.
fn least(a: u8, b: u8) -> u8 {
    [a, b].into_iter().filter(|kind| *kind != 1).min().unwrap_or(1)
}

/// Raises times that run backwards to the time before, or by a day where they begin again at midnight.
fn put_in_order(calls: &mut [(Call, Option<(i32, i32)>)]) {
    let (mut days, mut before) = (0, i32::MIN);
    let mut raise = |time: i32| {
        let mut time = time + days * DAY;
        if time < before {
            let is_midnight = before > 23 * 3600 && time < 3600 && time + DAY >= before;
            if is_midnight {
                days += 1;
                time += DAY;
            } else {
                time = before;
            }
        }
        before = time;
        time
    };
    for (arrival, departure) in calls.iter_mut().filter_map(|(_, times)| times.as_mut()) {
        *arrival = raise(*arrival);
        *departure = raise(*departure);
    }
}

/// Pairs of trips between which riders stay seated by transfers.txt, and the days between their service days. The second
/// one starts at the stop where the first one ends: not before that, or less than twelve hours later on the next day.
fn linked(feed: &Feed, calls: &[Vec<Timed>]) -> Vec<(usize, usize, i32)> {
    let trip = |id: &str| feed.trips.iter().position(|trip| trip.id == id);
    let mut pairs = Vec::new();
    for (from, to) in &feed.linked {
        let (Some(from), Some(to)) = (trip(from), trip(to)) else { continue };
        let is_repeated = [from, to].iter().any(|trip| usable(&feed.trips[*trip]).next().is_some());
        let (Some(end), Some(start)) = (calls[from].last(), calls[to].first()) else { continue };
        if is_repeated || end.stop != start.stop {
            continue;
        }
        let is_later = order(&calls[from], from) < order(&calls[to], to);
        if end.arrival <= start.departure && is_later {
            pairs.push((from, to, 0));
        } else if (0..DAY / 2).contains(&(start.departure + DAY - end.arrival)) {
            pairs.push((from, to, 1));
        }
    }
    pairs
}

/// Trips of a vehicle are in the order of departure, arrival and row.
fn order(calls: &[Timed], trip: usize) -> (i32, i32, usize) {
    (calls[0].departure, calls[calls.len() - 1].arrival, trip)
}

/// Pairs of trips between which riders stay seated by their block: neighbours in the order of departure among the trips
/// of a block and service, if the second starts at the stop where the first ends, and not before that.
fn following(feed: &Feed, calls: &[Vec<Timed>]) -> Vec<(usize, usize, i32)> {
    let mut blocks: BTreeMap<(u64, usize), Vec<usize>> = BTreeMap::new();
    for (number, trip) in feed.trips.iter().enumerate() {
        let is_usable = calls[number].len() >= 2 && usable(trip).next().is_none();
        if let Some(block) = trip.block.filter(|_| is_usable) {
            blocks.entry((block, trip.service)).or_default().push(number);
        }
    }
    let mut pairs = Vec::new();
    for mut trips in blocks.into_values() {
        let (start, end) = (|trip: usize| &calls[trip][0], |trip: usize| &calls[trip][calls[trip].len() - 1]);
        trips.sort_by_key(|&trip| order(&calls[trip], trip));
        let joined = |pair: &&[usize]| {
            let (end, start) = (end(pair[0]), start(pair[1]));
            end.stop == start.stop && end.arrival <= start.departure
        };
        pairs.extend(trips.windows(2).filter(joined).map(|pair| (pair[0], pair[1], 0)));
    }
    pairs
}

/// Arrival at and departure from one call of the vehicles that look-ups list from a moment on, if the trip runs by
/// frequency on a day: with exact times those that come, otherwise one a headway after the moment and so on. One that
/// would leave the first stop at the end of a row is listed after others, unless it waits at this stop.
pub(crate) fn listed(
    feed: &Feed,
    trip: usize,
    (day, day_start): (i32, i64),
    at: usize,
    from: i64,
) -> Vec<(i64, i64)> {
    let (trip, calls) = (&feed.trips[trip], repaired(&feed.trips[trip]));
    if !runs_on(feed, trip.service, day) {
        return Vec::new();
    }
    let off = i64::from(calls[at].departure - calls[0].departure);
    let stay = i64::from(calls[at].departure - calls[at].arrival);
    let mut listed = Vec::new();
    for row in usable(trip) {
        let [start, end] = [row.start, row.end].map(|time| day_start + off + i64::from(time));
        let headway = i64::from(row.headway);
        let mut departure = start;
        if row.exact {
            while departure < from {
                departure += headway;
            }
        } else {
            departure = start.max(from + headway);
        }
        let first = departure;
        while departure <= end - stay && (departure < end || departure > first) {
            listed.push((departure - stay, departure));
            departure += headway;
        }
    }
    listed
}

/// The calls of a trip that are left, as stops; fewer than two when the trip is dropped.
pub(crate) fn stops_of(trip: &Trip) -> Vec<usize> {
    repaired(trip).iter().map(|call| call.stop).collect()
}

/// The rows of frequencies.txt that make sense.
pub(crate) fn usable(trip: &Trip) -> impl Iterator<Item = &super::feed::Frequency> {
    trip.frequencies.iter().filter(|frequency| frequency.start < frequency.end && frequency.headway > 0)
}

fn of_trip(trip: &Trip, calls: &[Timed], template: &Run) -> Vec<Run> {
    let last = calls.len() - 1;
    let shifted = |shift: i64| -> Vec<RunCall> {
        let call = |(at, call): (usize, &Timed)| RunCall {
            stop: call.stop,
            comes: i64::from(call.arrival) + shift,
            goes: i64::from(call.departure) + shift,
            boards: at != last && call.pickup != 1,
            alights: at != 0 && call.drop_off != 1,
        };
        calls.iter().enumerate().map(call).collect()
    };
    let rows: Vec<_> = usable(trip).collect();
    if rows.is_empty() {
        return vec![Run { calls: shifted(template.day_start), ..template.clone() }];
    }
    let first = i64::from(calls[0].departure);
    let mut runs = Vec::new();
    for row in rows {
        let (start, end) =
            (template.day_start + i64::from(row.start), template.day_start + i64::from(row.end));
        let repeated = Run { is_repeated: true, ..template.clone() };
        if row.exact {
            let departures = (start..end).step_by(row.headway as usize);
            runs.extend(departures.map(|time| Run { calls: shifted(time - first), ..repeated.clone() }));
        } else {
            let headway = Headway { seconds: i64::from(row.headway), first: start, last: end - 1 };
            runs.push(Run { calls: shifted(-first), headway: Some(headway), ..repeated });
        }
    }
    runs
}
