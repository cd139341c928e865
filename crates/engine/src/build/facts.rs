//! Facts about the whole graph: hull, envelope, centre, time zone, access times.

use trestle_model::Mode;
use trestle_model::ids::{PatternIdx, StopIdx};
use trestle_model::strings::{Strings, StringsBuilder};
use trestle_street::graph::StreetGraph;
use trestle_transit::timetable::Timetable;

use super::BuildOptions;
use crate::graph::{GraphFacts, MOST_ACCESS_SECONDS, longitude_on_earth, longitude_onward};

pub(super) fn compute(street: &StreetGraph, timetable: &Timetable, options: &BuildOptions) -> GraphFacts {
    let mut points: Vec<[f64; 2]> =
        street.vertex_lon.iter().zip(street.vertex_lat.iter()).map(|(x, y)| [*x, *y]).collect();
    points.extend(boardable_stops(timetable).map(|i| [timetable.stops.lon[i], timetable.stops.lat[i]]));
    let envelope = envelope(&points);
    GraphFacts {
        hull: hull(points, envelope).into(),
        envelope: vec![envelope].into(),
        center: vec![center(timetable, envelope)].into(),
        stop_access_seconds: access_seconds(timetable, options).into(),
        max_transfer_seconds: vec![options.max_transfer_seconds].into(),
        uses_transfers_txt: vec![u8::from(options.transit_layer.use_transfers_txt)].into(),
        texts: texts(options),
    }
}

/// The stops that the index lists. As in the reference, some may have no vehicles.
fn boardable_stops(timetable: &Timetable) -> impl Iterator<Item = usize> + '_ {
    (0..timetable.stops.id.len()).filter(|&i| timetable.stops.is_boardable(StopIdx::from(i)))
}

/// South, west, north, east. It spans the shorter way: where that leads across the 180th meridian, west is greater than
/// east.
fn envelope(points: &[[f64; 2]]) -> [f64; 4] {
    if points.is_empty() {
        return [0.0; 4];
    }
    let span = |values: &mut dyn Iterator<Item = f64>| {
        values
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)])
    };
    let [south, north] = span(&mut points.iter().map(|point| point[1]));
    let [west, east] = span(&mut points.iter().map(|point| point[0]));
    let [_, last_west] = span(&mut points.iter().map(|point| point[0]).filter(|lon| *lon < 0.0));
    let [first_east, _] = span(&mut points.iter().map(|point| point[0]).filter(|lon| *lon >= 0.0));
    let is_on_both_sides = west < 0.0 && east >= 0.0;
    if is_on_both_sides && last_west + 360.0 - first_east < east - west {
        [south, first_east, north, last_west]
    } else {
        [south, west, north, east]
    }
}

/// Median of the stops' latitudes and longitudes; the centre of the envelope without transit.
fn center(timetable: &Timetable, envelope: [f64; 4]) -> [f64; 2] {
    let [south, west, north, east] = envelope;
    let onward = |lon: f64| longitude_onward(envelope, lon);
    let on_earth = |[lat, lon]: [f64; 2]| [lat, longitude_on_earth(lon)];
    let median = |values: &mut Vec<f64>| {
        values.sort_by(f64::total_cmp);
        let n = values.len();
        if n % 2 == 1 { values[n / 2] } else { (values[n / 2 - 1] + values[n / 2]) / 2.0 }
    };
    let (mut lats, mut lons): (Vec<f64>, Vec<f64>) =
        boardable_stops(timetable).map(|i| (timetable.stops.lat[i], onward(timetable.stops.lon[i]))).unzip();
    if lats.is_empty() {
        return on_earth([(south + north) / 2.0, (west + onward(east)) / 2.0]);
    }
    on_earth([median(&mut lats), median(&mut lons)])
}

/// The convex hull of points within an envelope, also across the 180th meridian.
fn hull(mut points: Vec<[f64; 2]>, envelope: [f64; 4]) -> Vec<[f64; 2]> {
    points.iter_mut().for_each(|[lon, _]| *lon = longitude_onward(envelope, *lon));
    let mut hull = convex_hull(points);
    hull.iter_mut().for_each(|[lon, _]| *lon = longitude_on_earth(*lon));
    hull
}

/// Andrew's monotone chain; a closed counter-clockwise ring of (lon, lat).
fn convex_hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let cross =
        |o: [f64; 2], a: [f64; 2], b: [f64; 2]| (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
    let half = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut chain: Vec<[f64; 2]> = Vec::new();
        for p in points {
            while chain.len() >= 2 && cross(chain[chain.len() - 2], chain[chain.len() - 1], p) <= 0.0 {
                chain.pop();
            }
            chain.push(p);
        }
        chain
    };
    let mut ring = half(&mut points.iter().copied());
    ring.pop();
    ring.extend(half(&mut points.iter().rev().copied()));
    ring
}

/// Seconds between street and platform: `subwayAccessTime` at stops served by a subway.
fn access_seconds(timetable: &Timetable, options: &BuildOptions) -> Vec<u32> {
    let seconds = ((options.subway_access_minutes * 60.0).max(0.0) as u32).min(MOST_ACCESS_SECONDS);
    let (stops, patterns, routes) = (&timetable.stops, &timetable.patterns, &timetable.routes);
    let mut access = vec![0; stops.id.len()];
    for (pattern, &route) in patterns.route.iter().enumerate() {
        if routes.mode[route as usize] == Mode::Subway as u8 {
            for &stop in patterns.stops(PatternIdx::from(pattern)) {
                access[stop as usize] = seconds;
            }
        }
    }
    access
}

fn texts(options: &BuildOptions) -> Strings {
    // Equal texts would share an index, so a prefix makes them differ.
    let mut texts = StringsBuilder::default();
    texts.intern(&format!("router:{}", options.router_config.as_deref().unwrap_or("")));
    texts.intern(&format!("build:{}", options.build_config.as_deref().unwrap_or("")));
    texts.finish()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use trestle_model::IssueSink;
    use trestle_transit::build::{TransitBuildOptions, build_timetable_from_tables};
    use trestle_transit::gtfs::FeedFiles;

    use super::*;

    #[test]
    fn the_hull_of_a_square_with_inner_points_is_the_square() {
        let hull = convex_hull(vec![[0.0, 0.0], [1.0, 0.0], [0.5, 0.5], [1.0, 1.0], [0.0, 1.0], [0.5, 0.0]]);
        assert_eq!(hull, [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]]);
    }

    #[test]
    fn stops_without_vehicles_belong_to_the_area() {
        let tables = [
            ("agency.txt", "agency_id,agency_name,agency_url,agency_timezone\nA,A,http://a.example,UTC"),
            ("routes.txt", "route_id,agency_id,route_short_name,route_type\nR,A,1,3"),
            ("calendar_dates.txt", "service_id,date,exception_type\nS,20240101,1"),
            ("trips.txt", "route_id,service_id,trip_id\nR,S,T"),
            (
                "stops.txt",
                "stop_id,stop_name,stop_lat,stop_lon,location_type\nA,A,41.0,8.0,\nB,B,41.2,8.2,0\nC,C,41.4,8.9,\n\
                 S,S,50.0,8.0,1",
            ),
            (
                "stop_times.txt",
                "trip_id,stop_sequence,stop_id,arrival_time,departure_time\nT,1,A,8:00:00,8:00:00\n\
                 T,2,B,8:10:00,8:10:00",
            ),
        ];
        let feeds = vec![FeedFiles::from_tables("f", BTreeMap::from(tables))];
        let options = TransitBuildOptions::default();
        let timetable =
            build_timetable_from_tables(feeds, &options, &mut IssueSink::default(), &mut |_, _| {}).unwrap();
        let facts = compute(&StreetGraph::default(), &timetable, &BuildOptions::default());
        assert_eq!(facts.envelope.to_vec(), [[41.0, 8.0, 41.4, 8.9]]);
        assert_eq!(facts.center.to_vec(), [[41.2, 8.2]]);
    }

    #[test]
    fn a_hull_leads_the_shorter_way_around_the_earth() {
        let corners = [[179.0, -18.0], [-179.0, -18.0], [-178.0, -17.0], [-179.0, -16.0], [179.0, -16.0]];
        let inside = [[-178.5, -17.0], [180.0, -17.0], [179.5, -16.5]];
        let points = [&corners[..], &inside].concat();
        let envelope = envelope(&points);
        let hull = hull(points, envelope);
        assert_eq!(hull, [&corners[..], &corners[..1]].concat());
        let shown: Vec<f64> = hull.iter().map(|[lon, _]| longitude_onward(envelope, *lon)).collect();
        assert_eq!(shown, [179.0, 181.0, 182.0, 181.0, 179.0, 179.0]);
    }

    #[test]
    fn an_envelope_spans_the_shorter_way_around_the_earth() {
        let of = |lons: &[f64]| {
            let points: Vec<[f64; 2]> =
                lons.iter().zip([-40.0, -47.0, -44.0]).map(|(&x, y)| [x, y]).collect();
            let [south, west, north, east] = envelope(&points);
            assert_eq!([south, north], [-47.0, -40.0]);
            [west, east]
        };
        assert_eq!(of(&[174.8, 168.4, -176.5]), [168.4, -176.5], "New Zealand");
        assert_eq!(of(&[-8.0, 1.0, 3.0]), [-8.0, 3.0]);
        assert_eq!(of(&[-100.0, -70.0, -80.0]), [-100.0, -70.0]);
        assert_eq!(of(&[0.0, 180.0, 170.0]), [0.0, 180.0]);
        assert_eq!(of(&[-90.0, 90.0, 90.0]), [-90.0, 90.0]);
    }

    #[test]
    fn a_centre_is_on_its_side_of_the_earth() {
        let without_transit = |envelope| center(&Timetable::default(), envelope);
        assert_eq!(without_transit([-20.0, 177.0, -16.0, -179.0]), [-18.0, 179.0]);
        assert_eq!(without_transit([-20.0, 179.0, -16.0, -177.0]), [-18.0, -179.0]);
        assert_eq!(without_transit([40.0, -9.0, 42.0, -7.0]), [41.0, -8.0]);
    }
}
