//! Groups trips into patterns, with the reference's order, codes and names.

use rustc_hash::{FxHashMap, FxHashSet};
use trestle_model::strings::StringsBuilder;

use crate::build::Calls;
use crate::gtfs::Feed;
use crate::hash_order::{extend, id_hash, list_hash, table_order, text_hash};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PatternCall {
    /// Position in the feed's stops.
    pub(crate) stop: u32,
    pub(crate) pickup: u8,
    pub(crate) dropoff: u8,
}

#[derive(Clone, Debug)]
pub(crate) struct FeedPattern {
    /// Position in the feed's routes.
    pub(crate) route: u32,
    /// −1 when unknown.
    pub(crate) direction: i32,
    pub(crate) calls: Vec<PatternCall>,
    /// Positions in the feed's trips, in the reference's trip order.
    pub(crate) trips: Vec<u32>,
    pub(crate) code: String,
    pub(crate) name: String,
}

impl FeedPattern {
    fn first_stop(&self) -> u32 {
        self.calls.first().map_or(u32::MAX, |call| call.stop)
    }

    fn last_stop(&self) -> u32 {
        self.calls.last().map_or(u32::MAX, |call| call.stop)
    }

    fn serves(&self, stop: u32) -> bool {
        self.calls.iter().any(|call| call.stop == stop)
    }
}

/// A feed with the texts that its ids refer to.
#[derive(Clone, Copy)]
pub(crate) struct NamedFeed<'a> {
    pub(crate) feed: &'a Feed,
    pub(crate) feed_id: &'a str,
    pub(crate) texts: &'a StringsBuilder,
}

/// Groups the kept trips of a feed into patterns, in the reference's order, with codes and names.
pub(crate) fn group(named: NamedFeed<'_>, calls: &Calls) -> Vec<FeedPattern> {
    let mut patterns = group_trips(named, calls);
    assign_codes(named, &mut patterns);
    assign_names(named, &mut patterns);
    patterns
}

/// Trips of a feed in hash table order of their ids. The reference identifies a trip by the agency of its route.
fn trip_order(named: NamedFeed<'_>) -> Vec<u32> {
    let NamedFeed { feed, feed_id, texts } = named;
    let agency_hash = |agency: u32| match feed.agencies.get(agency as usize).map_or(0, |row| row.id) {
        0 => text_hash(feed_id),
        id => text_hash(texts.get(id)),
    };
    let route_hashes: Vec<u32> = feed.routes.iter().map(|route| agency_hash(route.agency)).collect();
    let hashes: Vec<u32> = feed
        .trips
        .iter()
        .map(|trip| {
            route_hashes.get(trip.route as usize).copied().unwrap_or(0) ^ text_hash(texts.get(trip.facts.id))
        })
        .collect();
    table_order(&hashes)
}

/// Trips of one sequence of calls, split by route and direction; both levels in order of the first trip.
struct StopPattern {
    hash: u32,
    by_route: Vec<FeedPattern>,
}

fn group_trips(named: NamedFeed<'_>, calls: &Calls) -> Vec<FeedPattern> {
    let feed = named.feed;
    let stop_hashes: Vec<u32> =
        feed.stops.iter().map(|stop| id_hash(named.feed_id, named.texts.get(stop.id))).collect();
    let mut index: FxHashMap<Vec<PatternCall>, usize> = FxHashMap::default();
    let mut groups: Vec<StopPattern> = Vec::new();
    let mut key: Vec<PatternCall> = Vec::new();
    for trip in trip_order(named) {
        let trip_calls = calls.of(trip);
        if trip_calls.is_empty() {
            continue;
        }
        key.clear();
        key.extend(trip_calls.iter().map(|c| PatternCall {
            stop: c.stop,
            pickup: c.pickup,
            dropoff: c.dropoff,
        }));
        let group = *index.entry(key.clone()).or_insert_with(|| {
            groups.push(StopPattern { hash: stop_pattern_hash(&key, &stop_hashes), by_route: Vec::new() });
            groups.len() - 1
        });
        let (route, direction) = (feed.trips[trip as usize].route, feed.trips[trip as usize].direction);
        let by_route = &mut groups[group].by_route;
        match by_route.iter_mut().find(|p| (p.route, p.direction) == (route, direction)) {
            Some(pattern) => pattern.trips.push(trip),
            None => by_route.push(FeedPattern {
                route,
                direction,
                calls: key.clone(),
                trips: vec![trip],
                code: String::new(),
                name: String::new(),
            }),
        }
    }
    let order = table_order(&groups.iter().map(|group| group.hash).collect::<Vec<_>>());
    order.into_iter().flat_map(|g| std::mem::take(&mut groups[g as usize].by_route)).collect()
}

fn stop_pattern_hash(calls: &[PatternCall], stop_hashes: &[u32]) -> u32 {
    let stops = list_hash(calls.iter().map(|call| stop_hashes[call.stop as usize]));
    let pickups = list_hash(calls.iter().map(|call| u32::from(call.pickup)));
    let dropoffs = list_hash(calls.iter().map(|call| u32::from(call.dropoff)));
    extend(extend((calls.len() as u32).wrapping_add(stops), pickups), dropoffs)
}

/// `feed:route:direction:nn`, counted per route and direction.
fn assign_codes(named: NamedFeed<'_>, patterns: &mut [FeedPattern]) {
    let mut counters: FxHashMap<(u32, i32), u32> = FxHashMap::default();
    for pattern in patterns {
        let counter = counters.entry((pattern.route, pattern.direction)).or_default();
        *counter += 1;
        let route = named.texts.get(named.feed.routes[pattern.route as usize].id);
        let direction = match pattern.direction {
            -1 => String::new(),
            direction => direction.to_string(),
        };
        pattern.code = format!("{}:{route}:{direction}:{counter:02}", named.feed_id);
    }
}

fn assign_names(named: NamedFeed<'_>, patterns: &mut [FeedPattern]) {
    let mut used = FxHashSet::default();
    for (route, members) in routes_in_order(named, patterns) {
        let row = &named.feed.routes[route as usize];
        let base = named.texts.get(if row.short_name != 0 { row.short_name } else { row.long_name });
        let route_name = unused_name(base, &mut used);
        let names: Vec<String> = members
            .iter()
            .map(|&member| pattern_name(named, patterns, &members, member, &route_name))
            .collect();
        for (member, name) in members.into_iter().zip(names) {
            patterns[member].name = name;
        }
    }
}

/// Routes that have patterns, in hash table order of their ids, each with its patterns.
fn routes_in_order(named: NamedFeed<'_>, patterns: &[FeedPattern]) -> Vec<(u32, Vec<usize>)> {
    let mut index: FxHashMap<u32, usize> = FxHashMap::default();
    let mut routes: Vec<(u32, Vec<usize>)> = Vec::new();
    for (position, pattern) in patterns.iter().enumerate() {
        let slot = *index.entry(pattern.route).or_insert_with(|| {
            routes.push((pattern.route, Vec::new()));
            routes.len() - 1
        });
        routes[slot].1.push(position);
    }
    let hash = |route: u32| id_hash(named.feed_id, named.texts.get(named.feed.routes[route as usize].id));
    let hashes: Vec<u32> = routes.iter().map(|(route, _)| hash(*route)).collect();
    table_order(&hashes).into_iter().map(|i| std::mem::take(&mut routes[i as usize])).collect()
}

/// `base`, or `base 2`, `base 3`, … when an earlier route has it.
fn unused_name(base: &str, used: &mut FxHashSet<String>) -> String {
    let mut name = base.to_owned();
    let mut number = 2;
    while !used.insert(name.clone()) {
        name = format!("{base} {number}");
        number += 1;
    }
    name
}

/// The route's name with as much of "to", "from" and "via" as it takes to tell the pattern from the route's other ones.
fn pattern_name(
    named: NamedFeed<'_>,
    patterns: &[FeedPattern],
    members: &[usize],
    member: usize,
    route_name: &str,
) -> String {
    let pattern = &patterns[member];
    if members.len() == 1 {
        return route_name.to_owned();
    }
    let stop = |position: u32| {
        let row = &named.feed.stops[position as usize];
        format!("{} ({}:{})", named.texts.get(row.name), named.feed_id, named.texts.get(row.id))
    };
    let (first, last) = (pattern.first_stop(), pattern.last_stop());
    let others = || members.iter().filter(|&&m| m != member).map(|&m| &patterns[m]);
    let mut name = format!("{route_name} to {}", stop(last));
    if !others().any(|p| p.last_stop() == last) {
        return name;
    }
    name += &format!(" from {}", stop(first));
    let same_ends: Vec<&FeedPattern> =
        others().filter(|p| (p.first_stop(), p.last_stop()) == (first, last)).collect();
    if same_ends.is_empty() {
        return name;
    }
    let via = pattern
        .calls
        .iter()
        .map(|call| call.stop)
        .find(|&s| s != first && s != last && !same_ends.iter().any(|p| p.serves(s)));
    match (via, same_ends.len()) {
        (Some(via), _) => name + &format!(" via {}", stop(via)),
        (None, 1) => name + " express",
        (None, _) => {
            let trip = &named.feed.trips[pattern.trips[0] as usize];
            name + &format!(" like trip {}_{}", named.feed_id, named.texts.get(trip.facts.id))
        }
    }
}
