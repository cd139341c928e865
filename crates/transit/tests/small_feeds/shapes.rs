//! How shapes are cut into the hops of a pattern.

use std::fmt::Write as _;
use std::time::Instant;

use trestle_model::geo::LatLon;
use trestle_model::ids::{PatternIdx, StopIdx};

use super::town;

#[test]
fn hop_shapes_follow_the_shape_between_the_stops() {
    let shape = "shape S : 41.000 -8.600, 41.005 -8.601, 41.015 -8.600, 41.030 -8.600";
    let (timetable, _) = town(&format!("{shape}\ntrip T1 R WK shape_id=S : A 8:00:00, B 8:05:00, C 8:10:00"));
    let hops: Vec<_> = (0..3).map(|i| timetable.patterns.hop(PatternIdx(0), i).to_vec()).collect();
    assert_eq!(hops[0].len(), 3);
    assert_eq!(hops[0][..2], [[41.0, -8.6], [41.005, -8.601]]);
    assert!((hops[0][2][0] - 41.01).abs() < 1e-4 && (hops[0][2][1] + 8.6005).abs() < 1e-4, "{:?}", hops[0]);
    assert_eq!(hops[1][0], hops[0][2]);
    assert_eq!(hops[2], [[0.0; 2]; 0]);
    assert_eq!(timetable.patterns.geometry(PatternIdx(0)).len(), hops[0].len() + hops[1].len() - 1);

    let (timetable, issues) = town("trip T1 R WK shape_id=gone : A 8:00:00, B 8:05:00");
    assert_eq!(timetable.patterns.hop(PatternIdx(0), 0), [[41.0, -8.6], [41.01, -8.6]]);
    assert_eq!(issues, ["f/trips.txt:2: unknown-shape"]);
    let (timetable, _) = town("trip T1 R WK : A 8:00:00, B 8:05:00");
    assert_eq!(timetable.patterns.has_shape[..], [0]);
}

/// The shape ends before C and D, as where a line was extended but not its shape.
#[test]
fn straight_lines_lead_to_stops_far_from_the_shape() {
    let (timetable, _) = town(
        "shape S : 41.000 -8.600, 41.005 -8.601, 41.010 -8.600
         trip T1 R WK shape_id=S : A 8:00:00, B 8:05:00, C 8:10:00, D 8:15:00
         trip T2 R WK shape_id=S : D 8:00:00, C 8:05:00, A 8:10:00",
    );
    let hops = |pattern: u32, count| {
        (0..count).map(|hop| timetable.patterns.hop(PatternIdx(pattern), hop).to_vec()).collect::<Vec<_>>()
    };
    let (c, d) = ([41.02, -8.6], [41.03, -8.6]);
    let there = hops(0, 3);
    assert_eq!((there[0].len(), there[0][2]), (3, [41.01, -8.6]));
    assert_eq!((there[1][0], *there[1].last().unwrap()), ([41.01, -8.6], c));
    assert_eq!(there[2], [c, d]);
    let back = hops(1, 2);
    assert_eq!(back[0], [d, c]);
    assert_eq!((back[1][0], *back[1].last().unwrap()), (c, [41.0, -8.6]));
}

/// A ferry goes around a headland between two piers far from the ends of its shape; a stop without a position is at 0,0.
#[test]
fn shapes_between_far_stops_are_kept() {
    let (timetable, _) = town(
        "shape S : 40.990 -8.600, 40.990 -8.800, 41.040 -8.800, 41.040 -8.600
         stop Z 0 0
         trip T1 R WK shape_id=S : A 8:00:00, D 8:05:00
         trip T2 R WK shape_id=S : A 8:00:00, Z 8:05:00",
    );
    let ferry = timetable.patterns.hop(PatternIdx(0), 0).to_vec();
    assert_eq!((ferry[0], *ferry.last().unwrap()), ([41.0, -8.6], [41.03, -8.6]));
    assert!(ferry.contains(&[40.99, -8.8]) && ferry.contains(&[41.04, -8.8]), "{ferry:?}");
    assert!(!timetable.patterns.hop(PatternIdx(1), 0).contains(&[0.0, 0.0]));
}

#[test]
fn shape_distances_place_the_stops_of_a_loop() {
    let (timetable, _) = town(
        "trip T1 R WK shape_id=S : A 8:00:00 shape_dist_traveled=0, B 8:05:00 shape_dist_traveled=30, A 8:10:00 shape_dist_traveled=40
         table shapes.txt
         shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon,shape_dist_traveled
         S,1,41.000,-8.600,0
         S,2,41.010,-8.600,10
         S,3,41.020,-8.600,20
         S,4,41.010,-8.600,30
         S,5,41.000,-8.600,40",
    );
    let hop = |i: usize| timetable.patterns.hop(PatternIdx(0), i).iter().map(|p| p[0]).collect::<Vec<_>>();
    assert_eq!((hop(0), hop(1)), (vec![41.0, 41.01, 41.02, 41.01], vec![41.01, 41.0]));
}

/// Metres in one table and kilometres in the other, a blank, a repeated and a falling distance cut the shape at the stops
/// like no distances at all.
#[test]
fn wrong_shape_distances_do_not_place_stops() {
    let hops = |calls: [&str; 3], points: [&str; 4]| {
        let [a, b, c] = calls.map(|distance| format!("shape_dist_traveled={distance}"));
        let [p, q, r, s] = points;
        let (timetable, _) = town(&format!(
            "trip T1 R WK shape_id=S : A 8:00:00 {a}, B 8:05:00 {b}, C 8:10:00 {c}
             table shapes.txt
             shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon,shape_dist_traveled
             S,1,41.000,-8.600,{p}
             S,2,41.005,-8.601,{q}
             S,3,41.015,-8.601,{r}
             S,4,41.030,-8.600,{s}"
        ));
        [0, 1].map(|hop| timetable.patterns.hop(PatternIdx(0), hop).to_vec())
    };
    let plain = hops([""; 3], [""; 4]);
    assert_eq!(plain.each_ref().map(Vec::len), [3, 3]);
    let (metres, kilometres) = (["0", "1112", "2224"], ["0", "1.112", "2.224"]);
    let along = ["0", "562", "1674", "3344"];
    for (calls, points) in [
        (kilometres, along),
        (metres, ["0", "0.562", "1.674", "3.344"]),
        (["0", "", "2224"], along),
        (["0", "1112", "1112"], along),
        (["0", "2224", "1112"], along),
        (metres, ["0", "562", "", "3344"]),
        (metres, ["0", "1674", "562", "3344"]),
        (["-5", "-4", "-3"], along),
    ] {
        assert_eq!(hops(calls, points), plain, "{calls:?} {points:?}");
    }
    // Distances that are right, or nearly right, are used.
    assert_ne!(hops(metres, along), plain);
    assert_ne!(hops(["0", "1212", "2300"], along), plain);
}

/// Latitude and longitude of the shape are swapped, it has one point, or it runs the other way.
#[test]
fn shapes_that_cannot_be_followed_are_reported() {
    let swapped = "-8.600 41.000, -8.601 41.005, -8.600 41.010";
    let backward = "41.010 -8.600, 41.005 -8.601, 41.000 -8.600";
    for points in [swapped, "41.000 -8.600", backward] {
        let (timetable, issues) =
            town(&format!("shape S : {points}\ntrip T1 R WK shape_id=S : A 8:00:00, B 8:05:00"));
        assert_eq!(timetable.patterns.hop(PatternIdx(0), 0), [[41.0, -8.6], [41.01, -8.6]], "{points}");
        assert_eq!(issues, ["f/trips.txt:2: unusable-shape"], "{points}");
    }
}

#[test]
fn a_long_line_is_cut_once_for_all_its_other_stops() {
    const CALLS: u32 = 600;
    let lat = |call: u32| 41.0 + 0.002 * f64::from(call);
    let mut text = String::new();
    for call in 0..CALLS {
        writeln!(text, "stop X{call} {:.4} -8.6\nstop Y{call} {:.4} -8.6", lat(call), lat(call) + 0.0005)
            .unwrap();
    }
    let points: Vec<String> =
        (0..=3 * CALLS).map(|point| format!("{:.5} -8.6", 41.0 + 0.002 / 3.0 * f64::from(point))).collect();
    let calls: Vec<String> =
        (0..CALLS).map(|call| format!("X{call} {}:{:02}:00", 8 + call / 60, call % 60)).collect();
    write!(text, "shape S : {}\ntrip T R WK shape_id=S : {}", points.join(", "), calls.join(", ")).unwrap();
    let (timetable, _) = town(&text);
    let others: Vec<StopIdx> =
        (0..CALLS).map(|call| timetable.stop_by_id(&format!("1:Y{call}")).unwrap()).collect();
    let began = Instant::now();
    let lines = timetable.live_hop_lines(Some(PatternIdx(0)), 0..CALLS as usize - 1, &others);
    // A minute if the whole line were cut for each hop.
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    assert_eq!(lines.len(), CALLS as usize - 1);
    assert!(lines.windows(2).all(|pair| pair[0].last() == pair[1].first()));
    let some = timetable.live_hop_lines(Some(PatternIdx(0)), 100..103, &others);
    assert_eq!(some, lines[100..103]);
    let moved = timetable.live_line(PatternIdx(0), &others);
    let points: usize = lines.iter().map(|line| line.len() - 1).sum();
    assert_eq!(moved.len(), points + 1);
    // Only one call in the middle is at another stop.
    let mut stops: Vec<StopIdx> =
        timetable.patterns.stops(PatternIdx(0)).iter().map(|&s| StopIdx(s)).collect();
    stops[101] = others[101];
    let around = timetable.live_hop_lines(Some(PatternIdx(0)), 99..104, &stops);
    let scheduled = |hop| {
        let line = timetable.patterns.hop(PatternIdx(0), hop);
        line.iter().map(|&[lat, lon]| LatLon::new(lat, lon)).collect::<Vec<_>>()
    };
    assert_eq!([&around[0], &around[3], &around[4]], [&scheduled(99), &scheduled(102), &scheduled(103)]);
    assert_eq!((around[1].first(), around[2].last()), (scheduled(100).first(), scheduled(101).last()));
    assert!(around[1] != scheduled(100) && around[1].last() == around[2].first());
}
