//! Places on one street. Searches that start and end at corners would go there and back, so the way along the street counts
//! as well, as in plans.

use std::borrow::Cow;

use trestle_model::geo::{EARTH_RADIUS_M, LatLon, planar_distance_m};
use trestle_street::link::{LINK_RADIUS_M, LinkedPlace};
use trestle_street::nearest_vertices::SearchEnd;
use trestle_street::search::StreetSearch;

use super::earliest::EarliestSearch;
use super::place::{Joined, off_street};
use crate::error::AnalysisError;
use crate::samples::{Destination, SAMPLE_RADIUS_M};

impl EarliestSearch<'_> {
    /// Seconds from a place along its street to the destinations on the same one, by their numbers, and none to those at
    /// the same position.
    pub(crate) fn along_one_street(
        &self,
        (center, joined): (LatLon, &Joined),
        destinations: &[Destination],
        memory: &mut StreetSearch,
    ) -> Result<Vec<(usize, i32)>, AnalysisError> {
        let place = match joined {
            Joined::Street(place) => Some(Cow::Borrowed(place)),
            Joined::Nodes(_) => self.linked(center, SearchEnd::at_known_time(&self.request)).map(Cow::Owned),
        };
        let Some(place) = place else { return Ok(Vec::new()) };
        let reach = Reach::of(&place, matches!(joined, Joined::Street(_)));
        let mut found = Vec::new();
        for (number, destination) in destinations.iter().enumerate() {
            if destination.position() == Some(center) {
                found.push((number, 0));
            } else if let Some(other) = self.near(&reach, destination)
                && let Some(seconds) = self.between(&place, &other, memory)?
            {
                found.push((number, seconds));
            }
        }
        Ok(found)
    }

    /// The place of a destination that may be on the same street.
    fn near<'d>(&self, reach: &Reach, destination: &'d Destination) -> Option<Cow<'d, LinkedPlace>> {
        match destination {
            Destination::Street(other) => Some(Cow::Borrowed(other)),
            // Its street is not farther than its nearest node.
            Destination::Nodes { at, sample }
                if reach.includes(*at, || f64::from(sample.metres[0]) + 1.0) =>
            {
                self.linked(*at, SearchEnd::elsewhere(&self.request)).map(Cow::Owned)
            }
            _ => None,
        }
    }

    /// Seconds between two places if they are on one street.
    fn between(
        &self,
        place: &LinkedPlace,
        other: &LinkedPlace,
        memory: &mut StreetSearch,
    ) -> Result<Option<i32>, AnalysisError> {
        if !place.shares_edge_with(other) {
            return Ok(None);
        }
        let path = memory.route(&self.query_on_streets(), place, other, self.request.direction)?;
        let walks = [place, other].map(|place| self.walk_pace().seconds(off_street(place)) as i32);
        let off_streets = off_street(place) + off_street(other);
        let allowed = path.filter(|path| self.allows(path.walk_distance_m + off_streets));
        Ok(allowed.map(|path| path.seconds + walks.iter().sum::<i32>()))
    }
}

/// How far from a place destinations may be on its street.
struct Reach {
    center: LatLon,
    /// Metres along the street.
    along_m: f64,
    /// Metres from the street to destinations; `None` if the distance to their nearest node decides.
    beside_m: Option<f64>,
    /// A box with all of them: degrees to each side.
    lat: f64,
    lon: f64,
}

impl Reach {
    /// `is_far`: no node is near the place, so its street may be the nearest one of places with nodes on the other side.
    fn of(place: &LinkedPlace, is_far: bool) -> Reach {
        let along_m = f64::from(place.longest_street_mm()) / 1000.0;
        let beside_m = is_far.then_some(LINK_RADIUS_M);
        let lat = ((along_m + beside_m.unwrap_or(SAMPLE_RADIUS_M + 1.0)) / EARTH_RADIUS_M).to_degrees();
        let center = place.snapped;
        // Meridians are nearer to each other at the far side of the box.
        let least_cos = (center.lat.abs() + lat).min(90.0).to_radians().cos().max(1e-3);
        Reach { center, along_m, beside_m, lat, lon: lat / least_cos }
    }

    #[inline]
    fn includes(&self, at: LatLon, nearest_node_m: impl Fn() -> f64) -> bool {
        (at.lat - self.center.lat).abs() <= self.lat
            && (at.lon - self.center.lon).abs() <= self.lon
            && planar_distance_m(self.center, at)
                <= self.along_m + self.beside_m.unwrap_or_else(nearest_node_m)
    }
}
