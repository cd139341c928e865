//! The order in which the interface lists entities: the reference's hash order over all feeds. Every function
//! returns positions of the timetable's columns.

use trestle_model::ids::{FeedIdx, StopIdx};

use crate::hash_order::{id_hash, table_order, text_hash};
use crate::timetable::Timetable;

/// Patterns. The patterns of a stop or route are listed in the same order.
pub fn patterns(timetable: &Timetable) -> Vec<u32> {
    let hashes: Vec<u32> =
        timetable.patterns.code.iter().map(|&code| text_hash(timetable.texts.get(code))).collect();
    table_order(&hashes)
}

/// Routes that have a pattern.
pub fn routes(timetable: &Timetable) -> Vec<u32> {
    let offsets = &timetable.routes.pattern_offsets;
    let used = offsets.windows(2).map(|ends| ends[0] < ends[1]);
    let listed: Vec<u32> = (0u32..).zip(used).filter(|(_, used)| *used).map(|(route, _)| route).collect();
    let routes = &timetable.routes;
    ordered(timetable, &listed, |route| (routes.feed[route as usize], routes.id[route as usize]))
}

/// Boardable stops. Clusters are started from stops in the same order.
pub fn stops(timetable: &Timetable) -> Vec<u32> {
    stops_where(timetable, |stop| timetable.stops.is_boardable(stop))
}

/// The stops that `listed` accepts. Their order depends on their number.
fn stops_where(timetable: &Timetable, listed: impl Fn(StopIdx) -> bool) -> Vec<u32> {
    let stops = &timetable.stops;
    let listed: Vec<u32> = (0..stops.id.len() as u32).filter(|&stop| listed(StopIdx(stop))).collect();
    ordered(timetable, &listed, |stop| (stops.feed[stop as usize], stops.id[stop as usize]))
}

/// Clusters, given their ids in the order of their seeds.
pub fn clusters(ids: &[String]) -> Vec<u32> {
    table_order(&ids.iter().map(|id| text_hash(id)).collect::<Vec<_>>())
}

fn ordered(timetable: &Timetable, listed: &[u32], key: impl Fn(u32) -> (u32, u32)) -> Vec<u32> {
    let hash = |&entity: &u32| {
        let (feed, id) = key(entity);
        id_hash(timetable.feed_id(FeedIdx(feed)), timetable.texts.get(id))
    };
    let hashes: Vec<u32> = listed.iter().map(hash).collect();
    table_order(&hashes).into_iter().map(|i| listed[i as usize]).collect()
}
