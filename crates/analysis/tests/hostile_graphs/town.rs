//! A small town with something in every column of a graph.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use trestle_engine::build::{BuildOptions, BuildOutcome, build_directory};

/// Streets of many kinds: steps, a bridge, an elevator, a restriction, a note, lots and stations.
pub(crate) const STREETS: &str = r#"<osm version="0.6">
<node id="1" lat="41.000" lon="-8.600"/><node id="2" lat="41.010" lon="-8.600"><tag k="highway" v="traffic_signals"/></node>
<node id="3" lat="41.020" lon="-8.600"/><node id="4" lat="41.010" lon="-8.590"/><node id="5" lat="41.000" lon="-8.590"/>
<node id="6" lat="41.005" lon="-8.601"/><node id="7" lat="41.020" lon="-8.590"><tag k="highway" v="elevator"/></node>
<node id="8" lat="41.0101" lon="-8.5951"><tag k="amenity" v="bicycle_rental"/><tag k="name" v="Bikes"/><tag k="network" v="n"/><tag k="capacity" v="9"/></node>
<node id="9" lat="41.0003" lon="-8.5953"/><node id="10" lat="41.0006" lon="-8.5953"/><node id="11" lat="41.0006" lon="-8.5947"/>
<node id="12" lat="41.0003" lon="-8.5947"/><node id="13" lat="41.015" lon="-8.600"><tag k="place" v="town"/><tag k="name" v="Town"/></node>
<node id="14" lat="41.001" lon="-8.5999"><tag k="addr:street" v="Main"/><tag k="addr:housenumber" v="7"/><tag k="addr:city" v="Town"/></node>
<node id="15" lat="40.9" lon="-8.7"/><node id="16" lat="41.1" lon="-8.7"/><node id="17" lat="41.1" lon="-8.5"/><node id="18" lat="40.9" lon="-8.5"/>
<node id="19" lat="41.0102" lon="-8.5999"><tag k="amenity" v="bicycle_parking"/></node>
<way id="10"><nd ref="1"/><nd ref="6"/><nd ref="2"/><tag k="highway" v="residential"/><tag k="name" v="Main"/><tag k="name:pt" v="Rua"/></way>
<way id="11"><nd ref="2"/><nd ref="13"/><nd ref="3"/><tag k="highway" v="secondary"/><tag k="name" v="North"/></way>
<way id="12"><nd ref="2"/><nd ref="4"/><tag k="highway" v="residential"/><tag k="name" v="Cross"/><tag k="surface" v="unpaved"/></way>
<way id="13"><nd ref="4"/><nd ref="5"/><tag k="highway" v="steps"/></way>
<way id="14"><nd ref="5"/><nd ref="12"/><nd ref="9"/><nd ref="1"/><tag k="highway" v="service"/><tag k="name" v="South"/></way>
<way id="15"><nd ref="4"/><nd ref="7"/><tag k="highway" v="footway"/><tag k="level" v="0"/></way>
<way id="16"><nd ref="7"/><nd ref="3"/><tag k="highway" v="footway"/><tag k="level" v="1"/></way>
<way id="17"><nd ref="9"/><nd ref="10"/><nd ref="11"/><nd ref="12"/><nd ref="9"/><tag k="amenity" v="parking"/><tag k="park_ride" v="yes"/><tag k="name" v="Lot"/></way>
<way id="18"><nd ref="15"/><nd ref="16"/><nd ref="17"/><nd ref="18"/><nd ref="15"/></way>
<relation id="1"><member type="way" ref="10" role="from"/><member type="node" ref="2" role="via"/><member type="way" ref="12" role="to"/><tag k="type" v="restriction"/><tag k="restriction" v="no_right_turn"/></relation>
<relation id="2"><member type="way" ref="18" role="outer"/><tag k="type" v="boundary"/><tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Town"/></relation>
</osm>"#;

/// A feed with a row in every table that is read.
pub(crate) const TABLES: [(&str, &str); 14] = [
    (
        "agency.txt",
        "agency_id,agency_name,agency_url,agency_timezone\nAG,Agency,http://a.example,Europe/Lisbon",
    ),
    (
        "stops.txt",
        "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,zone_id\nA,A,41.0001,-8.6,0,,Z1\n\
         B,B,41.01,-8.6,0,S,Z1\nC,C,41.0199,-8.6,0,,Z2\nD,D,41.0101,-8.6001,0,S,Z1\nS,S,41.01,-8.6,1,,\nE,E,41.0099,-8.6,2,S,",
    ),
    ("routes.txt", "route_id,agency_id,route_short_name,route_type\nR,AG,10,3\nF,AG,20,1\nX,AG,30,0"),
    (
        "trips.txt",
        "route_id,service_id,trip_id,direction_id,block_id,shape_id,trip_headsign\nR,WK,T1,0,b,P,C\nR,WK,T2,0,,P,C\n\
         R,WK,T3,1,b,,A\nR,WK,T5,0,c,,C\nF,WK,F1,0,,,C\nX,SA,X1,0,,,C\nR,WK,T4,0,,P,C",
    ),
    (
        "calendar.txt",
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
         WK,1,1,1,1,1,1,1,20240101,20241231\nSA,1,1,1,1,1,1,0,20241001,20241031",
    ),
    (
        "stop_times.txt",
        "trip_id,stop_sequence,stop_id,arrival_time,departure_time,stop_headsign,pickup_type,continuous_pickup\n\
         T1,1,A,8:00:00,8:00:00,Via B,,0\nT1,2,B,8:10:00,8:11:00,,,\nT1,9,C,8:20:00,8:20:00,,,\n\
         T2,1,A,25:00:00,25:00:00,,,\nT2,2,B,25:10:00,25:11:00,,2,\nT2,9,C,25:20:00,25:20:00,,,\n\
         T3,1,C,8:25:00,8:25:00,,,\nT3,2,B,8:30:00,8:30:00,,,\nT3,3,A,8:40:00,8:40:00,,,\n\
         T4,1,A,8:30:00,8:30:00,,,\nT4,2,B,8:40:00,8:41:00,,,\nT4,9,C,8:50:00,8:50:00,,,\n\
         T5,1,A,8:45:00,8:45:00,,,\nT5,2,D,8:55:00,8:55:00,,,\nF1,1,A,6:00:00,6:00:00,,,\nF1,2,C,6:10:00,6:10:00,,,\n\
         X1,1,D,8:05:00,8:05:00,,,\nX1,2,C,8:12:00,8:12:00,,,",
    ),
    (
        "frequencies.txt",
        "trip_id,start_time,end_time,headway_secs,exact_times\nF1,6:00:00,20:00:00,600,0\nX1,8:05:00,9:05:00,900,1",
    ),
    (
        "shapes.txt",
        "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nP,41.0,-8.6,1\nP,41.005,-8.601,2\nP,41.01,-8.6,3\nP,41.02,-8.6,4",
    ),
    (
        "transfers.txt",
        "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_route_id\nB,D,2,60,\nD,B,1,,R\nA,C,3,,",
    ),
    (
        "pathways.txt",
        "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional,traversal_time\n1,E,B,1,1,30",
    ),
    (
        "fare_attributes.txt",
        "fare_id,price,currency_type,payment_method,transfers,transfer_duration\nA,1.5,EUR,0,1,3600\nB,2,EUR,0,,",
    ),
    ("fare_rules.txt", "fare_id,route_id,origin_id,destination_id,contains_id\nA,R,Z1,Z2,\nB,,,,\nB,,,,Z2"),
    (
        "feed_info.txt",
        "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_id\nP,http://p.example,pt,20240101,1",
    ),
    ("areas.txt", "area_id,wkt\nAR,\"POLYGON ((-8.61 40.99, -8.59 40.99, -8.59 41.03, -8.61 40.99))\""),
];

/// A directory of its own, removed at the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("trestle-hostile-graphs-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub(crate) fn graph_file(&self) -> PathBuf {
        self.0.join("Graph.obj")
    }

    /// Builds a graph file here; nothing when the inputs cannot be built. The build opens the file that it wrote, so
    /// this also asserts that the columns keep their rules.
    pub(crate) fn build(&self, streets: &str, feed: &[u8]) -> Option<BuildOutcome> {
        std::fs::write(self.0.join("feed.zip"), feed).unwrap();
        std::fs::write(self.0.join("streets.osm"), streets).unwrap();
        let mut options = BuildOptions::default();
        options.transit_layer.station_transfers = true;
        options.street.static_bike_rental = true;
        options.street.static_bike_park_and_ride = true;
        // All of the town is smaller than an island in a city.
        options.street.island_without_stops_max = 0;
        build_directory(&self.0, &self.graph_file(), &options, &mut |_, _| {})
            .inspect_err(|error| assert_ne!(error.code(), "GRAPH_DAMAGED", "{error}"))
            .ok()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn zipped<N: AsRef<str>, T: AsRef<[u8]>>(tables: impl IntoIterator<Item = (N, T)>) -> Vec<u8> {
    let mut feed = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in tables {
        feed.start_file(name.as_ref(), zip::write::SimpleFileOptions::default()).unwrap();
        feed.write_all(text.as_ref()).unwrap();
    }
    feed.finish().unwrap().into_inner()
}

/// The bytes of the town's graph file.
pub(crate) fn graph_bytes() -> Vec<u8> {
    let folder = Folder::new("town");
    folder.build(STREETS, &zipped(TABLES)).unwrap();
    read(&folder.graph_file())
}

pub(crate) fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}
