//! Groups of areas that touch on the same level and are built together.

use rustc_hash::FxHashMap;

use super::areas::Area;
use crate::disjoint_sets::DisjointSets;
use crate::osm::NodeRef;

/// Areas of one level that are connected by shared nodes.
#[derive(Debug)]
pub(super) struct AreaGroup<'g, 'a> {
    pub(super) areas: Vec<&'g Area<'a>>,
}

impl AreaGroup<'_, '_> {
    /// The nodes of all outer rings, one ring after another.
    pub(super) fn outer_nodes(&self) -> impl Iterator<Item = NodeRef> {
        self.areas.iter().flat_map(|area| &area.outer).flat_map(|ring| &ring.nodes).copied()
    }
}

/// Groups areas that share a node on the same level; groups and their areas keep the order of the areas.
pub(super) fn group_areas<'g, 'a>(areas: &[&'g Area<'a>]) -> Vec<AreaGroup<'g, 'a>> {
    let mut sets = DisjointSets::new(areas.len());
    let mut first_at: FxHashMap<(NodeRef, u64), u32> = FxHashMap::default();
    for (i, area) in (0..).zip(areas) {
        // Adding zero makes equal levels equal bits (−0 and 0).
        let level = (area.level.number + 0.0).to_bits();
        for node in area.outer.iter().flat_map(|ring| &ring.nodes) {
            sets.join(*first_at.entry((*node, level)).or_insert(i), i);
        }
    }
    let mut groups: Vec<AreaGroup<'g, 'a>> = Vec::new();
    let mut group_of_root: FxHashMap<u32, usize> = FxHashMap::default();
    for (i, area) in (0..).zip(areas) {
        let group = *group_of_root.entry(sets.root(i)).or_insert_with(|| {
            groups.push(AreaGroup { areas: Vec::new() });
            groups.len() - 1
        });
        groups[group].areas.push(area);
    }
    groups
}
