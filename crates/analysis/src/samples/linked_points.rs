//! Points of interest, and the destinations of matrices, joined to the streets.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use trestle_engine::Derived;
use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;
use trestle_model::ids::StopIdx;
use trestle_model::recent::Recent;
use trestle_street::link::{LinkEnd, LinkedPlace};
use trestle_street::nearest_vertices::SearchEnd;

use super::open_nodes::OpenNodes;
use super::sample_grid::Sample;
use super::vertex_index::VertexIndex;
use crate::error::AnalysisError;

/// Number of lists of destinations that are kept with a graph or scenario.
const KEPT_LISTS: usize = 4;

/// What a destination of a matrix is joined to.
#[derive(Clone, PartialEq, Debug)]
pub enum Destination {
    /// The nodes near it.
    Nodes {
        /// The nodes.
        sample: Sample,
        /// Where it is.
        at: LatLon,
    },
    /// Where no node is near, the street to which plans link it.
    Street(Box<LinkedPlace>),
    /// Off the streets, the stops nearest to it, as in plans.
    Stops(Box<[StopIdx]>),
}

impl Destination {
    /// Where it is, if that is on streets.
    pub(crate) fn position(&self) -> Option<LatLon> {
        match self {
            Destination::Nodes { at, .. } => Some(*at),
            Destination::Street(place) => Some(place.position),
            Destination::Stops(_) => None,
        }
    }

    /// The stops at which it is; none if it is on streets.
    pub fn stops(&self) -> &[StopIdx] {
        match self {
            Destination::Stops(stops) => stops,
            Destination::Nodes { .. } | Destination::Street(_) => &[],
        }
    }
}

/// What places are joined to.
struct LinkedDestinations {
    places: Vec<LatLon>,
    by: SearchEnd,
    /// Version of the live data whose stops count, if there is any.
    live: Option<u64>,
    destinations: Arc<[Destination]>,
}

/// The destinations of the latest matrices.
#[derive(Default)]
struct KeptDestinations(Mutex<Recent<LinkedDestinations, KEPT_LISTS>>);

impl KeptDestinations {
    /// The destinations of these places; `make` makes those that are not kept, while other requests wait.
    fn get_or_make(
        &self,
        (places, by, live): (&[LatLon], SearchEnd, Option<u64>),
        make: impl FnOnce() -> Result<Arc<[Destination]>, AnalysisError>,
    ) -> Result<Arc<[Destination]>, AnalysisError> {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted =
            |kept: &LinkedDestinations| kept.by == by && kept.live == live && kept.places == places;
        if let Some(kept) = lists.find(is_wanted) {
            return Ok(kept.destinations.clone());
        }
        let destinations = make()?;
        let kept = LinkedDestinations { places: places.to_vec(), by, live, destinations };
        let destinations = kept.destinations.clone();
        lists.keep(kept);
        Ok(destinations)
    }
}

/// All samples of points, and those that replace some of them, by the number of their point.
type Samples<'a> = (&'a [Sample], &'a [(usize, Sample)]);

/// Points that are joined to the streets, for all surfaces of a graph.
#[derive(Clone, Debug)]
pub struct LinkedPoints {
    /// Tells streets apart; scenarios have those of their graph.
    streets: Weak<Derived>,
    points: Vec<LatLon>,
    /// For pedestrians and cyclists.
    samples: Vec<Sample>,
    /// For drivers, only those that differ, with the number of their point: where they set out, and where they arrive.
    /// Made for the first surface by car.
    driven: [OnceLock<Vec<(usize, Sample)>>; 2],
}

impl LinkedPoints {
    /// Joins points to the streets of a graph.
    pub fn new(snapshot: &Snapshot, points: Vec<LatLon>) -> LinkedPoints {
        let index = VertexIndex::of(snapshot);
        let samples = points.iter().map(|&point| index.nearest(point).into()).collect();
        let streets = Arc::downgrade(&snapshot.derived_from_streets);
        LinkedPoints { streets, points, samples, driven: Default::default() }
    }

    /// All samples, and those that replace some of them at this end of a search, by the number of their point.
    ///
    /// # Errors
    /// [`AnalysisError::Invalid`] when the snapshot has other streets than the one that the points were joined to.
    pub fn samples(&self, snapshot: &Snapshot, by: SearchEnd) -> Result<Samples<'_>, AnalysisError> {
        if self.streets.as_ptr() != Arc::as_ptr(&snapshot.derived_from_streets) {
            return Err(AnalysisError::Invalid(
                "points: were linked to the streets of another graph".to_owned(),
            ));
        }
        let Some(by) = by.of_drivers() else { return Ok((&self.samples, &[])) };
        let [set_out, arrive] = &self.driven;
        let driven = if by.end == LinkEnd::Destination { arrive } else { set_out };
        Ok((&self.samples, driven.get_or_init(|| self.joined_otherwise(&OpenNodes::at(snapshot, by)))))
    }

    fn joined_otherwise(&self, nodes: &OpenNodes<'_>) -> Vec<(usize, Sample)> {
        let joined = self.samples.iter().zip(&self.points).map(|(&sample, &at)| nodes.instead_of(sample, at));
        joined.enumerate().filter(|(number, open)| self.samples[*number] != *open).collect()
    }
}

/// Joins the destinations of a request's matrix to the streets, or off the streets to stops, and keeps the latest lists. A
/// destination whose nodes travellers cannot reach, as those of footpaths by car, is joined to nodes that they can; one
/// without nodes near it to the ends of its street.
pub fn linked_destinations(
    snapshot: &Snapshot,
    points: &[LatLon],
    request: &RoutingRequest,
    deadline: &Deadline,
) -> Result<Arc<[Destination]>, AnalysisError> {
    let by = SearchEnd::elsewhere(request);
    let kept: &KeptDestinations = snapshot.derived.get();
    let scheduled = kept.get_or_make((points, by, None), || by_schedule(snapshot, points, by, deadline))?;
    let served_live = snapshot.live_schedule().stops_without_schedule();
    let Some(overlay) = snapshot.overlay.as_ref() else { return Ok(scheduled) };
    if request.ignore_realtime || served_live.is_empty() {
        return Ok(scheduled);
    }
    let join = |(destination, &point): (&Destination, &LatLon)| {
        deadline.check()?;
        let is_off_streets = matches!(destination, Destination::Stops(_));
        Ok(match is_off_streets && served_live.iter().any(|&stop| snapshot.graph.is_near(stop, point)) {
            true => Destination::Stops(snapshot.stops_near(point, false).into()),
            false => destination.clone(),
        })
    };
    kept.get_or_make((points, by, Some(overlay.version)), || scheduled.iter().zip(points).map(join).collect())
}

/// The destinations without live data.
fn by_schedule(
    snapshot: &Snapshot,
    points: &[LatLon],
    by: SearchEnd,
    deadline: &Deadline,
) -> Result<Arc<[Destination]>, AnalysisError> {
    let index = VertexIndex::of(snapshot);
    let open = OpenNodes::at(snapshot, by);
    let join = |&point: &LatLon| {
        deadline.check()?;
        let sample = open.instead_of(index.nearest(point).into(), point);
        if sample.exists() {
            return Ok(Destination::Nodes { sample, at: point });
        }
        let place = LinkedPlace::at_coordinate(&snapshot.graph.street, point, by.mode, by.end);
        Ok(match place {
            Some(place) => Destination::Street(Box::new(place)),
            None => Destination::Stops(snapshot.stops_near(point, true).into()),
        })
    };
    points.iter().map(join).collect()
}
