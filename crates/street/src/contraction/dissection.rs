//! The order of contraction: nested dissection. A small separator divides the graph. Its vertices come last, after
//! those of the two parts, which are ordered in the same way.

use super::inertial_flow::best_cut;
use super::low_degree;
use super::neighbours::Neighbours;
use crate::numbering::places_in;

/// Cells of at most this many vertices (bits of a word) are ordered by degree instead of being cut.
const SMALL: usize = 32;
/// The parts of cells of at least this many vertices are ordered in parallel.
const LARGE: usize = 20_000;

/// The vertices in order of contraction. `positions` are in a plane, in any unit. Once `interrupted`, it is not complete.
pub(super) fn order(
    graph: &Neighbours,
    positions: &[[f32; 2]],
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Vec<u32> {
    let (mut order, pairs) = low_degree::contract(graph);
    let mut is_left = vec![true; graph.count()];
    order.iter().for_each(|&v| is_left[v as usize] = false);
    let left: Vec<u32> = (0..graph.count() as u32).filter(|&v| is_left[v as usize]).collect();
    let numbers = places_in(&left, graph.count(), 0);
    let pairs = pairs.iter().map(|&(a, b)| (numbers[a as usize], numbers[b as usize]));
    let cell = Cell {
        graph: Neighbours::of_pairs(left.len(), pairs),
        positions: left.iter().map(|&v| positions[v as usize]).collect(),
        vertices: left,
    };
    let first = order.len();
    order.resize(graph.count(), 0);
    cell.order_into(&mut order[first..], interrupted);
    order
}

/// Part of the graph.
struct Cell {
    graph: Neighbours,
    positions: Vec<[f32; 2]>,
    /// Numbers of its vertices in the whole graph.
    vertices: Vec<u32>,
}

impl Cell {
    /// Writes its vertices into `order`, which is exactly as long.
    fn order_into(self, order: &mut [u32], interrupted: &(dyn Fn() -> bool + Sync)) {
        let count = self.vertices.len();
        if count <= SMALL {
            for (place, vertex) in order.iter_mut().zip(by_degree(&self.graph)) {
                *place = self.vertices[vertex as usize];
            }
            return;
        }
        if interrupted() {
            return;
        }
        let sides = self.sides(interrupted);
        let of = |side: Side| (0..count as u32).filter(|&v| sides[v as usize] == side).collect::<Vec<_>>();
        let mut numbers = vec![0; count];
        let [first, second] = [Side::First, Side::Second].map(|side| self.part(&of(side), &mut numbers));
        let (before, separator) = order.split_at_mut(first.vertices.len() + second.vertices.len());
        for (place, vertex) in separator.iter_mut().zip(of(Side::Separator)) {
            *place = self.vertices[vertex as usize];
        }
        drop(self);
        let (one, other) = before.split_at_mut(first.vertices.len());
        if count < LARGE {
            first.order_into(one, interrupted);
            second.order_into(other, interrupted);
            return;
        }
        std::thread::scope(|scope| {
            scope.spawn(|| first.order_into(one, interrupted));
            second.order_into(other, interrupted);
        });
    }

    fn part(&self, vertices: &[u32], numbers: &mut [u32]) -> Cell {
        Cell {
            graph: self.graph.between(vertices, numbers),
            positions: vertices.iter().map(|&v| self.positions[v as usize]).collect(),
            vertices: vertices.iter().map(|&v| self.vertices[v as usize]).collect(),
        }
    }

    /// The part of each vertex. The separator consists of the ends of the cut on the side with fewer of them.
    fn sides(&self, interrupted: &dyn Fn() -> bool) -> Vec<Side> {
        let first = best_cut(&self.graph, &self.positions, interrupted);
        let is_cut =
            |v: u32| self.graph.of(v).iter().any(|&other| first[other as usize] != first[v as usize]);
        let mut ends = [0, 0];
        let cut: Vec<bool> = (0..self.vertices.len() as u32).map(is_cut).collect();
        for (vertex, _) in cut.iter().enumerate().filter(|(_, cut)| **cut) {
            ends[usize::from(first[vertex])] += 1;
        }
        let separates = ends[1] <= ends[0];
        let side = |(&cut, &first): (&bool, &bool)| match first {
            _ if cut && first == separates => Side::Separator,
            true => Side::First,
            false => Side::Second,
        };
        cut.iter().zip(&first).map(side).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Second,
    Separator,
}

/// The vertices of a small graph in order of contraction: next is always one with the fewest neighbours.
fn by_degree(graph: &Neighbours) -> Vec<u32> {
    let count = graph.count() as u32;
    let mut neighbours: Vec<u32> =
        (0..count).map(|v| graph.of(v).iter().fold(0, |set, &other| set | 1 << other)).collect();
    let mut left: Vec<u32> = (0..count).collect();
    let mut order = Vec::new();
    while let Some(at) = (0..left.len()).min_by_key(|&i| neighbours[left[i] as usize].count_ones()) {
        let vertex = left.swap_remove(at);
        order.push(vertex);
        let around = neighbours[vertex as usize];
        for &other in left.iter().filter(|&&other| around >> other & 1 == 1) {
            neighbours[other as usize] = (neighbours[other as usize] | around) & !(1 << vertex | 1 << other);
        }
    }
    order
}
