//! Turns a finished draft into a timetable.

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::Column;
use trestle_model::ids::{FeedIdx, PatternIdx, RouteIdx, StopIdx, TripIdx};
use trestle_model::strings::Strings;

use super::draft::{Draft, DraftTrip, HopShape};
use super::moved_stops::place;
use crate::appended::{self, AddedTrips, CallHeadsigns, appended, appended_offsets};
use crate::call_lists::{CallLists, CallRow};
use crate::lookup::id_orders;
use crate::timetable::{Continuation, Patterns, Routes, Services, Stops, Timetable, TransferRule, Trips};

/// Trips of one route and direction with the same calls, by first departure.
struct NewPattern {
    trips: Vec<DraftTrip>,
    code: u32,
    name: u32,
}

impl NewPattern {
    fn first_trip(&self) -> &DraftTrip {
        &self.trips[0]
    }
}

pub(super) fn freeze(mut draft: Draft<'_>) -> Timetable {
    let never = draft.new.never();
    let groups = group(std::mem::take(&mut draft.trips));
    let patterns = name(&mut draft, groups);
    let base = draft.base;
    let alive = alive_patterns(&draft);
    let mut timetable = Timetable {
        texts: texts(&base.texts, draft.new.texts()),
        stops: stops(&draft, &patterns, &alive),
        routes: routes(&draft, &patterns, &alive),
        patterns: pattern_columns(base, &patterns),
        trips: trips(&draft, &patterns, never),
        services: services(&draft),
        ..base.clone()
    };
    place(&draft, &mut timetable);
    timetable.transfers.rules = rules(&draft, &patterns);
    timetable.id_orders = id_orders(&timetable);
    // The id of a changed trip must find the new trip.
    let is_out = |trip: &&u32| !draft.out.contains(&TripIdx(**trip));
    timetable.id_orders.trips = timetable.id_orders.trips.iter().filter(is_out).copied().collect();
    timetable
}

/// What the trips of a pattern have in common: route, direction, and (stop, pickup, drop-off) of each call.
type PatternKey = (u32, i32, Vec<(u32, u8, u8)>);

fn group(trips: Vec<DraftTrip>) -> Vec<Vec<DraftTrip>> {
    let mut index: FxHashMap<PatternKey, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<DraftTrip>> = Vec::new();
    for trip in trips {
        let calls = trip.calls.iter().map(|call| (call.stop, call.pickup, call.dropoff)).collect();
        let group = *index.entry((trip.route, trip.direction, calls)).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(trip);
    }
    for group in &mut groups {
        group.sort_by_key(|trip| trip.calls[0].departure);
    }
    groups
}

/// Gives patterns names, and codes with an `s` before the number.
fn name(draft: &mut Draft<'_>, groups: Vec<Vec<DraftTrip>>) -> Vec<NewPattern> {
    let mut counters: FxHashMap<(u32, i32), u32> = FxHashMap::default();
    let mut named = Vec::with_capacity(groups.len());
    for trips in groups {
        let first = &trips[0];
        let counter = counters.entry((first.route, first.direction)).or_default();
        *counter += 1;
        let (route_id, route_name) = route_texts(draft, first.route);
        let direction = if first.direction < 0 { String::new() } else { first.direction.to_string() };
        let code = draft.new.text(&format!("{route_id}:{direction}:s{counter:02}"));
        let name = match first.original {
            Some(original) => draft.base.patterns.name[draft.base.pattern_of(original).index()],
            None => {
                let last = first.calls.last().map_or(0, |call| draft.new.stop_name(call.stop));
                let text = format!("{route_name} to {}", draft.new.text_at(last));
                draft.new.text(&text)
            }
        };
        named.push(NewPattern { trips, code, name });
    }
    named
}

/// Outer id and shown name of a route.
fn route_texts(draft: &Draft<'_>, route: u32) -> (String, String) {
    let base = draft.base;
    match (route as usize).checked_sub(base.routes.id.len()) {
        None => {
            let i = route as usize;
            let short = base.texts.opt(base.routes.short_name[i]);
            let name = short.unwrap_or_else(|| base.texts.get(base.routes.long_name[i])).to_owned();
            (base.route_id(RouteIdx(route)), name)
        }
        Some(own) => {
            let route = &draft.new.routes[own];
            let feed = base.feed_id(FeedIdx(route.feed));
            let text = |index| draft.new.text_at(index).to_owned();
            (format!("{feed}:{}", text(route.row.id)), text(route.row.short_name))
        }
    }
}

/// Whether each pattern of the base still has a trip. Patterns without trips serve no stops.
fn alive_patterns(draft: &Draft<'_>) -> Vec<bool> {
    let patterns = &draft.base.patterns;
    let is_alive = |pattern: usize| {
        let mut trips = patterns.trips(PatternIdx::from(pattern));
        trips.is_empty() || trips.any(|trip| draft.is_untouched(TripIdx::from(trip)))
    };
    (0..patterns.count()).map(is_alive).collect()
}

fn texts(base: &Strings, more: &[String]) -> Strings {
    Strings {
        offsets: appended_offsets(&base.offsets, more.iter().map(String::len)),
        bytes: appended(&base.bytes, more.iter().flat_map(|text| text.bytes())),
    }
}

fn stops(draft: &Draft<'_>, patterns: &[NewPattern], alive: &[bool]) -> Stops {
    let (base, added) = (&draft.base.stops, &draft.new.stops);
    let mut calls: Vec<Vec<[u32; 2]>> = (0..base.id.len())
        .map(|stop| {
            let at_stop = base.calls_at(StopIdx::from(stop)).iter();
            at_stop.filter(|[pattern, _]| alive[*pattern as usize]).copied().collect()
        })
        .collect();
    calls.resize(base.id.len() + added.len(), Vec::new());
    for (pattern, new) in (draft.base.patterns.count() as u32..).zip(patterns) {
        for (position, call) in (0..).zip(&new.first_trip().calls) {
            calls[call.stop as usize].push([pattern, position]);
        }
    }
    appended::stops(base, added, calls)
}

fn routes(draft: &Draft<'_>, patterns: &[NewPattern], alive: &[bool]) -> Routes {
    let (base, added) = (&draft.base.routes, &draft.new.routes);
    let mut of_route: Vec<Vec<u32>> = (0..base.id.len())
        .map(|route| {
            let own = base.patterns_of(RouteIdx::from(route)).iter();
            own.filter(|pattern| alive[**pattern as usize]).copied().collect()
        })
        .collect();
    of_route.resize(base.id.len() + added.len(), Vec::new());
    for (pattern, new) in (draft.base.patterns.count() as u32..).zip(patterns) {
        of_route[new.first_trip().route as usize].push(pattern);
    }
    appended::routes(base, added, of_route)
}

fn pattern_columns(base: &Timetable, added: &[NewPattern]) -> Patterns {
    let old = &base.patterns;
    let calls = || added.iter().flat_map(|pattern| &pattern.first_trip().calls);
    let shapes: Vec<Vec<[f64; 2]>> =
        calls().map(|call| call.shape.map_or_else(Vec::new, |shape| points(base, shape))).collect();
    let has_shape = |pattern: &NewPattern| pattern.first_trip().calls.iter().any(|call| call.shape.is_some());
    Patterns {
        route: appended(&old.route, added.iter().map(|p| p.first_trip().route)),
        direction: appended(&old.direction, added.iter().map(|p| p.first_trip().direction)),
        code: appended(&old.code, added.iter().map(|p| p.code)),
        name: appended(&old.name, added.iter().map(|p| p.name)),
        call_offsets: appended_offsets(&old.call_offsets, added.iter().map(|p| p.first_trip().calls.len())),
        call_stop: appended(&old.call_stop, calls().map(|call| call.stop)),
        call_pickup: appended(&old.call_pickup, calls().map(|call| call.pickup)),
        call_dropoff: appended(&old.call_dropoff, calls().map(|call| call.dropoff)),
        trip_offsets: appended_offsets(&old.trip_offsets, added.iter().map(|p| p.trips.len())),
        hop_offsets: appended_offsets(&old.hop_offsets, shapes.iter().map(Vec::len)),
        hop_points: appended(&old.hop_points, shapes.iter().flatten().copied()),
        has_shape: appended(&old.has_shape, added.iter().map(|p| u8::from(has_shape(p)))),
    }
}

/// The points of a shape over one or more hops.
fn points(base: &Timetable, shape: HopShape) -> Vec<[f64; 2]> {
    let hops = (shape.from..shape.to).map(|hop| base.patterns.hop(shape.pattern, hop));
    hops.enumerate().flat_map(|(i, hop)| hop.iter().skip(usize::from(i > 0))).copied().collect()
}

fn trips(draft: &Draft<'_>, patterns: &[NewPattern], never: u32) -> Trips {
    let base = &draft.base.trips;
    let added: Vec<&DraftTrip> = patterns.iter().flat_map(|pattern| &pattern.trips).collect();
    let numbered = (draft.base.patterns.count() as u32..).zip(patterns);
    let rows = AddedTrips {
        facts: added.iter().map(|trip| &trip.facts).collect(),
        patterns: numbered.flat_map(|(number, pattern)| pattern.trips.iter().map(move |_| number)).collect(),
        calls: added_calls(draft.base, &added),
        headsigns: call_headsigns(base, &added),
        frequencies: added.iter().map(|trip| trip.frequencies.as_slice()).collect(),
    };
    Trips {
        service: trip_services(draft, &added, never),
        continuations: continuations(draft, &added),
        ..appended::trips(base, rows)
    }
}

/// The service of each trip; trips that are out never run.
fn trip_services(draft: &Draft<'_>, added: &[&DraftTrip], never: u32) -> Column<u32> {
    let base = draft.base.trips.service.iter().copied();
    let mut services: Vec<u32> = base.chain(added.iter().map(|trip| trip.facts.service)).collect();
    draft.out.iter().for_each(|trip| services[trip.index()] = never);
    services.into()
}

/// The calls of the added trips, which follow those of the base.
fn added_calls(base: &Timetable, added: &[&DraftTrip]) -> CallLists {
    let calls_of = |trip| base.trip_calls(TripIdx(trip)).count() as u32;
    let last = base.trips.call_offset.iter().zip(0..).last();
    let mut calls = CallLists::after(&base.trips, last.map_or(0, |(first, trip)| first + calls_of(trip)));
    for trip in added {
        calls.add(trip.calls.iter().map(|call| CallRow {
            arrival: call.arrival,
            departure: call.departure,
            sequence: call.sequence,
            timepoint: call.timepoint,
        }));
    }
    calls
}

fn call_headsigns(base: &Trips, trips: &[&DraftTrip]) -> CallHeadsigns {
    let mut headsigns = CallHeadsigns::after(base);
    trips.iter().for_each(|trip| headsigns.add(trip.calls.iter().map(|call| call.headsign)));
    headsigns
}

/// The new trip of each changed trip of the base.
fn successors(trips: &[&DraftTrip], first: u32) -> FxHashMap<TripIdx, u32> {
    let numbered = (first..).zip(trips);
    numbered.filter_map(|(number, trip)| Some((trip.original?, number))).collect()
}

/// The trips that vehicles continue as. Riders cannot stay seated where a trip was removed or now runs by headway.
fn continuations(draft: &Draft<'_>, added: &[&DraftTrip]) -> Column<Continuation> {
    let base = &draft.base.trips;
    let keeping: Vec<&DraftTrip> = added.iter().copied().filter(|trip| trip.keeps_block).collect();
    let all = successors(added, base.id.len() as u32);
    let keepers: FxHashSet<TripIdx> = keeping.iter().filter_map(|trip| trip.original).collect();
    let present = |trip: u32| match TripIdx(trip) {
        trip if draft.is_untouched(trip) => Some(trip.0),
        trip if keepers.contains(&trip) => all.get(&trip).copied(),
        _ => None,
    };
    let kept = base.continuations.iter().filter_map(|row| {
        let (from_trip, to_trip) = (present(row.from_trip)?, present(row.to_trip)?);
        Some(Continuation { from_trip, to_trip, ..*row })
    });
    kept.collect()
}

fn services(draft: &Draft<'_>) -> Services {
    let (base, added) = (&draft.base.services, &draft.new.services);
    Services {
        feed: appended(&base.feed, added.iter().map(|service| service.feed)),
        id: appended(&base.id, added.iter().map(|service| service.id)),
        first_day: base.first_day.clone(),
        words: base.words.clone(),
        days: appended(&base.days, added.iter().flat_map(|service| service.days.iter().copied())),
    }
}

/// The rules of the base, then the new ones: the last of several equally specific rules counts.
fn rules(draft: &Draft<'_>, patterns: &[NewPattern]) -> Column<TransferRule> {
    let base = &draft.base.transfers.rules;
    let added: Vec<&DraftTrip> = patterns.iter().flat_map(|pattern| &pattern.trips).collect();
    let successors = successors(&added, draft.base.trips.id.len() as u32);
    let names_trip =
        |rule: &TransferRule| rule.from_trip != TransferRule::ANY || rule.to_trip != TransferRule::ANY;
    if draft.rules.is_empty() && (draft.out.is_empty() || !base.iter().any(names_trip)) {
        return base.clone();
    }
    let present = |trip: u32| successors.get(&TripIdx(trip)).copied().unwrap_or(trip);
    let mut rules: Vec<TransferRule> = base.iter().chain(&draft.rules).copied().collect();
    for rule in &mut rules {
        (rule.from_trip, rule.to_trip) = (present(rule.from_trip), present(rule.to_trip));
    }
    rules.sort_by_key(|rule| (rule.from_stop, rule.to_stop));
    rules.into()
}
