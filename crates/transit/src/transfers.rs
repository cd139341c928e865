//! Transfers: rules of transfers.txt, and connections between stops that do not use streets.

use trestle_model::Column;
use trestle_model::geo::distance_m;
use trestle_model::ids::StopIdx;

use crate::build::TransitBuildOptions;
use crate::gtfs::LONGEST_SECONDS;
use crate::pathways::between_stops;
use crate::timetable::{DirectTransfer, Pathway, Stops, Timetable, TransferRule, Transfers};

/// [`DirectTransfer::flags`]: usable in a wheelchair.
pub const WHEELCHAIR: u32 = 1;
/// [`DirectTransfer::flags`]: a pathway of a station.
pub const PATHWAY: u32 = 2;
/// [`DirectTransfer::flags`]: a straight walk between stops that are linked to the same point of the streets.
pub const AT_ONE_POINT: u32 = 4;
/// [`DirectTransfer::flags`]: for wheelchairs alone. On foot there is a shorter walk, or a nearer stop of the same patterns.
pub const WHEELCHAIR_ONLY: u32 = 8;

impl TransferRule {
    /// Any route or trip.
    pub const ANY: u32 = u32::MAX;
    /// transfer_type 1: the departing vehicle waits for the arriving one.
    pub const TIMED: u32 = 1;
    /// transfer_type 2: a minimum time.
    pub const MINIMUM_TIME: u32 = 2;
    /// transfer_type 3: not possible.
    pub const FORBIDDEN: u32 = 3;

    /// Whether it is for all routes and trips.
    pub fn is_general(&self) -> bool {
        [self.from_route, self.to_route, self.from_trip, self.to_trip] == [Self::ANY; 4]
    }
}

impl Transfers {
    /// The rules that make the change between two stops a timed transfer for all trips. Riders catch the vehicle that waits
    /// for theirs, so the change takes no time.
    pub fn timed(&self) -> impl Iterator<Item = &TransferRule> {
        let pairs = self.rules.chunk_by(|a, b| (a.from_stop, a.to_stop) == (b.from_stop, b.to_stop));
        let general = pairs.filter_map(|rules| rules.iter().rfind(|rule| rule.is_general()));
        general.filter(|rule| rule.kind == TransferRule::TIMED && rule.from_stop != rule.to_stop)
    }
}

impl DirectTransfer {
    /// Whether it can be used on foot or, if asked, in a wheelchair.
    pub fn is_usable(&self, wheelchair: bool) -> bool {
        if wheelchair { self.flags & WHEELCHAIR != 0 } else { self.flags & WHEELCHAIR_ONLY == 0 }
    }

    /// A walk along streets, also for wheelchairs.
    pub fn walk(other_stop: u32, meters: f64) -> DirectTransfer {
        DirectTransfer { other_stop, meters: meters as f32, seconds: -1, flags: WHEELCHAIR }
    }
}

/// A connection between two stops.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TransferEdge {
    pub from_stop: StopIdx,
    /// End stop, length and flags.
    pub transfer: DirectTransfer,
}

/// Rules between stops, from rows that may name stations; sorted by (from_stop, to_stop), then in file order.
/// `members[s]` lists the boardable stops that stop `s` stands for.
pub(crate) fn expand_rules(rows: &[TransferRule], members: &[Vec<u32>]) -> Column<TransferRule> {
    let stops_of = |stop: u32| members.get(stop as usize).map_or(&[][..], Vec::as_slice);
    let mut rules = Vec::with_capacity(rows.len());
    for row in rows {
        for &from_stop in stops_of(row.from_stop) {
            let stops = stops_of(row.to_stop).iter();
            rules.extend(stops.map(|&to_stop| TransferRule { from_stop, to_stop, ..*row }));
        }
    }
    rules.sort_by_key(|rule| (rule.from_stop, rule.to_stop));
    rules.into()
}

/// The connections that do not use streets, in this order: pathways; with `use_transfers_txt` the general rows of
/// transfers.txt (not forbidden, for all routes and trips, between different stops); with `station_transfers` or
/// `parent_stop_linking` (which joins stops through their station) free ones between all stops of a station.
pub fn fixed_transfers(timetable: &Timetable, options: &TransitBuildOptions) -> Vec<TransferEdge> {
    let mut edges: Vec<TransferEdge> = between_stops(timetable).iter().flat_map(pathway_edges).collect();
    if options.use_transfers_txt {
        edges.extend(timetable.transfers.rules.iter().filter_map(|rule| rule_edge(&timetable.stops, rule)));
    }
    if options.station_transfers || options.parent_stop_linking {
        edges.extend(station_edges(timetable));
    }
    edges
}

/// A pathway on foot, and in a wheelchair if that takes longer. Searches on foot use the connections for wheelchairs
/// too, so these are never faster.
fn pathway_edges(pathway: &Pathway) -> impl Iterator<Item = TransferEdge> + use<> {
    let &Pathway { from_stop, to_stop, seconds, wheelchair_seconds } = pathway;
    let edge = move |seconds: i32, flags: u32| TransferEdge {
        from_stop: StopIdx(from_stop),
        transfer: DirectTransfer { other_stop: to_stop, meters: 0.0, seconds, flags: flags | PATHWAY },
    };
    let is_same = (0..=seconds).contains(&wheelchair_seconds);
    let rolling = (wheelchair_seconds > seconds).then(|| edge(wheelchair_seconds, WHEELCHAIR));
    std::iter::once(edge(seconds, if is_same { WHEELCHAIR } else { 0 })).chain(rolling)
}

/// Keeps, from one stop to another, only the fastest connection and the fastest one that can be used in a wheelchair.
pub fn keep_fastest(edges: &mut Vec<TransferEdge>) {
    edges.sort_by_key(|edge| (edge.from_stop, edge.transfer.other_stop, edge.transfer.seconds));
    let (mut pair, mut is_usable_in_wheelchair) = (None, false);
    edges.retain(|edge| {
        let this = Some((edge.from_stop, edge.transfer.other_stop));
        let rolls = edge.transfer.flags & WHEELCHAIR != 0;
        let is_first = pair != this;
        let is_kept = is_first || (rolls && !is_usable_in_wheelchair);
        is_usable_in_wheelchair = rolls || (!is_first && is_usable_in_wheelchair);
        pair = this;
        is_kept
    });
}

/// The connection of a general rule that allows a change between different stops: a straight line. Only rules about a
/// minimum time say how long it takes; for others, and where that time is missing, it is a second for each whole metre.
pub fn rule_edge(stops: &Stops, rule: &TransferRule) -> Option<TransferEdge> {
    let is_change =
        rule.is_general() && rule.kind != TransferRule::FORBIDDEN && rule.from_stop != rule.to_stop;
    if !is_change {
        return None;
    }
    let [from, to] = [rule.from_stop, rule.to_stop].map(|stop| stops.position(StopIdx(stop)));
    let meters = distance_m(from, to);
    let is_timed = rule.kind == TransferRule::MINIMUM_TIME && rule.seconds >= 0;
    let seconds = if is_timed { rule.seconds } else { (meters as i32).min(LONGEST_SECONDS) };
    Some(edge(rule.from_stop, rule.to_stop, meters as f32, seconds))
}

fn edge(from_stop: u32, to_stop: u32, meters: f32, seconds: i32) -> TransferEdge {
    let transfer = DirectTransfer { other_stop: to_stop, meters, seconds, flags: WHEELCHAIR };
    TransferEdge { from_stop: StopIdx(from_stop), transfer }
}

/// The boardable stops of each station as (station, stop), by station; the station is one of them where vehicles call at
/// it.
pub(crate) fn stops_of_stations(stops: &Stops) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = (0..stops.id.len())
        .map(StopIdx::from)
        .filter(|&stop| stops.is_boardable(stop))
        .filter_map(|stop| Some((stops.own_station(stop)?.0, stop.0)))
        .collect();
    pairs.sort_unstable();
    pairs
}

fn station_edges(timetable: &Timetable) -> Vec<TransferEdge> {
    let siblings = stops_of_stations(&timetable.stops);
    let stations = siblings.chunk_by(|a, b| a.0 == b.0);
    stations
        .flat_map(|station| station.iter().flat_map(|a| station.iter().map(|b| (a.1, b.1))))
        .filter(|(a, b)| a != b)
        .map(|(a, b)| edge(a, b, 0.0, 0))
        .collect()
}

/// Stores connections, forward and reverse. Edges of unknown stops are left out; edges of a stop keep their order.
pub fn store_direct(timetable: &mut Timetable, edges: &[TransferEdge]) {
    let stop_count = timetable.stops.id.len();
    let transfers = &mut timetable.transfers;
    let known = |edge: &&TransferEdge| {
        edge.from_stop.index() < stop_count && (edge.transfer.other_stop as usize) < stop_count
    };
    let forward = edges.iter().filter(known).map(|edge| (edge.from_stop.0, edge.transfer));
    let reverse = edges.iter().filter(known).map(|edge| {
        (edge.transfer.other_stop, DirectTransfer { other_stop: edge.from_stop.0, ..edge.transfer })
    });
    (transfers.direct_offsets, transfers.direct) = group_by_stop(stop_count, forward.collect());
    (transfers.reverse_offsets, transfers.reverse) = group_by_stop(stop_count, reverse.collect());
}

fn group_by_stop(
    stop_count: usize,
    mut edges: Vec<(u32, DirectTransfer)>,
) -> (Column<u32>, Column<DirectTransfer>) {
    edges.sort_by_key(|(stop, _)| *stop);
    let offsets =
        (0..=stop_count as u32).map(|stop| edges.partition_point(|(s, _)| *s < stop) as u32).collect();
    (offsets, edges.into_iter().map(|(_, transfer)| transfer).collect())
}
