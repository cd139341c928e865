//! Simple isochrones: circles around the stops that are reached.

use crate::reached_ground::TOWN;
use crate::support::{GridTown, crossing, request_from};
use trestle_analysis::AnalysisError;
use trestle_analysis::Scratch;
use trestle_analysis::isochrone::circles::{CircleIsochrone, CircleOptions, circle_isochrone};
use trestle_analysis::isochrone::polygons::contains;
use trestle_engine::deadline::Deadline;
use trestle_model::geo::LatLon;

/// The ground within five minutes of eight o'clock.
const FIVE_MINUTES: CircleOptions = CircleOptions {
    spacing_seconds: 1800,
    timespan_seconds: 3600,
    stops_only: true,
    radius_m: 150.0,
    contours: 1,
    contour_spacing_seconds: 300,
    decimals: 7,
};

fn circles(
    town: &GridTown,
    center: LatLon,
    options: &CircleOptions,
) -> Result<CircleIsochrone, AnalysisError> {
    let request = request_from(center, "8:00");
    circle_isochrone(&town.snapshot, &request, options, &mut Scratch::default(), &Deadline::default())
}

/// Whether a contour covers the crossing of a column with the first row.
fn covers(found: &CircleIsochrone, contour: usize, column: f64) -> bool {
    found.contours[contour].polygons.iter().any(|p| contains(&p.shell, crossing(column, 1.0)))
}

#[test]
fn circles_around_stops_cover_the_remaining_walk() {
    let options = CircleOptions { contours: 2, ..FIVE_MINUTES };
    let center = crossing(1.0, 1.0);
    let found = circles(&TOWN, center, &options).unwrap();
    assert_eq!(found.stop_name, "Stop A");
    assert_eq!(found.contours.iter().map(|c| c.seconds).collect::<Vec<_>>(), [600, 300]);
    let covers = |contour: usize, column: f64| covers(&found, contour, column);
    // Stop C after 6 minutes: within 10 minutes 4 remain, 316 m; within 5 it is not reached. B has 2 minutes left.
    assert!(covers(0, 21.0) && !covers(0, 20.5));
    assert!(covers(1, 13.4) && !covers(1, 14.0) && !covers(1, 24.0));
    let none = circles(&TOWN, center, &CircleOptions { radius_m: 0.5, ..options });
    assert!(none.is_ok(), "the place is at a stop");
    let far = circles(&TOWN, crossing(5.5, 9.0), &options);
    assert!(matches!(far, Err(AnalysisError::Invalid(text)) if text.starts_with("radiusMeters")));
}

/// A platform is two minutes below the street: of five minutes, less than three remain at A and less than one at B.
#[test]
fn circles_begin_at_platforms_after_the_way_down() {
    let lines = "stop A 1 1\nstop B 8 1\nsubway 1 600 7:04 9:30 : A 0, B 2";
    let town = GridTown::new("platforms", 12, 3, lines);
    let found = circles(&town, crossing(1.0, 1.0), &FIVE_MINUTES).unwrap();
    let covers = |column: f64| covers(&found, 0, column);
    assert!(covers(3.3) && !covers(3.5) && !covers(8.0));
}

/// They are for places without streets, too.
#[test]
fn circles_begin_at_stops_off_the_streets() {
    let town = GridTown::new(
        "off-streets",
        4,
        3,
        "stop A 1 1
         stop F 60 1
         stop G 80 1
         line 1 600 7:00 9:30 : F 0, G 4, A 9",
    );
    assert!(town.snapshot.graph.street.stop_links.iter().all(|link| link.stop == 0), "only A is linked");
    let options = CircleOptions { radius_m: 500.0, contour_spacing_seconds: 600, ..FIVE_MINUTES };
    let found = circles(&town, crossing(61.0, 1.0), &options).unwrap();
    assert_eq!(found.stop_name, "Stop F");
    let covers = |column: f64| covers(&found, 0, column);
    // Stop G after 4 minutes leaves 6, which are 478 m.
    assert!(covers(60.0) && covers(84.0) && !covers(85.0));
}
