//! One row of a matrix: from an origin to all destinations, at one departure or over a window of them.

use trestle_model::RoutingRequest;
use trestle_model::geo::LatLon;

use crate::deadline::Deadline;
use crate::one_to_many::{Aim, AnalysisError, OneToMany, VertexValues, one_to_many};
use crate::scratch::Scratch;
use crate::snapshot::Snapshot;
use crate::surface::UNREACHED;
use crate::surface::sample_grid::Sample;

/// What is asked of every origin.
#[derive(Clone, Debug)]
pub struct MatrixTimes {
    /// Everything but the place. Its time is the first departure.
    pub request: RoutingRequest,
    /// Longest time, seconds.
    pub max_seconds: i32,
    /// Destinations, joined to the streets.
    pub destinations: Vec<Sample>,
}

/// Seconds to every destination with the wait for the first vehicle, or [`UNREACHED`].
pub type MatrixRow = Vec<i32>;

/// Travel times from one origin by the earliest arrival. An origin without streets near it reaches nothing.
///
/// # Errors
/// [`AnalysisError`]: outside the period of the data, or stopped.
pub fn matrix_row(
    snapshot: &Snapshot,
    times: &MatrixTimes,
    origin: LatLon,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<MatrixRow, AnalysisError> {
    let query = OneToMany {
        request: &times.request,
        center: origin,
        aim: Aim::EarliestArrival,
        max_seconds: times.max_seconds,
    };
    match one_to_many(snapshot, &query, scratch, deadline) {
        Ok(values) => Ok(times.destinations.iter().map(|d| seconds_to(&values, d, times)).collect()),
        Err(AnalysisError::PlaceNotFound(_)) => Ok(vec![UNREACHED; times.destinations.len()]),
        Err(error) => Err(error),
    }
}

fn seconds_to(values: &VertexValues, to: &Sample, times: &MatrixTimes) -> i32 {
    let by = |i: usize| match values.seconds.get(to.vertices[i] as usize) {
        Some(seconds) if seconds.is_finite() => {
            (f64::from(*seconds) + f64::from(to.metres[i]) / times.request.walk_speed) as i32
        }
        _ => UNREACHED,
    };
    match by(0).min(by(1)) {
        seconds if seconds <= times.max_seconds => seconds,
        _ => UNREACHED,
    }
}
