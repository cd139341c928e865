//! Lines between two places that are not streets: links of stops, transfers, forbidden turns.

use tiny_skia::Color;
use trestle_engine::snapshot::Snapshot;
use trestle_model::geo::{BoundingBox, LatLon};
use trestle_model::ids::{EdgeIdx, StopIdx, VertexIdx};
use trestle_street::graph::{StreetGraph, TurnRestriction};

use super::layers::Layer;

/// Orange, the colour of links.
const LINK: [u8; 3] = [255, 200, 0];

/// A dashed line from one place to another.
pub(super) struct Connection {
    pub(super) ends: [LatLon; 2],
    pub(super) color: Color,
    pub(super) label: String,
}

impl Connection {
    fn new(from: LatLon, to: LatLon, [red, green, blue]: [u8; 3], label: impl Into<String>) -> Connection {
        Connection { ends: [from, to], color: Color::from_rgba8(red, green, blue, 255), label: label.into() }
    }
}

/// The connections of a layer whose own box touches another box.
pub(super) fn connections<'a>(
    snapshot: &'a Snapshot,
    layer: Layer,
    bounds: BoundingBox,
) -> Box<dyn Iterator<Item = Connection> + 'a> {
    match layer {
        Layer::Traversal | Layer::StopLinks => Box::new(stop_links(snapshot, bounds)),
        Layer::Transfers => Box::new(transfers(snapshot, bounds)),
        Layer::TurnRestrictions => Box::new(turns(&snapshot.graph.street, bounds)),
        _ => Box::new(std::iter::empty()),
    }
}

/// Both directions between stops and streets.
fn stop_links(snapshot: &Snapshot, bounds: BoundingBox) -> impl Iterator<Item = Connection> {
    let street = &snapshot.graph.street;
    let stops = &snapshot.graph.timetable.stops;
    let ends = (street.stop_links.iter())
        .map(|link| (stops.position(StopIdx(link.stop)), street.position(VertexIdx(link.vertex))));
    let is_seen = move |from: LatLon, to: LatLon| sides(bounds, from) & sides(bounds, to) == 0;
    ends.filter(move |(stop, vertex)| is_seen(*stop, *vertex)).flat_map(|(stop, vertex)| {
        [Connection::new(stop, vertex, LINK, "link"), Connection::new(vertex, stop, LINK, "link")]
    })
}

/// Walks between stops with their length; fixed ones with their time. There are hundreds of thousands of them, so the
/// position of each stop relative to the box is computed once.
fn transfers(snapshot: &Snapshot, bounds: BoundingBox) -> impl Iterator<Item = Connection> {
    let (table, stops) = (&snapshot.graph.timetable.transfers, &snapshot.graph.timetable.stops);
    let sides: Vec<u8> =
        (0..stops.id.len()).map(|stop| sides(bounds, stops.position(StopIdx::from(stop)))).collect();
    let seen = (0..stops.id.len()).map(StopIdx::from).flat_map(move |stop| {
        let is_seen = |other: u32| sides[stop.index()] & sides[other as usize] == 0;
        let on_foot = table.direct_from(stop).iter().filter(|row| row.is_usable(false));
        let seen: Vec<_> = on_foot.filter(|row| is_seen(row.other_stop)).collect();
        seen.into_iter().map(move |row| (stop, row))
    });
    seen.map(move |(stop, row)| {
        let [from, to] = [stop, StopIdx(row.other_stop)].map(|stop| stops.position(stop));
        let label = match row.seconds {
            0.. => format!("{} s", row.seconds),
            _ => format!("{:.0} m", row.meters),
        };
        Connection::new(from, to, LINK, label)
    })
}

/// On which sides of a box a place is; the box around two places on the same side does not touch it.
fn sides(area: BoundingBox, at: LatLon) -> u8 {
    let beyond = [at.lat < area.south, at.lon < area.west, at.lat > area.north, at.lon > area.east];
    beyond.iter().enumerate().map(|(side, is_beyond)| u8::from(*is_beyond) << side).sum()
}

/// From the middle of the street where a restriction begins to the middle of the other: red when the turn is forbidden,
/// green when it is the only one allowed.
fn turns(street: &StreetGraph, bounds: BoundingBox) -> impl Iterator<Item = Connection> {
    street.restrictions.iter().filter_map(move |restriction| {
        let ends = [restriction.from, restriction.to].map(|edge| middle(street, EdgeIdx(edge)));
        let (from, to) = (ends[0]?, ends[1]?);
        let color = if restriction.only == 1 { [0, 179, 0] } else { [255, 0, 0] };
        let is_seen = sides(bounds, from) & sides(bounds, to) == 0;
        is_seen.then(|| Connection::new(from, to, color, describe(restriction)))
    })
}

fn middle(street: &StreetGraph, edge: EdgeIdx) -> Option<LatLon> {
    let line: Vec<LatLon> = street.edge_line(edge).collect();
    match line[..] {
        [a, b] => Some(LatLon::new((a.lat + b.lat) / 2.0, (a.lon + b.lon) / 2.0)),
        _ => line.get(line.len() / 2).copied(),
    }
}

fn describe(restriction: &TurnRestriction) -> String {
    let kind = if restriction.only == 1 { "only" } else { "no" };
    let modes: Vec<&str> = [(TurnRestriction::BICYCLE, "bike"), (TurnRestriction::CAR, "car")]
        .into_iter()
        .filter(|(bit, _)| restriction.modes & bit != 0)
        .map(|(_, name)| name)
        .collect();
    let when = if restriction.holds_always() { "" } else { " at times" };
    format!("{kind} {}{when}", modes.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_forbidden_on_all_days_at_some_hours_are_forbidden_at_times() {
        let always = TurnRestriction {
            modes: TurnRestriction::BICYCLE | TurnRestriction::CAR,
            day_to: 6,
            time_to: 86_400,
            ..TurnRestriction::default()
        };
        assert_eq!(describe(&always), "no bike,car");
        let late = TurnRestriction { time_from: 79_200, ..always };
        assert_eq!(describe(&late), "no bike,car at times");
        let on_mondays = TurnRestriction { day_to: 0, ..always };
        assert_eq!(describe(&on_mondays), "no bike,car at times");
    }
}
