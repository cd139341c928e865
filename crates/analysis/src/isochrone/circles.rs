//! Isochrones as circles around stops: the least time to each stop over departures spread across a day, and around each
//! stop the ground that can be walked in the remaining time.

use rustc_hash::FxHashMap;
use trestle_engine::deadline::Deadline;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::{LatLon, distance_m, meters_to_degrees};
use trestle_model::ids::{StopIdx, VertexIdx};
use trestle_model::{Direction, RoutingRequest};
use trestle_street::cost::WalkPace;
use trestle_transit::raptor::UNREACHED;

use super::cleaning::valid_polygons;
use super::contours::{Contour, LONGEST_SECONDS};
use super::isoline::Ring;
use super::polygons::Polygon;
use crate::error::AnalysisError;
use crate::one_to_many::{ActiveTimes, EarliestSearch};
use crate::scratch::Scratch;

/// Longest time of a search beyond the wait for the first vehicle, seconds.
const LONGEST_TRAVEL: i32 = 7200;
/// Circles are drawn only when more than this many seconds are left to walk.
const LEAST_REST: f64 = 60.0;
const CIRCLE_SIDES: usize = 32;
/// Largest number of searches of a request.
const MAX_DEPARTURES: i64 = 1500;
/// Largest number of contours of a request.
const MAX_CONTOURS: i32 = 200;
/// Largest radius around the place, metres.
const MAX_RADIUS_M: f64 = 100_000.0;
/// How many of the largest circles every other circle is compared with.
const LARGEST: usize = 64;
/// Side of the squares in which nearby circles are found, metres.
const SQUARE_M: f64 = 300.0;
/// Circles that extend beyond another one by less than this are left out, metres.
const ROUNDING_M: f64 = 2.0;
/// Parts joined at once.
const JOINED: usize = 16;

/// What to search and draw.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct CircleOptions {
    /// Seconds between departures.
    pub spacing_seconds: i32,
    /// Seconds over which they are spread, from the request's time on.
    pub timespan_seconds: i32,
    /// Circles around stops only, not around every vertex of the streets.
    pub stops_only: bool,
    /// Trips begin at the stops within this many metres of the place.
    pub radius_m: f64,
    /// Number of contours.
    pub contours: i32,
    /// Seconds between them.
    pub contour_spacing_seconds: i32,
    /// Decimals of the coordinates.
    pub decimals: u32,
}

/// The contours, the largest first.
#[derive(Clone, PartialEq, Debug)]
pub struct CircleIsochrone {
    /// One per time.
    pub contours: Vec<Contour>,
    /// Name of the stop that is nearest to the place.
    pub stop_name: String,
}

impl CircleOptions {
    fn check(&self) -> Result<(), AnalysisError> {
        let least_one = [
            ("spacingSeconds", self.spacing_seconds),
            ("timespanSeconds", self.timespan_seconds),
            ("contours", self.contours),
            ("contourSpacingSeconds", self.contour_spacing_seconds),
        ];
        if let Some((name, value)) = least_one.into_iter().find(|(_, value)| *value < 1) {
            return Err(AnalysisError::Invalid(format!("{name}: {value} is less than 1")));
        }
        if !(self.radius_m > 0.0 && self.radius_m <= MAX_RADIUS_M) {
            let text = format!(
                "radiusMeters: is {}, but has to be more than 0 and at most {MAX_RADIUS_M}",
                self.radius_m
            );
            return Err(AnalysisError::Invalid(text));
        }
        if self.departures() > MAX_DEPARTURES {
            let text = format!(
                "requestTimespanHours and requestSpacingMinutes: {} departures, but at most {MAX_DEPARTURES} are allowed",
                self.departures()
            );
            return Err(AnalysisError::TooLarge(text));
        }
        let longest = i64::from(self.contours) * i64::from(self.contour_spacing_seconds);
        if self.contours > MAX_CONTOURS || longest > i64::from(LONGEST_SECONDS) {
            let text = format!(
                "nContours and contourSpacingMinutes: at most {MAX_CONTOURS} contours and {LONGEST_SECONDS} s are allowed"
            );
            return Err(AnalysisError::TooLarge(text));
        }
        Ok(())
    }

    fn departures(&self) -> i64 {
        i64::from(self.timespan_seconds) / i64::from(self.spacing_seconds)
    }

    /// The times of the contours, the longest first, seconds.
    fn thresholds(&self) -> impl Iterator<Item = i32> + use<> {
        let spacing = self.contour_spacing_seconds;
        (1..=self.contours).rev().map(move |i| i * spacing)
    }
}

/// The area within each time, by the best of all departures.
///
/// # Errors
/// [`AnalysisError`]: an option out of its range, no coordinate, no stop within the radius.
pub fn circle_isochrone(
    snapshot: &Snapshot,
    request: &RoutingRequest,
    options: &CircleOptions,
    scratch: &mut Scratch,
    deadline: &Deadline,
) -> Result<CircleIsochrone, AnalysisError> {
    options.check()?;
    let center =
        request.from.position.ok_or_else(|| AnalysisError::Invalid("fromPlace: no coordinate".to_owned()))?;
    let near = stops_within(snapshot, center, options.radius_m);
    let Some(&(nearest, _)) = near.iter().min_by(|a, b| a.1.total_cmp(&b.1)) else {
        return Err(AnalysisError::Invalid(format!(
            "radiusMeters: no stop within {} m of fromPlace",
            options.radius_m
        )));
    };
    let near: Vec<StopIdx> = near.into_iter().map(|(stop, _)| stop).collect();
    let least = LeastSeconds::of_all_departures(snapshot, request, options, &near, scratch, deadline)?;
    let centers = least.centers(snapshot, options.stops_only);
    let mut contours = Vec::new();
    for threshold in options.thresholds() {
        deadline.check()?;
        let circles = uncovered(circles(&centers, f64::from(threshold), WalkPace::of(request)));
        let polygons = ground_of(circles, options.decimals, deadline)?;
        contours.push(Contour { seconds: threshold, polygons });
    }
    let timetable = &snapshot.graph.timetable;
    let stop_name = timetable.texts.get(timetable.stops.name[nearest.index()]).to_owned();
    Ok(CircleIsochrone { contours, stop_name })
}

/// Stops where travellers can board, on streets or not, and their metres from a position.
fn stops_within(snapshot: &Snapshot, center: LatLon, radius_m: f64) -> Vec<(StopIdx, f64)> {
    let timetable = &snapshot.graph.timetable;
    let stops = &timetable.stops;
    (0..stops.id.len() as u32)
        .map(StopIdx)
        .filter(|&stop| stops.is_boardable(stop))
        .map(|stop| (stop, distance_m(center, stops.position(stop))))
        .filter(|(_, metres)| *metres <= radius_m)
        .collect()
}

/// The least seconds over all departures.
struct LeastSeconds {
    /// To each stop: those that a vehicle reaches and those around the place.
    stops: Vec<i32>,
    /// To each vertex of the streets that is reached.
    vertices: FxHashMap<u32, i32>,
}

impl LeastSeconds {
    /// The wait for the first vehicle is subtracted unless it is longer than the time to the next departure.
    fn of_all_departures(
        snapshot: &Snapshot,
        request: &RoutingRequest,
        options: &CircleOptions,
        near: &[StopIdx],
        scratch: &mut Scratch,
        deadline: &Deadline,
    ) -> Result<LeastSeconds, AnalysisError> {
        let mut stops = vec![UNREACHED; snapshot.graph.timetable.stops.lat.len()];
        near.iter().for_each(|&stop| stops[stop.index()] = snapshot.graph.stop_link_seconds(stop));
        let mut of_vertices = FxHashMap::default();
        let spacing = options.spacing_seconds.min(LONGEST_SECONDS);
        let longest = options.thresholds().next().unwrap_or(0).min(LONGEST_TRAVEL);
        let max_seconds = longest.saturating_add(spacing).min(LONGEST_SECONDS);
        for departure in 0..options.departures().max(1) {
            let epoch_seconds = request.epoch_seconds + departure * i64::from(spacing);
            let request = RoutingRequest { direction: Direction::Forward, epoch_seconds, ..request.clone() };
            deadline.check()?;
            let search = EarliestSearch::new(snapshot, &request, max_seconds, deadline)?;
            let found = search.everywhere_from_stops(near, spacing, scratch)?;
            for (least, seconds) in stops.iter_mut().zip(found.active_seconds_at_stops(spacing)) {
                *least = seconds.min(*least);
            }
            let ActiveTimes { vertices, seconds, .. } = found.active_times(spacing);
            for (vertex, seconds) in vertices.iter().zip(seconds) {
                let least = of_vertices.entry(vertex).or_insert(UNREACHED);
                *least = seconds.min(*least);
            }
        }
        Ok(LeastSeconds { stops, vertices: of_vertices })
    }

    /// Stops walked to from other stops are within those stops' circles, as are all vertices reached on foot.
    fn centers(&self, snapshot: &Snapshot, stops_only: bool) -> Vec<(LatLon, f64)> {
        let stops = &snapshot.graph.timetable.stops;
        let street = &snapshot.graph.street;
        let mut centers: Vec<(LatLon, i32)> =
            (0..).zip(&self.stops).map(|(stop, &seconds)| (stops.position(StopIdx(stop)), seconds)).collect();
        if !stops_only {
            let mut vertices: Vec<(u32, i32)> =
                self.vertices.iter().map(|(&v, &seconds)| (v, seconds)).collect();
            vertices.sort_unstable();
            centers.extend(vertices.into_iter().map(|(v, seconds)| (street.position(VertexIdx(v)), seconds)));
        }
        centers.retain(|(_, seconds)| *seconds != UNREACHED);
        centers.into_iter().map(|(at, seconds)| (at, f64::from(seconds))).collect()
    }
}

/// A circle on the ground.
#[derive(Clone, Copy)]
struct Circle {
    center: LatLon,
    radius_m: f64,
}

impl Circle {
    fn ring(&self) -> Ring {
        let lat = meters_to_degrees(self.radius_m);
        let lon = lat / self.center.lat.to_radians().cos().max(0.01);
        (0..=CIRCLE_SIDES)
            .map(|i| {
                let angle = std::f64::consts::TAU * (i % CIRCLE_SIDES) as f64 / CIRCLE_SIDES as f64;
                LatLon::new(self.center.lat + lat * angle.sin(), self.center.lon + lon * angle.cos())
            })
            .collect()
    }
}

fn circles(centers: &[(LatLon, f64)], threshold: f64, pace: WalkPace) -> Vec<Circle> {
    centers
        .iter()
        .filter(|(_, seconds)| threshold - seconds > LEAST_REST)
        .map(|&(center, seconds)| Circle { center, radius_m: pace.metres(threshold - seconds) })
        .collect()
}

/// Leaves out nearly all circles that are inside a larger one. The larger one is looked for among the largest circles
/// and among those nearby. Time grows along streets at least as fast as distance, so most circles around vertices are
/// inside that of an earlier vertex.
fn uncovered(mut circles: Vec<Circle>) -> Vec<Circle> {
    circles.sort_by(|a, b| b.radius_m.total_cmp(&a.radius_m));
    let Some(cos) = circles.first().map(|c| c.center.lat.to_radians().cos()) else { return circles };
    let metres_per_degree = 1.0 / meters_to_degrees(1.0);
    // East, north and radius of kept circles, in metres.
    let mut largest: Vec<[f64; 3]> = Vec::new();
    let mut by_square: FxHashMap<(i32, i32), Vec<[f64; 3]>> = FxHashMap::default();
    circles.retain(|circle| {
        let east = circle.center.lon * cos * metres_per_degree;
        let north = circle.center.lat * metres_per_degree;
        let room = circle.radius_m - ROUNDING_M;
        let covers = |[x, y, radius]: &[f64; 3]| {
            let (dx, dy, left) = (x - east, y - north, radius - room);
            dx * dx + dy * dy <= left * left
        };
        let (x, y) = ((east / SQUARE_M).floor() as i32, (north / SQUARE_M).floor() as i32);
        let around = (0..9).filter_map(|i| by_square.get(&(x - 1 + i % 3, y - 1 + i / 3)));
        if largest.iter().any(covers) || around.flatten().any(covers) {
            return false;
        }
        let kept = [east, north, circle.radius_m];
        if largest.len() < LARGEST {
            largest.push(kept);
        }
        by_square.entry((x, y)).or_default().push(kept);
        true
    });
    circles
}

/// The ground that circles cover. Neighbours are joined first, and then the results, so that lines inside are gone
/// before larger parts are joined.
fn ground_of(
    mut circles: Vec<Circle>,
    decimals: u32,
    deadline: &Deadline,
) -> Result<Vec<Polygon>, AnalysisError> {
    circles.sort_by_cached_key(|circle| along_z_curve(circle.center));
    let mut parts: Vec<Vec<Ring>> = circles.iter().map(|circle| vec![circle.ring()]).collect();
    loop {
        let mut joined = Vec::with_capacity(parts.len() / JOINED + 1);
        for group in parts.chunks(JOINED) {
            deadline.check()?;
            joined.push(valid_polygons(&group.concat(), decimals));
        }
        if joined.len() <= 1 {
            return Ok(joined.pop().unwrap_or_default());
        }
        let rings = |polygon: Polygon| std::iter::once(polygon.shell).chain(polygon.holes);
        parts = joined.into_iter().map(|polygons| polygons.into_iter().flat_map(rings).collect()).collect();
    }
}

/// A number that is similar for nearby positions: the bits of both coordinates, interleaved.
fn along_z_curve(at: LatLon) -> u64 {
    let cell = |degrees: f64| ((degrees + 180.0) * 1e4) as u64;
    let (x, y) = (cell(at.lon), cell(at.lat));
    (0..24).fold(0, |key, bit| key | (((x >> bit) & 1) << (2 * bit)) | (((y >> bit) & 1) << (2 * bit + 1)))
}

#[cfg(test)]
mod tests {
    use super::super::isoline::signed_area;
    use super::*;

    fn at(x_m: f64) -> LatLon {
        LatLon::new(0.0, x_m * meters_to_degrees(1.0))
    }

    #[test]
    fn circles_inside_others_are_left_out_and_the_union_has_no_overlap() {
        // Two minutes are left at the first, so its circle has a radius of 160 m and covers the second.
        let centers = [(at(0.0), 480.0), (at(50.0), 530.0), (at(200.0), 480.0), (at(1000.0), 560.0)];
        let circles = uncovered(circles(&centers, 600.0, WalkPace::at(4.0 / 3.0)));
        assert_eq!(circles.len(), 2, "one is covered and one has too little time left");
        let rings: Vec<Ring> = circles.iter().map(Circle::ring).collect();
        let polygons = valid_polygons(&rings, 7);
        assert_eq!(polygons.len(), 1, "both overlap");
        let square_metres = signed_area(&polygons[0].shell) / meters_to_degrees(1.0).powi(2);
        let circle = std::f64::consts::PI * 160.0 * 160.0;
        assert!((1.3 * circle..1.8 * circle).contains(&square_metres), "{square_metres}");
    }

    #[test]
    fn thousands_of_circles_cover_the_whole_square() {
        // Discs of 100 m every 20 m over a square of 1.2 km.
        let across = |i: i32| f64::from(i) * 20.0 * meters_to_degrees(1.0);
        let center = |i: i32| LatLon::new(across(i / 61), across(i % 61));
        let circles: Vec<Circle> =
            (0..61 * 61).map(|i| Circle { center: center(i), radius_m: 100.0 }).collect();
        let polygons = ground_of(uncovered(circles.clone()), 6, &Deadline::default()).unwrap();
        assert_eq!((polygons.len(), polygons[0].holes.len()), (1, 0));
        let square_metres = signed_area(&polygons[0].shell) / meters_to_degrees(1.0).powi(2);
        let expected = 1200.0 * 1200.0 + 4.0 * 1200.0 * 100.0 + std::f64::consts::PI * 100.0 * 100.0;
        assert!((0.99 * expected..=1.001 * expected).contains(&square_metres), "{square_metres}");
        let aborted = Deadline::new(Some(std::time::Duration::ZERO), Vec::new());
        assert_eq!(ground_of(circles, 6, &aborted), Err(AnalysisError::Stopped));
    }

    #[test]
    fn options_out_of_range_are_named() {
        let good = CircleOptions {
            spacing_seconds: 30 * 60,
            timespan_seconds: 20 * 3600,
            stops_only: true,
            radius_m: 5000.0,
            contours: 4,
            contour_spacing_seconds: 30 * 60,
            decimals: 4,
        };
        assert_eq!((good.check(), good.departures()), (Ok(()), 40));
        let text = |options: CircleOptions| options.check().unwrap_err().to_string();
        assert!(text(CircleOptions { spacing_seconds: 0, ..good }).starts_with("spacingSeconds"));
        assert!(text(CircleOptions { timespan_seconds: -1, ..good }).starts_with("timespanSeconds"));
        assert!(text(CircleOptions { contours: 0, ..good }).starts_with("contours"));
        assert!(text(CircleOptions { contour_spacing_seconds: 0, ..good }).starts_with("contourSpacing"));
        assert!(text(CircleOptions { radius_m: f64::NAN, ..good }).starts_with("radiusMeters"));
        let many = CircleOptions { contours: 1_000_000, contour_spacing_seconds: i32::MAX, ..good };
        assert_eq!(many.check().unwrap_err().code(), "TOO_LARGE");
        let dense = CircleOptions { timespan_seconds: i32::MAX, spacing_seconds: 60, ..good };
        assert_eq!(dense.check().unwrap_err().code(), "TOO_LARGE");
        assert!(
            text(dense).starts_with("requestTimespanHours and requestSpacingMinutes: 35791394 departures")
        );
    }
}
