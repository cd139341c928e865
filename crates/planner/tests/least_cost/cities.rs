//! Graphs of the shared cities and feeds, of the sample town, and of a feed with the streets of another folder.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use trestle_engine::build::{BuildOptions, build_directory};
use trestle_engine::graph::Graph;
use trestle_engine::realtime::{BikeStations, LiveStation};
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::LatLon;
use trestle_shared_data::shared;
use trestle_street::search::StationKind;

use crate::shared_city::graph_of;

/// A city.
pub(crate) enum City {
    /// A folder of the shared data.
    Shared(&'static str),
    /// A feed of the shared data without streets, with those of another folder.
    Feed { feed: &'static str, streets: &'static str },
    /// The built-in sample town.
    Sample,
}

impl City {
    /// Builds the graph; `None` when its inputs are missing.
    pub(crate) fn open(&self) -> Option<Snapshot> {
        let graph = match self {
            City::Shared(name) => graph_of(name)?,
            City::Feed { feed, streets } => self.build(|folder| {
                copy(&data(feed)?, ".zip", folder);
                copy(&data(streets)?, ".osm.pbf", folder);
                Some(())
            })?,
            City::Sample => self.build(|folder| {
                decompress(&project().join("src/sample"), folder);
                Some(())
            })?,
        };
        let snapshot = Snapshot::new(graph, 0);
        let (bikes, _) = BikeStations::new(&snapshot.graph.street, &bike_stations(&snapshot));
        Some(snapshot.with_bikes(Arc::new(bikes)))
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            City::Shared(name) | City::Feed { feed: name, .. } => name,
            City::Sample => "sample",
        }
    }

    /// Builds the graph of the inputs that are written to a new folder; `None` when they are missing.
    fn build(&self, write: impl FnOnce(&Path) -> Option<()>) -> Option<Arc<Graph>> {
        let name = format!("trestle-least-cost-{}-{}", self.name(), std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let built = write(&folder).map(|()| {
            build_directory(&folder, &folder.join("Graph.obj"), &BuildOptions::default(), &mut |_, _| {})
                .unwrap()
        });
        std::fs::remove_dir_all(&folder).unwrap();
        Some(Arc::new(built?.graph))
    }
}

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn data(city: &str) -> Option<PathBuf> {
    shared(&format!("data/{city}"))
}

/// Decompresses the files of a folder whose names end with `.br`.
fn decompress(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let name = entry.file_name();
        let Some(name) = name.to_str().and_then(|name| name.strip_suffix(".br")) else { continue };
        let mut compressed = File::open(entry.path()).unwrap();
        let mut file = File::create(to.join(name)).unwrap();
        brotli_decompressor::BrotliDecompress(&mut compressed, &mut file).unwrap();
    }
}

fn copy(from: &Path, suffix: &str, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        if entry.file_name().to_string_lossy().ends_with(suffix) {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// A rental station or bike park beside every fifth stop: stations of two networks and of both, and some that take no
/// bikes back.
fn bike_stations(snapshot: &Snapshot) -> Vec<LiveStation> {
    let stops = &snapshot.graph.timetable.stops;
    let networks = [&["A"][..], &["B"], &["A", "B"]];
    let station = |(number, stop): (usize, usize)| LiveStation {
        kind: if number.is_multiple_of(2) { StationKind::Rental } else { StationKind::BikePark },
        id: stop.to_string(),
        position: LatLon::new(stops.lat[stop], stops.lon[stop]),
        bikes: 5,
        spaces: 5,
        allow_dropoff: !number.is_multiple_of(7),
        networks: networks[number % 3].iter().map(|&name| name.to_owned()).collect(),
        ..LiveStation::default()
    };
    (0..stops.id.len()).step_by(5).enumerate().map(station).collect()
}
