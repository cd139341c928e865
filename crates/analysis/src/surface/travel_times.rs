//! The surface itself.

use std::sync::Arc;

use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::RoutingRequest;
use trestle_model::geo::{LatLon, meters_to_degrees};
use trestle_model::mercator::TileId;
use trestle_street::cost::{StreetPace, WalkPace};
use trestle_street::nearest_vertices::SearchEnd;

use super::UNREACHED;
use super::kept_times::KeptTimes;
use super::tile_samples::tile_samples;
use crate::error::AnalysisError;
use crate::isochrone::contours::{Contour, LONGEST_SECONDS, contours};
use crate::isochrone::grid::{Grid, GridFrame};
use crate::isochrone::sampled::Seconds;
use crate::isochrone::sampling::sample_streets;
use crate::isochrone::sampling_rules::SamplingRules;
use crate::isochrone::start_street::StartStreet;
use crate::one_to_many::{ActiveTimes, EarliestSearch, VertexValues, center};
use crate::samples::{LinkedPoints, SAMPLE_RADIUS_M, Sample, SampleGrid};
use crate::scratch::Scratch;

/// Wait for the first vehicle that is allowed beyond the cutoff when the request does not limit it, seconds.
const DEFAULT_INITIAL_WAIT: i32 = 1800;

/// Travel times from (backward: to) a place to all of a graph's streets.
pub struct Surface {
    /// The graph that was searched, without live data, so that a surface does not keep old live data in memory.
    pub snapshot: Snapshot,
    /// Seconds without the initial wait to each street vertex that is reached, and the seconds of the first wait that
    /// were subtracted from what contours use.
    pub(super) times: KeptTimes,
    /// Vertices, by position, whose cheapest path is slower than the quickest, with its seconds: contours use that, as
    /// the interface does.
    pub(super) drawn_slower: Box<[(u32, i32)]>,
    /// Longest time, minutes.
    pub cutoff_minutes: i32,
    /// Walking speed off the streets, m/s.
    pub walk_speed: f64,
    /// The streets to sample for contours.
    streets: StreetPace,
    /// How travellers use the streets at the places that are reached.
    pub(super) elsewhere: SearchEnd,
    /// The street within which the search starts, between whose ends contours need times.
    start: Option<StartStreet>,
}

/// Searches from a place to everywhere by time alone.
pub fn surface(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    cutoff_minutes: i32,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<Surface, AnalysisError> {
    checked_cutoff(cutoff_minutes)?;
    let clamp = match request.clamp_initial_wait {
        wait if wait < 0 => DEFAULT_INITIAL_WAIT,
        wait => wait.min(i64::from(LONGEST_SECONDS)) as i32,
    };
    let center = center(snapshot, request)?;
    let search = EarliestSearch::new(snapshot, request, 60 * cutoff_minutes + clamp, deadline)?;
    let arrivals = search.everywhere(center, clamp, scratch)?;
    let ActiveTimes { vertices, seconds, slower_but_cheaper, removed_waits } = arrivals.active_times(clamp);
    let times = KeptTimes::new(vertices, &seconds, &removed_waits);
    Ok(Surface {
        drawn_slower: slower_but_cheaper.into(),
        ..Surface::of_times(snapshot, request, times, cutoff_minutes)
    })
}

/// # Errors
/// [`AnalysisError::Invalid`] for a cutoff that is out of range.
pub(super) fn checked_cutoff(minutes: i32) -> Result<(), AnalysisError> {
    let longest = LONGEST_SECONDS / 60;
    match (0..=longest).contains(&minutes) {
        true => Ok(()),
        false => {
            Err(AnalysisError::Invalid(format!("cutoffMinutes: {minutes} is not between 0 and {longest}")))
        }
    }
}

impl Surface {
    /// The surface with known times.
    pub(super) fn of_times(
        snapshot: &Snapshot,
        request: &RoutingRequest,
        times: KeptTimes,
        cutoff_minutes: i32,
    ) -> Surface {
        Surface {
            snapshot: snapshot.without_live_data(),
            times,
            drawn_slower: Box::default(),
            cutoff_minutes,
            walk_speed: request.walk_speed,
            streets: StreetPace::of(request),
            elsewhere: SearchEnd::elsewhere(request),
            start: center(snapshot, request).ok().and_then(|at| StartStreet::of(snapshot, request, at)),
        }
    }

    /// Bytes of memory, without those of the graph.
    pub fn bytes(&self) -> usize {
        self.times.bytes() + size_of_val(&*self.drawn_slower)
    }

    /// Seconds without the initial wait to a street vertex, or [`UNREACHED`].
    #[inline]
    pub fn seconds_to(&self, vertex: u32) -> i32 {
        self.times.seconds_to(vertex)
    }

    pub(super) fn samples_of(&self, tile: TileId) -> Arc<SampleGrid> {
        tile_samples(&self.snapshot, tile, self.elsewhere)
    }

    /// Computes seconds to sampled points at a walking speed off the streets, or [`UNREACHED`].
    pub fn times_at(&self, walk_speed: f64) -> impl Fn(&Sample) -> i32 + '_ {
        // Images have many more pixels than there are different distances in metres, so each division is done once.
        let longest = SAMPLE_RADIUS_M as u32;
        let pace = WalkPace::at(walk_speed);
        let off_road: Vec<i32> = (0..=longest).map(|metres| pace.seconds(f64::from(metres)) as i32).collect();
        move |sample| {
            let to = |i: usize| match self.seconds_to(sample.vertices[i]) {
                UNREACHED => UNREACHED,
                seconds => seconds.saturating_add(off_road[usize::from(sample.metres[i])]),
            };
            to(0).min(to(1))
        }
    }

    /// Seconds to linked points, or [`UNREACHED`]. The walking speed off the streets is that of the search unless another
    /// one is given.
    ///
    /// # Errors
    /// [`AnalysisError::Invalid`] for points that are joined to other streets.
    pub fn times_to(
        &self,
        points: &LinkedPoints,
        walk_speed: Option<f64>,
    ) -> Result<Vec<i32>, AnalysisError> {
        let (samples, others) = points.samples(&self.snapshot, self.elsewhere)?;
        let time_at = self.times_at(walk_speed.unwrap_or(self.walk_speed));
        let mut times: Vec<i32> = samples.iter().map(&time_at).collect();
        for (number, sample) in others {
            times[*number] = time_at(sample);
        }
        Ok(times)
    }
}

/// Cell, distance of samples, smoothing and off-road distance of the contours of surfaces, metres.
const CELL_M: f64 = 300.0;
const STEP_M: f64 = 105.0;
const SMOOTHING_M: f64 = 210.0;
const OFF_ROAD_M: f64 = 300.0;

/// The ground within `spacing`, 2 · `spacing`, … minutes up to the cutoff, at most `count`, the largest first.
pub fn surface_contours(
    surface: &Surface,
    spacing_minutes: i32,
    count: usize,
    deadline: &Deadline,
) -> Result<Vec<Contour>, AnalysisError> {
    let spacing = spacing_minutes.max(1);
    let mut cutoffs: Vec<i32> =
        (1..).map(|i| i * spacing).take_while(|m| *m <= surface.cutoff_minutes).collect();
    cutoffs.truncate(count);
    cutoffs.iter_mut().for_each(|minutes| *minutes *= 60);
    cutoffs.reverse();
    let times = &surface.times;
    let positions = 0..times.vertices().len();
    let mut seconds: Vec<f32> = positions.clone().map(|position| times.seconds(position) as f32).collect();
    for &(position, slower) in &surface.drawn_slower {
        seconds[position as usize] = slower as f32;
    }
    let removed_waits: Vec<f32> = positions.clone().map(|position| f32::from(times.wait(position))).collect();
    let values = VertexValues {
        vertices: times.vertices().clone(),
        seconds,
        removed_waits,
        walk_distance: vec![0.0; positions.len()],
        boardings: vec![0; positions.len()],
    };
    let rules = SamplingRules {
        step_m: STEP_M,
        travel: surface.streets,
        max_seconds: f64::INFINITY,
        max_walk_distance: f64::INFINITY,
        start: surface.start.as_ref(),
    };
    let street = &surface.snapshot.graph.street;
    let grid: Grid<Seconds> = sample_streets(street, &values, &rules, frame())?;
    contours(&grid, &cutoffs, 4, deadline)
}

/// A grid of the whole earth: aligned at latitude and longitude 0, its cells as wide in degrees as they are high.
fn frame() -> GridFrame {
    let cell = meters_to_degrees(CELL_M);
    GridFrame {
        anchor: LatLon::new(0.0, 0.0),
        cell_lat: cell,
        cell_lon: cell,
        cell_m: CELL_M,
        smoothing_m: SMOOTHING_M,
        off_road_m: OFF_ROAD_M,
        cos_lat: 1.0,
    }
}
