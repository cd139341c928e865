//! Stations: their pathways, and where their parts are.

use super::{town, trip};
use crate::support::feed::timetable;
use trestle_model::geo::distance_m;
use trestle_model::ids::StopIdx;
use trestle_transit::build::TransitBuildOptions;
use trestle_transit::timetable::Timetable;
use trestle_transit::transfers::{self, TransferEdge, fixed_transfers, store_direct};

#[test]
fn pathways_of_both_forms() {
    let adopted = "table pathways.txt
        pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,length,traversal_time,stair_count
        1,A,B,2,1,,30,
        2,B,C,1,0,133,,
        3,B,D,1,0,,,";
    let (mut timetable, issues) = town(adopted);
    let rows = |timetable: &Timetable| -> Vec<_> {
        timetable.pathways.iter().map(|p| (p.from_stop, p.to_stop, p.seconds, p.wheelchair_seconds)).collect()
    };
    let straight = rows(&timetable)[3].2;
    assert_eq!(
        rows(&timetable),
        [(0, 1, 30, -1), (1, 0, 30, -1), (1, 2, 100, 100), (1, 3, straight, straight)]
    );
    let meters = distance_m(timetable.stops.position(StopIdx(1)), timetable.stops.position(StopIdx(3)));
    assert_eq!(f64::from(straight), (meters / 1.33).ceil());
    assert_eq!(issues, [""; 0]);

    let edges = fixed_transfers(&timetable, &TransitBuildOptions::default());
    store_direct(&mut timetable, &edges);
    let direct = |stop: usize| {
        let range = timetable.transfers.direct_offsets[stop] as usize
            ..timetable.transfers.direct_offsets[stop + 1] as usize;
        timetable.transfers.direct[range]
            .iter()
            .map(|t| (t.other_stop, t.seconds, t.flags))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        direct(1),
        [
            (0, 30, transfers::PATHWAY),
            (2, 100, transfers::PATHWAY | transfers::WHEELCHAIR),
            (3, straight, transfers::PATHWAY | transfers::WHEELCHAIR),
        ]
    );
    // From A over the stairs to B, and on.
    assert_eq!(
        direct(0),
        [(1, 30, transfers::PATHWAY), (2, 130, transfers::PATHWAY), (3, 30 + straight, transfers::PATHWAY)]
    );
    assert_eq!(timetable.transfers.reverse_offsets[..], [0, 1, 2, 4, 6]);
    let outside = TransferEdge { from_stop: StopIdx(9), ..edges[0] };
    store_direct(&mut timetable, &[outside]);
    assert_eq!(timetable.transfers.direct.len(), 0);

    let early = "table pathways.txt
        pathway_id,pathway_type,from_stop_id,to_stop_id,traversal_time,wheelchair_traversal_time
        1,1,A,B,30,60
        2,2,B,A,40,";
    assert_eq!(rows(&town(early).0), [(0, 1, 30, 60), (1, 0, 40, -1)]);
    let (timetable, issues) = town(&early.replace("A,B,30,60", "A,B,,60"));
    assert_eq!(rows(&timetable), [(1, 0, 40, -1)]);
    assert_eq!(issues, ["f/pathways.txt:2: pathway-without-time"]);
}

#[test]
fn stops_without_position_are_where_their_station_is() {
    let (timetable, issues) = timetable(
        "route R 3
         service WK 20240101 20241231 1111111
         trip T R WK : lost 7:50:00, P 8:00:00, B 8:10:00
         table stops.txt
         stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
         lost,Lost,,,0,nowhere
         child,Child,,,4,lost
         area,Area,,,4,P
         P,Platform,,,0,S
         S,Station,41,-8,1,
         near,Near lost,40,-8,0,lost
         B,B,42,-8,0,

        ",
    );
    let stops = &timetable.stops;
    let all: Vec<_> = (0..stops.id.len())
        .map(|stop| {
            let parent = stops.parent.get(stop).filter(|&&parent| parent != u32::MAX);
            let id = |stop: usize| timetable.texts.get(stops.id[stop]).to_owned();
            (id(stop), stops.lat[stop], parent.map_or_else(String::new, |&parent| id(parent as usize)))
        })
        .collect();
    let stop = |id: &str, lat: f64, parent: &str| (id.to_owned(), lat, parent.to_owned());
    let expected = [
        stop("area", 41.0, "P"),
        stop("P", 41.0, "S"),
        stop("S", 41.0, ""),
        stop("near", 40.0, ""),
        stop("B", 42.0, ""),
    ];
    assert_eq!(all, expected);
    assert_eq!(timetable.trip_calls(trip(&timetable, "T")).count(), 2);
    assert_eq!(
        issues,
        [
            "f/stops.txt:2: unknown-reference",
            "f/stops.txt:2: stop-without-position",
            "f/stops.txt:3: stop-without-position",
            "f/stop_times.txt:2: unknown-reference"
        ]
    );
}

/// Vehicles call at the station S besides its platform P, and at Z, which has only an entrance.
#[test]
fn stations_that_vehicles_call_at_are_among_their_stops() {
    let (timetable, issues) = town(
        "stop S 41.0 -8.6 location_type=1
         stop P 41.0 -8.6 parent_station=S
         stop area 41.0 -8.6 location_type=4 parent_station=P
         stop Z 41.1 -8.6 location_type=1
         stop door 41.1 -8.6 location_type=2 parent_station=Z
         trip T1 R WK : S 8:00:00, area 8:01:00, P 8:02:00, Z 8:10:00
         table transfers.txt
         from_stop_id,to_stop_id,transfer_type,min_transfer_time
         S,Z,2,120",
    );
    let is_expected = |issue: &String| issue.ends_with(": call-not-at-stop");
    assert!(issues.len() == 3 && issues.iter().all(is_expected), "S, area and Z: {issues:?}");
    let id = |stop: u32| timetable.texts.get(timetable.stops.id[stop as usize]).to_owned();
    let rules = timetable.transfers.rules.iter().map(|rule| [id(rule.from_stop), id(rule.to_stop)].join(" "));
    assert_eq!(rules.collect::<Vec<_>>(), ["S Z", "P Z", "area Z"]);
    let options = TransitBuildOptions { station_transfers: true, ..TransitBuildOptions::default() };
    let free = fixed_transfers(&timetable, &options);
    let free = free.iter().map(|edge| [id(edge.from_stop.0), id(edge.transfer.other_stop)].join(" "));
    assert_eq!(free.collect::<Vec<_>>(), ["S P", "S area", "P S", "P area", "area S", "area P"]);
}

/// A hall with far more platforms than a station has: each is joined with the nearest ones, and with those to which
/// pathways lead straight.
#[test]
fn halls_join_at_most_two_hundred_platforms() {
    let platforms = 1..=3000;
    let stops: String = platforms.clone().map(|i| format!("stop P{i} 41.0 -8.0\n")).collect();
    let pathways: String = platforms.map(|i| format!("P{i},hall,1,1,{i}\n")).collect();
    let (timetable, _) = timetable(&format!(
        "stop hall 41.0 -8.0 location_type=3
         {stops}
         table pathways.txt
         from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time
         P3000,P1500,1,0,10000
         {pathways}
        "
    ));
    let stop = |id: &str| timetable.stop_by_id(&format!("1:{id}")).unwrap();
    let edges = fixed_transfers(&timetable, &TransitBuildOptions::default());
    assert_eq!(edges.len(), 3000 * 200 + 1);
    let from = |id: &str| {
        let own = edges.iter().filter(|edge| edge.from_stop == stop(id));
        own.map(|edge| (edge.transfer.other_stop, edge.transfer.seconds)).collect::<Vec<_>>()
    };
    let last = from("P3000");
    assert!(
        last.contains(&(stop("P200").0, 3200)) && !last.iter().any(|(other, _)| *other == stop("P201").0)
    );
    assert!(last.contains(&(stop("P1500").0, 4500)), "through the hall, as that is faster");
}
