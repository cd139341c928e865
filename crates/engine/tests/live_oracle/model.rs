//! A feed as plain lists, and a second, slow implementation of every rule of live data that edits them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::calendar::Calendar;
use super::copied::started_at;
use super::linked::Link;

const LONGEST_SHIFT: i64 = 2 * 86_400;

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Call {
    pub(crate) stop: usize,
    /// The stop at which it would be if live data did not assign another one.
    pub(crate) home: usize,
    pub(crate) arrival: i32,
    pub(crate) departure: i32,
    pub(crate) pickup: u8,
    pub(crate) dropoff: u8,
    /// Whether the vehicle skips it; in the tables, such a call is one where nobody may board or alight.
    pub(crate) skipped: bool,
    /// Whether it is the first one left of a trip whose vehicle has already made calls before it.
    pub(crate) is_cut: bool,
}

/// A row of frequencies.txt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Row {
    pub(crate) start: i32,
    pub(crate) end: i32,
    pub(crate) headway: i32,
    pub(crate) exact: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Trip {
    pub(crate) id: String,
    pub(crate) route: usize,
    /// Whether it runs on each of the days.
    pub(crate) days: [bool; 3],
    pub(crate) calls: Vec<Call>,
    pub(crate) rows: Vec<Row>,
    pub(crate) wheelchair: u8,
    pub(crate) bikes: u8,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    /// Id, latitude, longitude.
    pub(crate) stops: Vec<(String, f64, f64)>,
    /// Ids of the stations of the first stops, empty without one.
    pub(crate) stations: Vec<String>,
    pub(crate) routes: Vec<String>,
    pub(crate) trips: Vec<Trip>,
    /// transfers.txt: from stop, to stop, least seconds.
    pub(crate) changes: Vec<(usize, usize, i32)>,
    pub(crate) calendar: Calendar,
    /// Trips whose vehicles continue as others.
    pub(crate) links: Vec<Link>,
    /// Seconds by which all times are later than those that the generators of updates choose.
    pub(crate) later: i32,
}

/// A moment by delay or by seconds of the service day.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Moment {
    pub(crate) delay: Option<i32>,
    pub(crate) time: Option<i64>,
}

/// Times of one call in an update.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallUpdate {
    /// Position of the call, counted from 1.
    pub(crate) sequence: Option<u32>,
    pub(crate) stop: Option<String>,
    pub(crate) assigned: Option<String>,
    pub(crate) arrival: Option<Moment>,
    pub(crate) departure: Option<Moment>,
    pub(crate) relationship: Option<i32>,
}

#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub(crate) trip: String,
    /// Index of its day; out of bounds for a day without service.
    pub(crate) day: usize,
    pub(crate) start_time: Option<String>,
    pub(crate) route: String,
    pub(crate) relationship: Option<i32>,
    pub(crate) delay: Option<i32>,
    pub(crate) calls: Vec<CallUpdate>,
}

/// The state of a trip or of a run; `None` when it does not run.
type Outcome = Option<Vec<Call>>;

/// The latest state of each trip, run and added trip.
#[derive(Default)]
struct Known {
    trips: BTreeMap<(usize, usize), Outcome>,
    runs: BTreeMap<(usize, usize), BTreeMap<i32, Outcome>>,
    added: BTreeMap<(String, usize), Trip>,
}

impl Model {
    /// The feed edited according to the updates, and how many of them cannot be applied. Trips that are edited for a
    /// day are copies with a `~` and a suffix after their id.
    pub(crate) fn edited(&self, updates: &[Update]) -> (Model, usize) {
        let mut known = Known::default();
        let rejected = updates.iter().filter(|update| self.apply(update, &mut known).is_none()).count();
        let mut trips: Vec<Trip> = Vec::new();
        for ((id, day), trip) in known.added {
            trips.push(Trip { id: format!("{id}~{day}"), ..trip });
        }
        for (number, trip) in self.trips.iter().enumerate() {
            let mut rest = trip.clone();
            for day in 0..3 {
                let whole = known.trips.get(&(number, day));
                let runs = known.runs.get(&(number, day));
                if whole.is_none() && runs.is_none() {
                    continue;
                }
                let mut days = [false; 3];
                days[day] = rest.days[day];
                rest.days[day] = false;
                let copy = |tag: &str, calls: &[Call], rows: Vec<Row>| Trip {
                    id: format!("{}~{day}{tag}", trip.id),
                    days,
                    calls: calls.to_vec(),
                    rows,
                    ..trip.clone()
                };
                if let Some(Some(calls)) = whole {
                    trips.push(copy("", calls, Vec::new()));
                }
                let none = BTreeMap::new();
                let runs = runs.unwrap_or(&none);
                if whole.is_none() {
                    trips.extend(
                        left_of(trip, runs).into_iter().map(|(tag, calls, rows)| copy(&tag, &calls, rows)),
                    );
                }
                for (start, calls) in runs {
                    trips.extend(calls.iter().map(|calls| copy(&format!("r{start}"), calls, Vec::new())));
                }
            }
            trips.push(rest);
        }
        trips.retain(|trip| trip.calls.len() > 1 && trip.days.contains(&true));
        trips.iter_mut().for_each(board_last);
        let links = self.links_between(&trips);
        (Model { trips, links, ..self.clone() }, rejected)
    }

    /// Notes what an update says; `None` when it cannot be applied.
    fn apply(&self, update: &Update, known: &mut Known) -> Option<()> {
        let relationship = update.relationship.unwrap_or(0);
        let found = self.trips.iter().position(|trip| trip.id == update.trip);
        if [1, 8].contains(&relationship) {
            let route = self.routes.iter().position(|route| *route == update.route)?;
            if found.is_some() {
                return None;
            }
            let mut days = [false; 3];
            if let Some(runs) = days.get_mut(update.day) {
                *runs = true;
            }
            let (id, calls, rows) = (update.trip.clone(), self.own_calls(update)?, Vec::new());
            let (wheelchair, bikes) = (0, 0);
            let trip = Trip { id: id.clone(), route, days, calls, rows, wheelchair, bikes };
            known.added.insert((id, update.day), trip);
            return Some(());
        }
        let canceled = [3, 7].contains(&relationship);
        if canceled && found.is_none() {
            return known.added.remove(&(update.trip.clone(), update.day)).map(drop);
        }
        let number = found?;
        let trip = &self.trips[number];
        if relationship == 6 {
            let copy = self.copy(trip, update)?;
            known.added.insert((copy.id.clone(), update.day), copy);
            return Some(());
        }
        if !*trip.days.get(update.day)? || ![0, 2, 3, 5, 7].contains(&relationship) {
            return None;
        }
        let key = (number, update.day);
        if trip.rows.is_empty() {
            let outcome = match relationship {
                3 | 7 => None,
                5 => Some(self.own_calls(update)?),
                2 => return None,
                _ => Some(self.live_calls(&trip.calls, update)?),
            };
            known.trips.insert(key, outcome);
            return Some(());
        }
        let Some(start) = &update.start_time else {
            if !canceled {
                return None;
            }
            known.runs.remove(&key);
            known.trips.insert(key, None);
            return Some(());
        };
        let start = seconds_of(start);
        let is_run = |row: &Row| {
            (row.start..row.end).contains(&start) && (!row.exact || (start - row.start) % row.headway == 0)
        };
        if !trip.rows.iter().any(is_run) {
            return None;
        }
        let outcome = match relationship {
            3 | 7 => None,
            5 => Some(self.own_calls(update)?),
            _ => Some(self.live_calls(&started_at(&trip.calls, start), update)?),
        };
        known.runs.entry(key).or_default().insert(start, outcome);
        Some(())
    }

    /// Whether a time of a day is one; some feeds write the epoch 0 where they have none.
    fn is_given(&self, time: i64, day: usize) -> bool {
        time != -self.calendar.start(day)
    }

    /// The calls of an update that names all of them.
    fn own_calls(&self, update: &Update) -> Option<Vec<Call>> {
        let mut calls: Vec<Call> = Vec::new();
        for call in &update.calls {
            let time = |moment: Option<Moment>| {
                moment.and_then(|moment| moment.time).filter(|time| self.is_given(*time, update.day))
            };
            if call.relationship == Some(1) && time(call.arrival).or(time(call.departure)).is_none() {
                continue;
            }
            let home = self.stop(call.stop.as_ref().or(call.assigned_stop())?)?;
            let stop = self.stop_used(home, Some(call))?;
            let arrival = time(call.arrival).or(time(call.departure))?;
            let departure = time(call.departure).unwrap_or(arrival);
            if [arrival, departure].iter().any(|time| !(-3600..=LONGEST_SHIFT).contains(time)) {
                return None;
            }
            let closed = u8::from(call.relationship == Some(1));
            let (arrival, departure) = (arrival as i32, departure as i32);
            calls.push(Call {
                stop,
                home,
                arrival,
                departure,
                pickup: closed,
                dropoff: closed,
                skipped: closed == 1,
                is_cut: false,
            });
        }
        let predicted: Vec<[bool; 2]> = calls.iter().map(|call| [!call.skipped; 2]).collect();
        in_order(calls, &predicted).filter(|calls| calls.len() > 1)
    }

    /// Scheduled calls with the times of an update, from the first one that has a time on.
    pub(super) fn live_calls(&self, calls: &[Call], update: &Update) -> Option<Vec<Call>> {
        let near = |delay: i64| (delay.abs() <= LONGEST_SHIFT).then_some(delay as i32);
        if update.calls.is_empty() {
            let delay = near(i64::from(update.delay?))?;
            let late = |call: &Call| Call {
                arrival: call.arrival + delay,
                departure: call.departure + delay,
                ..call.clone()
            };
            return Some(calls.iter().map(late).collect());
        }
        // An event without a delay and a time does not count; some feeds write the epoch 0 where they have no time.
        let is_given = |moment: &Moment| {
            moment.delay.is_some() || moment.time.is_some_and(|time| self.is_given(time, update.day))
        };
        let (day, mut update) = (update.day, update.clone());
        for call in &mut update.calls {
            (call.arrival, call.departure) = (call.arrival.filter(is_given), call.departure.filter(is_given));
        }
        let given = self.named(calls, &update)?;
        let has_times = update.calls.iter().any(|call| call.arrival.is_some() || call.departure.is_some());
        let of_trip = near(i64::from(update.delay.unwrap_or(0)));
        let mut delay = if has_times { update.delay.and(of_trip) } else { Some(of_trip?) };
        let mut live: Vec<Call> = Vec::new();
        // Whether each arrival and departure of `live` is predicted.
        let mut predicted: Vec<[bool; 2]> = Vec::new();
        let mut is_predicted = !has_times && update.delay.is_some();
        for (call, given) in calls.iter().zip(given) {
            let stop = self.stop_used(call.stop, given.as_ref())?;
            let (mut arrival, mut arrival_is_predicted) = (delay, is_predicted);
            if let Some(given) = &given {
                if given.relationship == Some(2) {
                    (arrival, delay) = (Some(0), Some(0));
                    (arrival_is_predicted, is_predicted) = (false, false);
                } else {
                    // Without an arrival, it is as late as the vehicle was before, if that is known.
                    arrival_is_predicted |= given.arrival.is_some() || delay.is_none();
                    is_predicted |= given.arrival.is_some() || given.departure.is_some();
                    let by = |moment: Option<Moment>, scheduled: i32| -> Option<Option<i32>> {
                        let Some(moment) = moment else { return Some(None) };
                        match (moment.time.filter(|time| self.is_given(*time, day)), moment.delay) {
                            (Some(time), _) => near(time.saturating_sub(i64::from(scheduled))).map(Some),
                            (None, Some(delay)) => near(i64::from(delay)).map(Some),
                            (None, None) => Some(None),
                        }
                    };
                    arrival = by(given.arrival, call.arrival)?.or(delay);
                    delay = by(given.departure, call.departure)?.or(arrival);
                    arrival = arrival.or(delay);
                }
            }
            let (Some(arrival), Some(departure)) = (arrival, delay) else { continue };
            let (mut arrival, departure) = (call.arrival + arrival, call.departure + departure);
            if given.as_ref().is_some_and(|given| given.arrival.is_none()) {
                arrival = arrival.min(departure);
            }
            let skipped = given.as_ref().is_some_and(|given| given.relationship == Some(1));
            let closed = |kind: u8| if skipped { 1 } else { kind };
            let (pickup, dropoff) = (closed(call.pickup), closed(call.dropoff));
            live.push(Call { stop, arrival, departure, pickup, dropoff, skipped, ..*call });
            predicted.push([arrival_is_predicted && !skipped, is_predicted && !skipped]);
        }
        let is_cut = live.len() < calls.len();
        live.iter_mut().take(1).for_each(|first| first.is_cut = is_cut);
        in_order(live, &predicted)
    }

    /// Trip and position of the calls that vehicles skip.
    pub(crate) fn skipped(&self) -> BTreeSet<(&str, usize)> {
        let mut skipped = BTreeSet::new();
        for trip in &self.trips {
            let of_trip = trip.calls.iter().enumerate().filter(|(_, call)| call.skipped);
            skipped.extend(of_trip.map(|(at, _)| (&trip.id[..], at)));
        }
        skipped
    }

    /// The tables of the feed.
    pub(crate) fn tables(&self) -> Vec<(&'static str, String)> {
        let stops = self.table_of_stops();
        let mut routes = String::from("route_id,agency_id,route_short_name,route_type\n");
        for id in &self.routes {
            writeln!(routes, "{id},AG,{id},3").unwrap();
        }
        let mut trips = String::from("route_id,service_id,trip_id,wheelchair_accessible,bikes_allowed\n");
        let mut times = String::from(
            "trip_id,stop_sequence,stop_id,arrival_time,departure_time,pickup_type,drop_off_type\n",
        );
        let mut rows = String::from("trip_id,start_time,end_time,headway_secs,exact_times\n");
        for trip in &self.trips {
            let Trip { id, wheelchair, bikes, .. } = trip;
            let (route, service) = (&self.routes[trip.route], service(trip.days));
            writeln!(trips, "{route},{service},{id},{wheelchair},{bikes}").unwrap();
            for (at, call) in trip.calls.iter().enumerate() {
                let (stop, arrival, departure) =
                    (&self.stops[call.stop].0, clock(call.arrival), clock(call.departure));
                let (pickup, dropoff) = (call.pickup, call.dropoff);
                writeln!(times, "{id},{},{stop},{arrival},{departure},{pickup},{dropoff}", at + 1).unwrap();
            }
            for row in &trip.rows {
                let (start, end, exact) = (clock(row.start), clock(row.end), u8::from(row.exact));
                writeln!(rows, "{id},{start},{end},{},{exact}", row.headway).unwrap();
            }
        }
        let mut dates = String::from("service_id,date,exception_type\n");
        for mask in 0..8 {
            let days = [mask & 1 > 0, mask & 2 > 0, mask & 4 > 0];
            for day in (0..3).filter(|day| days[*day]) {
                writeln!(dates, "{},{},1", service(days), self.calendar.days[day]).unwrap();
            }
        }
        let mut changes =
            String::from("from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_trip_id\n");
        for (from, to, seconds) in &self.changes {
            writeln!(changes, "{},{},2,{seconds},,", self.stops[*from].0, self.stops[*to].0).unwrap();
        }
        for link in &self.links {
            writeln!(changes, ",,4,,{},{}", self.trips[link.from].id, self.trips[link.to].id).unwrap();
        }
        let agency = "agency_id,agency_name,agency_url,agency_timezone\nAG,Agency,http://a.example,";
        vec![
            ("agency.txt", format!("{agency}{}\n", self.calendar.zone)),
            ("stops.txt", stops),
            ("routes.txt", routes),
            ("trips.txt", trips),
            ("stop_times.txt", times),
            ("frequencies.txt", rows),
            ("calendar_dates.txt", dates),
            ("transfers.txt", changes),
        ]
    }
}

/// Where a vehicle skips the stop at which it turns, riders enter it at the last call at the stop before that allows it.
fn board_last(trip: &mut Trip) {
    let mut before: Option<(usize, bool)> = None;
    let last = trip.calls.len() - 1;
    for (at, call) in trip.calls.iter_mut().enumerate().rev().filter(|(_, call)| !call.skipped) {
        let is_entered_later = before.is_some_and(|(stop, entered)| stop == call.stop && entered);
        if is_entered_later {
            call.pickup = 1;
        }
        // Nobody rides on to the last call of a trip from the call before it at the same stop.
        before = Some((call.stop, is_entered_later || call.pickup != 1 || at == last));
    }
}

/// The calls with times that never decrease: those that are not predicted give way to those that are. `None` if a
/// predicted one is too far back.
fn in_order(mut live: Vec<Call>, predicted: &[[bool; 2]]) -> Option<Vec<Call>> {
    let mut next = i32::MAX;
    for (call, [arrival, departure]) in live.iter_mut().zip(predicted).rev() {
        for (time, is_predicted) in [(&mut call.departure, departure), (&mut call.arrival, arrival)] {
            if *is_predicted {
                next = next.min(*time);
            } else {
                *time = next.min(*time);
            }
        }
    }
    let mut latest = i32::MIN;
    for (call, [arrival, departure]) in live.iter_mut().zip(predicted) {
        for (time, is_predicted) in [(&mut call.arrival, arrival), (&mut call.departure, departure)] {
            if *is_predicted && latest.saturating_sub(*time) > 120 {
                return None;
            }
            *time = latest.max(*time);
            latest = *time;
        }
    }
    Some(live)
}

/// The frequency rows that remain when some runs of a frequency trip are removed: with exact times each run becomes a
/// trip of its own; rows of a headway service lose the seconds that are less than a headway after a removed run.
fn left_of(trip: &Trip, runs: &BTreeMap<i32, Outcome>) -> Vec<(String, Vec<Call>, Vec<Row>)> {
    let mut left = Vec::new();
    let mut rows = Vec::new();
    for row in &trip.rows {
        if row.exact {
            for start in (row.start..row.end).step_by(row.headway as usize) {
                if !runs.contains_key(&start) {
                    left.push((format!("x{start}"), started_at(&trip.calls, start), Vec::new()));
                }
            }
            continue;
        }
        let of_row = runs.keys().filter(|run| (row.start..row.end).contains(run));
        let taken: Vec<_> = of_row.map(|run| *run..run + row.headway).collect();
        let is_left = |second: i32| {
            (row.start..row.end).contains(&second) && !taken.iter().any(|range| range.contains(&second))
        };
        let begins = (row.start..row.end).filter(|&second| is_left(second) && !is_left(second - 1));
        for start in begins {
            let end = (start..).find(|&second| !is_left(second)).unwrap();
            rows.push(Row { start, end, ..*row });
        }
    }
    if !rows.is_empty() {
        left.push((String::new(), trip.calls.clone(), rows));
    }
    left
}

fn service(days: [bool; 3]) -> String {
    days.iter().map(|runs| if *runs { 'Y' } else { 'N' }).collect()
}

/// Seconds of [`clock`].
pub(crate) fn seconds_of(clock: &str) -> i32 {
    clock.split(':').fold(0, |seconds, part| seconds * 60 + part.parse::<i32>().unwrap())
}

pub(crate) fn clock(seconds: i32) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
