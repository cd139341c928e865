//! The street parts of options: the nearby clusters of each mode, and the paths of the chosen options.

use std::cell::LazyCell;

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_model::ids::StopIdx;
use trestle_model::{Direction, Mode, RoutingRequest};
use trestle_street::cost::{StreetCosts, StreetLimits};
use trestle_street::link::{LinkEnd, LinkMode, LinkedPlace};
use trestle_street::path::StreetPath;
use trestle_street::search::{NearbyStops, StreetQuery, StreetSearch};

use super::answer::{ProfileOption, StreetEdge, StreetSegment};
use super::error::ProfileError;
use super::nearby_clusters::{Ends, NearbyClusters};
use super::network::Network;
use super::request::{ProfileMode, ProfileRequest};
use super::rides::{ClusterIdx, RideChoices};
use super::selection::{Chosen, of_modes};
use super::statistics::Stats;
use crate::itinerary::{NarratedEdge, narrated_edges};
use crate::scratch::Scratch;

/// Language of street names.
const LOCALE: &str = "en";

/// No profile is for a wheelchair.
const WHEELCHAIR: bool = false;

pub(super) struct StreetSearches<'a> {
    snapshot: &'a Snapshot,
    request: &'a ProfileRequest,
    deadline: &'a Deadline,
}

/// One search from an end of the trip to stops.
struct StopSearch {
    costs: StreetCosts,
    limits: StreetLimits,
    place: LinkedPlace,
    direction: Direction,
}

impl<'a> StreetSearches<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, request: &'a ProfileRequest, deadline: &'a Deadline) -> Self {
        StreetSearches { snapshot, request, deadline }
    }

    /// The option without transit: a path for every direct mode that is fast enough.
    pub(super) fn direct_option(&self, memory: &mut StreetSearch) -> Result<ProfileOption, ProfileError> {
        let mut access = Vec::new();
        for &mode in &self.request.direct_modes {
            if let Some(path) = self.direct_path(mode, memory)? {
                access.push(self.segment(mode, path.seconds, &path));
            }
        }
        let stats = Stats::of(access.iter().map(|segment| segment.seconds));
        let stats = if access.is_empty() { stats } else { Stats { num: 1, ..stats } };
        Ok(ProfileOption { transit: Vec::new(), access, egress: Vec::new(), stats, fares: Vec::new() })
    }

    fn direct_path(
        &self,
        mode: ProfileMode,
        memory: &mut StreetSearch,
    ) -> Result<Option<StreetPath>, ProfileError> {
        let request = self.request.street_request(mode, false);
        let ends = [(self.request.from, LinkEnd::Start), (self.request.to, LinkEnd::Destination)]
            .map(|(at, end)| self.linked(at, mode.link_mode(), end));
        let [Some(from), Some(to)] = &ends else { return Ok(None) };
        let costs = self.costs(&request);
        let limits = StreetLimits { max_seconds: self.request.street_seconds, ..StreetLimits::default() };
        let query = self.query(&costs, limits);
        let path = memory.route_from_either_end(&query, from, to, Direction::Forward)?;
        Ok(path.filter(|path| (1..=self.request.street_seconds).contains(&path.seconds)))
    }

    /// The clusters that can be reached from the start, and those from which the destination can be reached.
    pub(super) fn ends(&self, network: &Network<'_>, scratch: &mut Scratch) -> Result<Ends, ProfileError> {
        let near = |modes: &[ProfileMode], direction, memory: &mut StreetSearch| {
            let near = modes.iter().map(|&mode| self.nearby_clusters(network, mode, direction, memory));
            near.collect::<Result<_, ProfileError>>()
        };
        Ok(Ends {
            access: near(&self.request.access_modes, Direction::Forward, &mut scratch.access)?,
            egress: near(&self.request.egress_modes, Direction::Backward, &mut scratch.egress)?,
        })
    }

    fn nearby_clusters(
        &self,
        network: &Network<'_>,
        mode: ProfileMode,
        direction: Direction,
        memory: &mut StreetSearch,
    ) -> Result<NearbyClusters, ProfileError> {
        let mut near = NearbyClusters::none(mode, network.cluster_count());
        if let Some(search) = self.stop_search(mode, direction) {
            let found = self.nearby_stops(&search, memory)?;
            self.add_clusters(&mut near, network, direction, &found);
        }
        Ok(near)
    }

    /// Adds the clusters to which the stops of a search lead.
    fn add_clusters(
        &self,
        near: &mut NearbyClusters,
        network: &Network<'_>,
        direction: Direction,
        found: &NearbyStops<'_>,
    ) {
        let mode = near.mode;
        let least = if direction == Direction::Forward { self.request.shortest_seconds(mode) } else { 0 };
        let within = least..=self.request.longest_seconds(mode);
        // Whether a stop counts for the mode. It takes the path to the stop, so few are asked about.
        let counts = |number: usize| !mode.may_walk_all_the_way() || !is_walked(&found.path_to(number));
        let stops = found.stops().iter().enumerate().filter(|(_, stop)| within.contains(&stop.seconds));
        for (number, stop) in stops.clone() {
            near.improve(network.cluster(StopIdx(stop.stop)), stop, || counts(number));
        }
        let edges = self.snapshot.graph.station_edges(direction, WHEELCHAIR);
        // As in plans, a path inside a station may be shorter than the one over the streets.
        for (number, stop) in stops {
            let counts = LazyCell::new(|| counts(number));
            for other in edges.others(StopIdx(stop.stop)) {
                near.improve(network.cluster(other), stop, || *counts);
            }
        }
    }

    /// The search for stops around an end of the trip; `None` when it is far from all streets.
    fn stop_search(&self, mode: ProfileMode, direction: Direction) -> Option<StopSearch> {
        let linked = match (direction, mode) {
            (Direction::Forward, mode) => self.linked(self.request.from, mode.link_mode(), LinkEnd::Start),
            // A traveller who is picked up at the stop may walk the last metres.
            (Direction::Backward, ProfileMode::Car) => {
                self.linked(self.request.to, LinkMode::Walk, LinkEnd::Destination)
            }
            (Direction::Backward, mode) => {
                self.linked(self.request.to, mode.link_mode(), LinkEnd::Destination)
            }
        };
        let costs = self.costs(&self.request.street_request(mode, true));
        let limits =
            StreetLimits { max_seconds: self.request.longest_seconds(mode), ..StreetLimits::default() };
        linked.map(|place| StopSearch { costs, limits, place, direction })
    }

    fn nearby_stops<'s>(
        &'s self,
        search: &'s StopSearch,
        memory: &'s mut StreetSearch,
    ) -> Result<NearbyStops<'s>, ProfileError> {
        let query = self.query(&search.costs, search.limits);
        let link_seconds = |stop: u32| self.snapshot.graph.stop_link_seconds(StopIdx(stop));
        Ok(memory.nearby_stops(&query, &search.place, search.direction, &link_seconds)?)
    }

    /// Options with their paths and prices.
    pub(super) fn describe(
        &self,
        network: &Network<'_>,
        rides: &RideChoices,
        chosen: &[Chosen],
        ends: &Ends,
        scratch: &mut Scratch,
    ) -> Result<Vec<ProfileOption>, ProfileError> {
        let mut options: Vec<ProfileOption> = (chosen.iter())
            .map(|option| {
                let chain = rides.chain(option.last);
                ProfileOption {
                    transit: chain.iter().map(|ride| network.segment(ride)).collect(),
                    access: Vec::new(),
                    egress: Vec::new(),
                    stats: option.stats,
                    fares: super::fares::fares(network, &chain),
                }
            })
            .collect();
        for near in &ends.access {
            let wants = |option: &Chosen| of_modes(&ends.access, option.modes).any(|n| n.mode == near.mode);
            let clusters = chosen.iter().map(|o| wants(o).then(|| rides.all[o.last as usize].origin));
            let segments = self.segments(near, Direction::Forward, clusters, &mut scratch.access)?;
            for (option, segment) in options.iter_mut().zip(segments) {
                option.access.extend(segment);
            }
        }
        for near in &ends.egress {
            let clusters = chosen.iter().map(|o| Some(rides.all[o.last as usize].to));
            let segments = self.segments(near, Direction::Backward, clusters, &mut scratch.egress)?;
            for (option, segment) in options.iter_mut().zip(segments) {
                option.egress.extend(segment);
            }
        }
        Ok(options)
    }

    /// The paths to (backward: from) some clusters in the mode of `near`. The search is repeated because the memory with
    /// the paths has been used for other modes.
    fn segments(
        &self,
        near: &NearbyClusters,
        direction: Direction,
        clusters: impl Iterator<Item = Option<ClusterIdx>>,
        memory: &mut StreetSearch,
    ) -> Result<Vec<Option<StreetSegment>>, ProfileError> {
        let clusters: Vec<Option<ClusterIdx>> = clusters.collect();
        if clusters.iter().flatten().all(|&cluster| near.seconds(cluster).is_none()) {
            return Ok(vec![None; clusters.len()]);
        }
        let Some(search) = self.stop_search(near.mode, direction) else {
            return Ok(vec![None; clusters.len()]);
        };
        let found = self.nearby_stops(&search, memory)?;
        let stops = found.stops();
        let segment = |cluster: ClusterIdx| {
            near.seconds(cluster)?;
            let number = stops.iter().position(|stop| stop.stop == near.stop[cluster as usize])?;
            Some(self.segment(near.mode, stops[number].seconds, &found.path_to(number)))
        };
        Ok(clusters.into_iter().map(|cluster| cluster.and_then(segment)).collect())
    }

    fn segment(&self, mode: ProfileMode, seconds: i32, path: &StreetPath) -> StreetSegment {
        let station = |station: Option<u32>| self.snapshot.bikes.station(station?).cloned();
        let edge = |edge: NarratedEdge| StreetEdge {
            picked_up_at: station(edge.picked_up_at),
            dropped_off_at: station(edge.dropped_off_at),
            edge,
        };
        let edges = narrated_edges(&self.snapshot.graph, path, LOCALE).into_iter().map(edge).collect();
        StreetSegment { mode, seconds, edges }
    }

    fn linked(&self, at: LatLon, mode: LinkMode, end: LinkEnd) -> Option<LinkedPlace> {
        LinkedPlace::at_coordinate(&self.snapshot.graph.street, at, mode, end)
    }

    fn costs(&self, request: &RoutingRequest) -> StreetCosts {
        StreetCosts::from_request(request, self.snapshot.utc_offset(request.epoch_seconds))
    }

    fn query<'q>(&'q self, costs: &'q StreetCosts, limits: StreetLimits) -> StreetQuery<'q> {
        StreetQuery {
            stations: Some(self.snapshot.bike_stations_at(self.request.from_epoch)),
            limits,
            metrics: Some(self.snapshot.derived_from_streets.get()),
            interrupted: self.deadline.interrupted(),
            ..StreetQuery::new(&self.snapshot.graph.street, costs)
        }
    }
}

/// Whether a path is walked from end to end.
fn is_walked(path: &StreetPath) -> bool {
    !path.traversals.iter().any(|t| t.renting || t.mode == Mode::Car)
}
