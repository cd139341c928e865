//! Positions of the nodes of ways. The ids of millions of nodes are kept in a sorted list, which takes a third of the
//! memory of a hash table.

use crate::grid_shapes::GridPoint;

/// A node that is not in the input.
const UNKNOWN: GridPoint = [i32::MIN, i32::MIN];

/// Positions of nodes. First all needed nodes are registered, then their positions are set, then they can be read.
#[derive(Default)]
pub(super) struct Positions {
    ids: Vec<i64>,
    points: Vec<GridPoint>,
    /// Index after the node that was set last, because most files list nodes by ascending id.
    next: usize,
}

impl Positions {
    /// Registers nodes that are needed.
    pub(super) fn need(&mut self, nodes: &[i64]) {
        self.ids.extend_from_slice(nodes);
    }

    /// Sets the position of a node if it is needed and has none yet.
    pub(super) fn set(&mut self, id: i64, point: impl FnOnce() -> GridPoint) {
        if self.points.is_empty() && !self.ids.is_empty() {
            self.ids.sort_unstable();
            self.ids.dedup();
            self.points = vec![UNKNOWN; self.ids.len()];
        }
        let Some(at) = self.place_of(id) else { return };
        self.next = at + 1;
        if self.points[at] == UNKNOWN {
            self.points[at] = point();
        }
    }

    fn place_of(&self, id: i64) -> Option<usize> {
        let before = self.next.checked_sub(1).map_or(i64::MIN, |last| self.ids[last]);
        match self.ids.get(self.next) {
            Some(&next) if next == id => Some(self.next),
            // Between two needed nodes, so not needed itself.
            Some(&next) if before < id && id < next => None,
            None if before < id => None,
            _ => self.ids.binary_search(&id).ok(),
        }
    }

    /// Position of a node.
    pub(super) fn get(&self, id: i64) -> Option<GridPoint> {
        let at = self.ids.binary_search(&id).ok()?;
        self.points.get(at).copied().filter(|point| *point != UNKNOWN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_in_whatever_order_they_come() {
        for order in [[1, 2, 3, 5, 9], [9, 5, 3, 2, 1], [3, 1, 9, 2, 5]] {
            let mut positions = Positions::default();
            positions.need(&[9, 2, 2, 5, 7]);
            order.iter().for_each(|&id| positions.set(id, || [id as i32, 0]));
            positions.set(2, || [99, 99]);
            assert_eq!([2, 5, 9].map(|id| positions.get(id)), [2, 5, 9].map(|id| Some([id, 0])));
            assert_eq!([1, 7].map(|id| positions.get(id)), [None, None]);
        }
    }
}
