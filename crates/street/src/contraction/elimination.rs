//! The result of contracting a graph in an order: the elimination tree, ranks along it, and all arcs. Contracting a
//! vertex joins its higher neighbours with each other.

use super::neighbours::Neighbours;
use crate::numbering::places_in;

const NONE: u32 = u32::MAX;

/// Arcs from each rank to higher ones.
pub(super) struct Topology {
    /// The rank of each vertex.
    pub(super) rank: Vec<u32>,
    /// First arc of each rank; one more entry than ranks.
    pub(super) first_up: Vec<u32>,
    /// The higher rank of each arc; rising within the arcs of a rank.
    pub(super) up: Vec<u32>,
}

/// Contracts all vertices in an order; `None` if that takes more than `most` arcs.
pub(super) fn eliminate(graph: &Neighbours, order: &[u32], most: usize) -> Option<Topology> {
    let position = places_in(order, order.len(), NONE);
    let parents = parents(graph, order, &position);
    // Number the same tree so that neighbours in it are near in memory.
    let ranks = postorder(&parents);
    let rank: Vec<u32> = position.iter().map(|&at| ranks[at as usize]).collect();
    let vertices = places_in(&rank, order.len(), NONE);
    let (first_up, up) = contract(graph, &vertices, &rank, most)?;
    Some(Topology { rank, first_up, up })
}

/// The parent of each position of the order in the elimination tree: the next of its neighbours once those before it are
/// contracted (Liu, 1986).
fn parents(graph: &Neighbours, order: &[u32], position: &[u32]) -> Vec<u32> {
    let mut parents = vec![NONE; order.len()];
    // Shortcuts towards the roots of the trees so far.
    let mut ancestors = vec![NONE; order.len()];
    for (at, &vertex) in (0..).zip(order) {
        for &other in graph.of(vertex) {
            let mut below = position[other as usize];
            while below < at {
                let next = std::mem::replace(&mut ancestors[below as usize], at);
                if next == NONE {
                    parents[below as usize] = at;
                }
                if next == at {
                    break;
                }
                below = next;
            }
        }
    }
    parents
}

/// Numbers the vertices of a forest in postorder, so that each subtree has consecutive numbers and its root the last.
fn postorder(parents: &[u32]) -> Vec<u32> {
    let mut sizes = vec![1u32; parents.len()];
    for (at, &parent) in parents.iter().enumerate() {
        if parent != NONE {
            sizes[parent as usize] += sizes[at];
        }
    }
    // Parents come after their children, so in reverse order the first number of each parent is known.
    let mut begin = vec![0u32; parents.len()];
    let mut next_root = 0;
    let mut numbers = vec![0u32; parents.len()];
    for at in (0..parents.len()).rev() {
        let free = match parents[at] {
            NONE => &mut next_root,
            parent => &mut begin[parent as usize],
        };
        let first = *free;
        *free += sizes[at];
        begin[at] = first;
        numbers[at] = first + sizes[at] - 1;
    }
    numbers
}

fn contract(graph: &Neighbours, vertices: &[u32], rank: &[u32], most: usize) -> Option<(Vec<u32>, Vec<u32>)> {
    let count = vertices.len();
    let mut first_up = Vec::with_capacity(count + 1);
    let mut up: Vec<u32> = Vec::with_capacity(graph.arc_count() * 2);
    let (mut seen, mut child, mut sibling) = (vec![NONE; count], vec![NONE; count], vec![NONE; count]);
    let mut list = Vec::new();
    for (at, &vertex) in (0u32..).zip(vertices) {
        first_up.push(up.len() as u32);
        list.clear();
        let mut add = |higher: u32| {
            if higher > at && std::mem::replace(&mut seen[higher as usize], at) != at {
                list.push(higher);
            }
        };
        graph.of(vertex).iter().for_each(|&other| add(rank[other as usize]));
        let mut below = child[at as usize];
        while below != NONE {
            let range = first_up[below as usize] as usize..first_up[below as usize + 1] as usize;
            up[range].iter().for_each(|&higher| add(higher));
            below = sibling[below as usize];
        }
        list.sort_unstable();
        if let Some(&parent) = list.first() {
            sibling[at as usize] = std::mem::replace(&mut child[parent as usize], at);
        }
        if up.len() + list.len() > most {
            return None;
        }
        up.extend_from_slice(&list);
    }
    first_up.push(up.len() as u32);
    Some((first_up, up))
}
