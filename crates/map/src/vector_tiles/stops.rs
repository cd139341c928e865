//! Stops, stations and entrances.

use std::sync::OnceLock;

use trestle_engine::snapshot::Snapshot;
use trestle_model::Mode;
use trestle_model::ids::StopIdx;
use trestle_street::grid_shapes::GridPoint;
use trestle_transit::gtfs::STATION;
use trestle_transit::timetable::Timetable;

use super::frame::{Frame, world_point};
use super::layers::MAX_ZOOM;
use super::writer::{LayerWriter, Value};
use crate::stop_modes::{min_zoom, modes_of_stops};

/// location_type of an entrance.
const ENTRANCE: u8 = 2;
/// Zooms from which entrances, and the platforms of stations, are shown.
const PARTS_OF_STATIONS: u8 = 15;

/// A stop as the map shows it.
struct StopPoint {
    stop: u32,
    at: GridPoint,
    /// Zoom from which it is shown.
    min_zoom: u8,
    /// Bits of the modes that call there, or at the stops of the station.
    modes: u16,
}

/// The stops of a timetable that are on the map, by the zoom from which they are shown.
#[derive(Default)]
struct StopPoints(Vec<StopPoint>);

impl StopPoints {
    fn of(snapshot: &Snapshot) -> &StopPoints {
        let kept: &OnceLock<StopPoints> = snapshot.derived.get();
        kept.get_or_init(|| StopPoints::new(&snapshot.graph.timetable))
    }

    fn new(timetable: &Timetable) -> StopPoints {
        let stops = &timetable.stops;
        let modes = modes_of_stops(timetable);
        let mut points: Vec<StopPoint> = (0..stops.id.len())
            .filter_map(|i| {
                let is_part = stops.station_of(StopIdx::from(i)).is_some();
                let min_zoom = match stops.location_type[i] {
                    ENTRANCE => PARTS_OF_STATIONS,
                    0 | STATION if modes[i] == 0 => return None,
                    0 if is_part => PARTS_OF_STATIONS,
                    0 | STATION => min_zoom(modes[i]),
                    _ => return None,
                };
                let at = world_point(stops.position(StopIdx::from(i)), MAX_ZOOM);
                Some(StopPoint { stop: i as u32, at, min_zoom, modes: modes[i] })
            })
            .collect();
        points.sort_by_key(|point| point.min_zoom);
        StopPoints(points)
    }
}

/// Writes the stops of a tile.
pub(super) fn write(snapshot: &Snapshot, frame: &Frame, layer: &mut LayerWriter) {
    let timetable = &snapshot.graph.timetable;
    let stops = &timetable.stops;
    let bounds = frame.world_bounds(MAX_ZOOM);
    let all = &StopPoints::of(snapshot).0;
    let shown = all.iter().take_while(|point| u32::from(point.min_zoom) <= frame.id.z);
    for point in shown.filter(|point| bounds.has(point.at)) {
        let i = point.stop as usize;
        let text = |column: &[u32]| timetable.texts.get(column[i]);
        let station = stops.station_of(StopIdx(point.stop));
        let parent = station.map_or_else(String::new, |station| timetable.stop_id(station));
        layer.points(
            &[frame.of_world(point.at, MAX_ZOOM)],
            &[
                ("id", Value::Text(&timetable.stop_id(StopIdx(point.stop)))),
                ("name", Value::Text(text(&stops.name))),
                ("code", Value::Text(text(&stops.code))),
                ("platformCode", Value::Text(text(&stops.platform))),
                ("locationType", Value::Whole(i64::from(stops.location_type[i]))),
                ("parentStation", Value::Text(&parent)),
                ("wheelchairBoarding", Value::Whole(i64::from(stops.wheelchair[i]))),
                ("modes", Value::Text(&names(point.modes))),
            ],
        );
    }
}

fn names(modes: u16) -> String {
    let named = Mode::ALL.iter().filter(|mode| modes & 1 << **mode as u8 != 0);
    named.map(|mode| mode.name()).collect::<Vec<_>>().join(",")
}
