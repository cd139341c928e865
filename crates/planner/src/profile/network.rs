//! The timetable as stop clusters and the vehicles between them.

use trestle_engine::index::Clusters;
use trestle_engine::snapshot::Snapshot;
use trestle_model::ids::{PatternIdx, RouteIdx, StopIdx};
use trestle_model::{BitSet, Mode, ModeSet};
use trestle_street::cost::WalkPace;
use trestle_transit::raptor::active_service::{ActivePattern, CAN_ALIGHT, CAN_BOARD, Lane, NONE};
use trestle_transit::raptor::{ActiveService, least_change_seconds};

use super::answer::{Segment, SegmentPattern};
use super::request::ProfileRequest;
use super::rides::{ClusterIdx, PatternRide, RideChoice, UsedPattern};
use super::statistics::{Departure, RuledEnd};

/// Seconds that a traveller who changes must be at a stop before the vehicle departs.
pub(super) const BOARD_SECONDS: i32 = 60;

/// Seconds that a traveller must be at a stop before the vehicle of a ride departs. Before the first ride there are none,
/// because travellers can time their way to the stop.
pub(super) fn board_seconds(number: usize) -> i32 {
    if number > 1 { BOARD_SECONDS } else { 0 }
}

/// A walk between two clusters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk {
    pub(super) to: ClusterIdx,
    pub(super) seconds: i32,
    pub(super) meters: f64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ActiveCall {
    /// Index of the active pattern.
    pub(super) pattern: u32,
    /// Position in the pattern.
    pub(super) position: u32,
}

/// Clusters, calls and walks.
pub(super) struct Network<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) service: &'a ActiveService,
    clusters: &'a Clusters,
    modes: ModeSet,
    cluster_of_stop: Vec<ClusterIdx>,
    /// Stops of each cluster.
    stops: Vec<Vec<StopIdx>>,
    walks: Vec<Vec<Walk>>,
    /// Stops with rules of transfers.txt for transfers from them.
    ruled: BitSet,
}

impl<'a> Network<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, service: &'a ActiveService, request: &ProfileRequest) -> Self {
        let clusters = &snapshot.graph.listing.clusters;
        let mut network = Network {
            snapshot,
            service,
            clusters,
            modes: request.transit_modes,
            cluster_of_stop: Vec::new(),
            stops: vec![Vec::new(); clusters.count()],
            walks: Vec::new(),
            ruled: BitSet::default(),
        };
        for rule in snapshot.graph.timetable.transfers.rules.iter() {
            network.ruled.insert(rule.from_stop as usize);
        }
        for stop in (0..service.stop_count()).map(StopIdx::from) {
            let cluster = clusters.of_stop(stop).unwrap_or_else(|| {
                network.stops.push(Vec::new());
                network.stops.len() as u32 - 1
            });
            network.cluster_of_stop.push(cluster);
            network.stops[cluster as usize].push(stop);
        }
        network.walks = network.walks_between_clusters(WalkPace::at(request.walk_speed));
        network
    }

    pub(super) fn cluster_count(&self) -> usize {
        self.stops.len()
    }

    pub(super) fn cluster(&self, stop: StopIdx) -> ClusterIdx {
        self.cluster_of_stop[stop.index()]
    }

    pub(super) fn walks_from(&self, cluster: ClusterIdx) -> &[Walk] {
        &self.walks[cluster as usize]
    }

    fn id_and_name(&self, cluster: ClusterIdx) -> (String, String) {
        match self.clusters.get(cluster) {
            Some(cluster) => (cluster.id.to_owned(), cluster.name.to_owned()),
            None => {
                let timetable = &self.snapshot.graph.timetable;
                let stop = self.stops[cluster as usize].first().copied().unwrap_or(StopIdx(0));
                let name = timetable.texts.get(timetable.stops.name[stop.index()]).to_owned();
                (timetable.stop_id(stop), name)
            }
        }
    }

    /// Calls at a cluster at which vehicles of the requested modes can be boarded.
    pub(super) fn boardings(&self, cluster: ClusterIdx) -> impl Iterator<Item = ActiveCall> + '_ {
        let calls = self.stops[cluster as usize].iter().flat_map(|&stop| self.service.calls_at(stop));
        calls.map(|&[pattern, position]| ActiveCall { pattern, position }).filter(|call| {
            let pattern = &self.service.patterns[call.pattern as usize];
            self.runs(pattern) && self.allows(pattern, call.position, CAN_BOARD)
        })
    }

    /// The calls after a boarding at which riders can alight: cluster, ride, least seconds.
    pub(super) fn alightings(
        &self,
        from: ActiveCall,
    ) -> impl Iterator<Item = (ClusterIdx, PatternRide, i32)> + '_ {
        let pattern = &self.service.patterns[from.pattern as usize];
        let mut least = 0;
        (from.position + 1..pattern.calls).filter_map(move |alight| {
            let before = pattern.call_at(alight as usize - 1);
            if alight - 1 > from.position {
                least += self.service.least_times.dwell[before];
            }
            least += self.service.least_times.hop[before];
            let stop = self.service.call_stop[pattern.call_at(alight as usize)];
            let ride = PatternRide { pattern: from.pattern, board: from.position, alight };
            self.allows(pattern, alight, CAN_ALIGHT).then(|| (self.cluster(stop), ride, least))
        })
    }

    /// The end of a ride, if transfers.txt has rules for transfers from it.
    pub(super) fn ruled_end(&self, ride: PatternRide) -> Option<RuledEnd> {
        let (stop, route) = self.called_at(ride.pattern, ride.alight);
        self.ruled.has(stop.index()).then_some(RuledEnd { stop, route })
    }

    /// Least seconds between the end of a ride and a boarding; `None` where the transfer is forbidden.
    pub(super) fn change_seconds(&self, from: RuledEnd, to: ActiveCall) -> Option<i32> {
        let boarding = self.called_at(to.pattern, to.position);
        least_change_seconds(&self.snapshot.graph.timetable, (from.stop, from.route), boarding)
    }

    fn called_at(&self, pattern: u32, position: u32) -> (StopIdx, RouteIdx) {
        let pattern = &self.service.patterns[pattern as usize];
        (self.service.call_stop[pattern.call_at(position as usize)], pattern.route)
    }

    /// Whether a pattern has one of the requested modes.
    pub(super) fn runs(&self, pattern: &ActivePattern) -> bool {
        Mode::from_number(pattern.mode).is_some_and(|mode| self.modes.has(mode))
    }

    fn allows(&self, pattern: &ActivePattern, position: u32, what: u8) -> bool {
        self.service.call_flags[pattern.call_at(position as usize)] & what != 0
    }

    /// The vehicles that depart between two times, sorted.
    pub(super) fn departures(&self, rides: &[PatternRide], from: i32, until: i32) -> Vec<Departure> {
        let mut departures = Vec::new();
        for (number, ride) in (0u32..).zip(rides) {
            let pattern = &self.service.patterns[ride.pattern as usize];
            for lane in &self.service.lanes[pattern.lane_range()] {
                self.add_departures(lane, *ride, number, (from, until), &mut departures);
            }
        }
        departures.sort_unstable();
        departures
    }

    fn add_departures(
        &self,
        lane: &Lane,
        ride: PatternRide,
        number: u32,
        (from, until): (i32, i32),
        departures: &mut Vec<Departure>,
    ) {
        let leaving = self.service.departures_at(lane, ride.board as usize);
        let arriving = self.service.arrivals_at(lane, ride.alight as usize);
        if lane.headway != NONE {
            let headway = self.service.headways[lane.headway as usize];
            let starts = (headway.start..headway.end).step_by(headway.seconds.max(1) as usize);
            let vehicles = starts.map(|start| (leaving[0] + start, arriving[0] + start));
            let wanted = vehicles.filter(|(departs, _)| (from..=until).contains(departs));
            departures.extend(wanted.map(|(departs, arrives)| Departure { departs, arrives, ride: number }));
            return;
        }
        let first = leaving.partition_point(|&t| t < from);
        let last = leaving.partition_point(|&t| t <= until);
        departures.extend((first..last).map(|run| Departure {
            departs: leaving[run],
            arrives: arriving[run],
            ride: number,
        }));
    }

    /// A ride for the answer.
    pub(super) fn segment(&self, ride: &RideChoice) -> Segment {
        let ((from, from_name), (to, to_name)) = (self.id_and_name(ride.from), self.id_and_name(ride.to));
        let active = |used: &UsedPattern| self.service.patterns[used.ride.pattern as usize];
        let mut routes: Vec<RouteIdx> = Vec::new();
        for route in ride.patterns.iter().map(|used| active(used).route) {
            if !routes.contains(&route) {
                routes.push(route);
            }
        }
        let pattern = |used: &UsedPattern| {
            let active = active(used);
            SegmentPattern {
                pattern: PatternIdx(active.pattern),
                board: active.first_position + used.ride.board,
                alight: active.first_position + used.ride.alight,
                trips: used.trips,
            }
        };
        let mode = ride.patterns.first().and_then(|used| Mode::from_number(active(used).mode));
        Segment {
            from,
            to,
            from_name,
            to_name,
            walk_seconds: ride.walk.0,
            walk_meters: ride.walk.1,
            wait: ride.wait,
            ride: ride.riding,
            mode: mode.unwrap_or(Mode::Bus),
            routes,
            patterns: ride.patterns.iter().map(pattern).collect(),
        }
    }

    fn walks_between_clusters(&self, pace: WalkPace) -> Vec<Vec<Walk>> {
        let transfers = &self.snapshot.graph.timetable.transfers;
        let mut walks: Vec<Vec<Walk>> = vec![Vec::new(); self.stops.len()];
        for (stop, &from) in self.cluster_of_stop.iter().enumerate() {
            let on_foot =
                transfers.direct_from(StopIdx::from(stop)).iter().filter(|edge| edge.is_usable(false));
            for edge in on_foot {
                let to = self.cluster_of_stop[edge.other_stop as usize];
                let seconds = match edge.seconds {
                    fixed if fixed >= 0 => fixed,
                    _ => pace.seconds(f64::from(edge.meters)).ceil() as i32,
                };
                if to != from {
                    walks[from as usize].push(Walk { to, seconds, meters: f64::from(edge.meters.max(0.0)) });
                }
            }
        }
        for list in &mut walks {
            list.sort_by_key(|walk| (walk.to, walk.seconds));
            list.dedup_by_key(|walk| walk.to);
        }
        walks
    }
}
