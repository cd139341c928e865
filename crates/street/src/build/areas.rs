//! Open areas: rings of closed ways and multipolygon relations.

use trestle_model::IssueSink;
use trestle_model::geo::{LatLon, is_west_of_piece, ring_pieces};

use super::geometry;
use crate::geometry::between;
use crate::osm::{
    Level, NodeRef, OsmData, Relation, Tags, close_rings, is_bike_parking, is_park_and_ride,
    is_routable_entity,
};

/// A closed line of nodes; the first node is not repeated at the end.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Ring {
    pub(super) nodes: Vec<NodeRef>,
}

impl Ring {
    /// Neighbouring nodes, the closing piece included.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (NodeRef, NodeRef)> + '_ {
        ring_pieces(&self.nodes)
    }
}

/// An area and its rings.
#[derive(Clone, Debug)]
pub(super) struct Area<'a> {
    pub(super) id: i64,
    pub(super) tags: &'a Tags,
    pub(super) level: Level,
    pub(super) outer: Vec<Ring>,
    pub(super) inner: Vec<Ring>,
}

impl Area<'_> {
    /// All rings, the outer ones first.
    pub(super) fn rings(&self) -> impl Iterator<Item = &Ring> {
        self.outer.iter().chain(&self.inner)
    }

    /// The area as polygons.
    pub(super) fn shape(&self, data: &OsmData) -> AreaShape {
        AreaShape { rings: self.rings().map(|ring| ring_line(data, ring)).collect() }
    }

    fn is_across_meridian(&self, data: &OsmData) -> bool {
        self.shape(data).pieces().any(|(a, b)| geometry::is_across_meridian(a, b))
    }
}

/// All usable areas: plazas and platforms, park-and-ride lots and bike parks.
pub(super) fn collect<'a>(data: &'a OsmData, issues: &mut IssueSink) -> Vec<Area<'a>> {
    let mut areas = Vec::new();
    let mut keep = |(kind, id, file): (&str, i64, usize), found: Result<Option<Area<'a>>, String>| {
        let mut issue =
            |code, reason: &str| issues.add(code, &data.files[file], 0, format!("{kind} {id}: {reason}"));
        match found {
            Ok(Some(area)) if area.is_across_meridian(data) => {
                issue(geometry::ACROSS_MERIDIAN, "left out, because it crosses the 180th meridian");
            }
            Ok(area) => areas.extend(area),
            Err(reason) => issue("area-unusable", &reason),
        }
    };
    for relation in data.relations.iter().filter(|r| r.is_area()) {
        keep(("relation", relation.id, relation.file), from_relation(data, relation));
    }
    for way in data.ways.iter().filter(|way| way.is_area && is_usable(&way.tags)) {
        if way.nodes.iter().any(|node| data.position(*node).is_none()) {
            keep(("way", way.id, way.file), Err("nodes of its outline are missing".to_owned()));
            continue;
        }
        let area = close_rings(vec![&way.nodes]).map(|outer| {
            let (tags, level, outer) = (&way.tags, way.level.clone(), rings(outer));
            Some(Area { id: way.id, tags, level, outer, inner: Vec::new() })
        });
        keep(("way", way.id, way.file), area);
    }
    areas
}

fn is_usable(tags: &Tags) -> bool {
    is_routable_entity(tags) || is_park_and_ride(tags) || is_bike_parking(tags)
}

/// The area of a multipolygon; `None` when the input lacks some of its ways or nodes.
fn from_relation<'a>(data: &'a OsmData, relation: &'a Relation) -> Result<Option<Area<'a>>, String> {
    if !data.has_complete_rings(relation) {
        return Ok(None);
    }
    let lines = |role: &str| -> Vec<&[NodeRef]> {
        let members = relation.ways().filter(|member| member.role == role);
        members.filter_map(|m| Some(data.way(m.id)?.nodes.as_slice())).collect()
    };
    let level = Level::of_tags(&relation.tags).unwrap_or_default();
    let outer = rings(close_rings(lines("outer"))?);
    if outer.is_empty() {
        return Err("it has no outer ring".to_owned());
    }
    let inner = rings(close_rings(lines("inner"))?);
    Ok(Some(Area { id: relation.id, tags: &relation.tags, level, outer, inner }))
}

fn rings(closed: Vec<Vec<NodeRef>>) -> Vec<Ring> {
    closed.into_iter().map(|nodes| Ring { nodes }).collect()
}

/// The outline of an area, to tell inside from outside (even-odd rule over all rings, on the plane of degrees).
#[derive(Clone, Debug)]
pub(super) struct AreaShape {
    pub(super) rings: Vec<Vec<LatLon>>,
}

impl AreaShape {
    /// All pieces of all rings.
    pub(super) fn pieces(&self) -> impl Iterator<Item = (LatLon, LatLon)> + '_ {
        self.rings.iter().flat_map(|ring| ring_pieces(ring))
    }

    /// Whether a point is inside (points on the boundary may fall either way).
    pub(super) fn contains(&self, point: LatLon) -> bool {
        self.pieces().filter(|(a, b)| is_west_of_piece(point.plane(), a.plane(), b.plane())).count() % 2 == 1
    }

    /// Length in degrees of the part of a straight line that is inside or on the boundary.
    pub(super) fn length_inside(&self, from: LatLon, to: LatLon) -> f64 {
        let mut cuts = vec![0.0, 1.0];
        for (a, b) in self.pieces() {
            if is_same_piece((a, b), (from, to)) {
                return length_deg(from, to);
            }
            cuts.extend(crossing(from, to, a, b));
        }
        cuts.sort_by(f64::total_cmp);
        let is_inside = |t: &&[f64]| self.contains(between(from, to, (t[0] + t[1]) / 2.0));
        let inside = cuts.windows(2).filter(is_inside).map(|t| t[1] - t[0]);
        inside.sum::<f64>() * length_deg(from, to)
    }
}

fn is_same_piece(piece: (LatLon, LatLon), other: (LatLon, LatLon)) -> bool {
    piece == other || piece == (other.1, other.0)
}

pub(super) fn length_deg(from: LatLon, to: LatLon) -> f64 {
    (to.lat - from.lat).hypot(to.lon - from.lon)
}

/// Where the line `from`–`to` crosses `a`–`b`, as a fraction of the former.
pub(super) fn crossing(from: LatLon, to: LatLon, a: LatLon, b: LatLon) -> Option<f64> {
    let (dx, dy) = (to.lon - from.lon, to.lat - from.lat);
    let (ex, ey) = (b.lon - a.lon, b.lat - a.lat);
    let cross = dx * ey - dy * ex;
    if cross == 0.0 {
        return None;
    }
    let (ox, oy) = (a.lon - from.lon, a.lat - from.lat);
    let t = (ox * ey - oy * ex) / cross;
    let u = (ox * dy - oy * dx) / cross;
    ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then_some(t)
}

/// Positions of the nodes of a ring; nodes without one are left out.
fn ring_line(data: &OsmData, ring: &Ring) -> Vec<LatLon> {
    ring.nodes.iter().filter_map(|node| data.position(*node)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_is_outside() {
        let square = |from: f64, to: f64| {
            vec![LatLon::new(from, from), LatLon::new(from, to), LatLon::new(to, to), LatLon::new(to, from)]
        };
        let shape = AreaShape { rings: vec![square(0.0, 10.0), square(4.0, 6.0)] };
        assert!(shape.contains(LatLon::new(1.0, 1.0)) && !shape.contains(LatLon::new(5.0, 5.0)));
        let across = shape.length_inside(LatLon::new(5.0, 0.0), LatLon::new(5.0, 10.0));
        assert!((across - 8.0).abs() < 1e-9);
        assert_eq!(shape.length_inside(LatLon::new(0.0, 0.0), LatLon::new(0.0, 10.0)), 10.0);
    }
}
