//! Areas that touch on one level, which are built together.

use rustc_hash::FxHashMap;

use super::areas::Area;
use crate::osm::NodeRef;

/// Areas of one level that are connected by shared nodes.
#[derive(Debug)]
pub(super) struct AreaGroup<'g, 'a> {
    pub(super) areas: Vec<&'g Area<'a>>,
}

/// Groups areas that share a node on the same level; groups and their areas keep the order of the areas.
pub(super) fn group_areas<'g, 'a>(areas: &[&'g Area<'a>]) -> Vec<AreaGroup<'g, 'a>> {
    let mut parent: Vec<usize> = (0..areas.len()).collect();
    let mut first_at: FxHashMap<(NodeRef, u64), usize> = FxHashMap::default();
    for (i, area) in areas.iter().enumerate() {
        // Adding zero makes equal levels equal bits (−0 and 0).
        let level = (area.level.number + 0.0).to_bits();
        for node in area.outer.iter().flat_map(|ring| &ring.nodes) {
            let other = *first_at.entry((*node, level)).or_insert(i);
            let (a, b) = (root(&mut parent, other), root(&mut parent, i));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut groups: Vec<AreaGroup<'g, 'a>> = Vec::new();
    let mut group_of_root: FxHashMap<usize, usize> = FxHashMap::default();
    for (i, area) in areas.iter().enumerate() {
        let root = root(&mut parent, i);
        let group = *group_of_root.entry(root).or_insert_with(|| {
            groups.push(AreaGroup { areas: Vec::new() });
            groups.len() - 1
        });
        groups[group].areas.push(area);
    }
    groups
}

fn root(parent: &mut [usize], area: usize) -> usize {
    let mut area = area;
    while parent[area] != area {
        parent[area] = parent[parent[area]];
        area = parent[area];
    }
    area
}
