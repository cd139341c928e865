//! Joins parking areas to streets that cross their outline without a common node.

use trestle_model::geo::BoundingBox;

use super::areas::{Area, crossing};
use crate::geometry::between;
use crate::osm::{JoiningNode, NodeRef, OsmData, Way};

/// The nodes to add where streets cross the outlines of lots on the same level. Nothing is joined where the piece of the
/// street or of the outline already shares a node with the other line.
pub(super) fn crossings(data: &OsmData, lots: &[&Area<'_>]) -> Vec<JoiningNode> {
    let mut joins = Vec::new();
    if lots.is_empty() {
        return joins;
    }
    let streets: Vec<(&Way, BoundingBox)> = data
        .ways
        .iter()
        .filter(|way| way.is_street)
        .map(|way| (way, bounds(data, way.nodes.iter().copied())))
        .collect();
    for lot in lots {
        let outline: Vec<(NodeRef, NodeRef)> = lot.outer.iter().flat_map(|ring| ring.pieces()).collect();
        let lot_bounds = bounds(data, outline.iter().map(|(node, _)| *node));
        for (way, bounds) in &streets {
            if way.level.number == lot.level.number && bounds.touches(lot_bounds) {
                cross_outline(data, way, &outline, &mut joins);
            }
        }
    }
    joins
}

fn bounds(data: &OsmData, nodes: impl Iterator<Item = NodeRef>) -> BoundingBox {
    BoundingBox::around(nodes.filter_map(|node| data.position(node)))
}

fn cross_outline(data: &OsmData, way: &Way, outline: &[(NodeRef, NodeRef)], joins: &mut Vec<JoiningNode>) {
    for street in way.nodes.windows(2).map(|pair| (pair[0], pair[1])) {
        for lot in outline {
            let (Some(from), Some(to)) = (data.position(street.0), data.position(street.1)) else { continue };
            let (Some(a), Some(b)) = (data.position(lot.0), data.position(lot.1)) else { continue };
            let is_joined = way.nodes.contains(&lot.0) || way.nodes.contains(&lot.1);
            let is_corner = outline.iter().any(|(node, _)| *node == street.0 || *node == street.1);
            if is_joined || is_corner {
                continue;
            }
            if let Some(t) = crossing(from, to, a, b) {
                joins.push(JoiningNode { position: between(from, to, t), pieces: [street, *lot] });
            }
        }
    }
}
