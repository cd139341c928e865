//! Joins lines into longer lines and closed rings.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Joins lines at their ends into lines that are as long as possible, using each line once. With `either_way` lines may
/// be reversed; without it, a line continues only where another one ends.
pub(crate) fn join_lines<P: Copy + Eq + Hash>(mut lines: Vec<Vec<P>>, either_way: bool) -> Vec<Vec<P>> {
    lines.retain(|line| !line.is_empty());
    let mut at_end: FxHashMap<P, Vec<u32>> = FxHashMap::default();
    let mut lasts: FxHashMap<P, u32> = FxHashMap::default();
    for (number, line) in (0..).zip(&lines) {
        let (first, last) = (line[0], line[line.len() - 1]);
        at_end.entry(first).or_default().push(number);
        if either_way && first != last {
            at_end.entry(last).or_default().push(number);
        }
        *lasts.entry(last).or_default() += 1;
    }
    // Lines that continue no other line come first, so that no joined line starts in the middle.
    let mut order: Vec<usize> = (0..lines.len()).collect();
    if !either_way {
        order.sort_by_key(|&number| lasts.contains_key(&lines[number][0]));
    }
    let mut joined = Vec::new();
    for number in order {
        let mut line = std::mem::take(&mut lines[number]);
        if line.is_empty() {
            continue;
        }
        extend(&mut line, &mut lines, &at_end);
        if either_way && line.first() != line.last() {
            line.reverse();
            extend(&mut line, &mut lines, &at_end);
            line.reverse();
        }
        joined.push(line);
    }
    joined
}

/// Extends a line by lines that `at_end` lists where it ends, until it is closed or none is left.
fn extend<P: Copy + Eq + Hash>(line: &mut Vec<P>, lines: &mut [Vec<P>], at_end: &FxHashMap<P, Vec<u32>>) {
    while line.len() < 2 || line.first() != line.last() {
        let Some(&end) = line.last() else { return };
        let there = at_end.get(&end).map_or(&[][..], Vec::as_slice);
        let Some(&next) = there.iter().find(|&&number| !lines[number as usize].is_empty()) else { return };
        let mut next = std::mem::take(&mut lines[next as usize]);
        if next.first() != Some(&end) {
            next.reverse();
        }
        line.extend_from_slice(&next[1..]);
    }
}

/// The ring of a line that ends where it begins, without repeated points; `None` with fewer than three of them.
pub(crate) fn ring<P: Copy + PartialEq>(mut line: Vec<P>) -> Option<Vec<P>> {
    line.dedup();
    if line.len() > 1 && line.first() == line.last() {
        line.pop();
    }
    (line.len() >= 3).then_some(line)
}

/// Joins lines at their ends into closed rings; the first point of a ring is not repeated at its end.
///
/// # Errors
/// When a line is left over or a ring has fewer than three points.
pub(crate) fn close_rings<P: Copy + Eq + Hash>(lines: Vec<&[P]>) -> Result<Vec<Vec<P>>, String> {
    if lines.iter().any(|line| line.is_empty()) {
        return Err("a ring has no nodes".to_owned());
    }
    let joined = join_lines(lines.into_iter().map(<[_]>::to_vec).collect(), true);
    let closed = |line: Vec<P>| {
        if line.len() < 2 || line.first() != line.last() {
            return Err("a ring is not closed".to_owned());
        }
        ring(line).ok_or_else(|| "a ring has fewer than three nodes".to_owned())
    };
    joined.into_iter().map(closed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_to_rings() {
        assert_eq!(close_rings(vec![&[1, 2, 3, 1]]), Ok(vec![vec![1, 2, 3]]));
        assert_eq!(close_rings(vec![&[1, 2, 3], &[5, 1], &[5, 4, 3]]), Ok(vec![vec![1, 2, 3, 4, 5]]));
        assert!(close_rings(vec![&[1, 2, 3]]).is_err());
        assert!(close_rings(vec![&[1, 2, 1]]).is_err());
        assert!(close_rings::<u32>(vec![&[]]).is_err());
    }

    #[test]
    fn lines_that_do_not_close_are_as_long_as_they_can_be() {
        let lines = || vec![vec![3, 4], vec![1, 2], vec![2, 3], vec![9, 8]];
        assert_eq!(join_lines(lines(), false), [vec![1, 2, 3, 4], vec![9, 8]]);
        let turned = join_lines(vec![vec![3, 4], vec![3, 2], vec![5, 4]], true);
        assert_eq!(turned, [vec![2, 3, 4, 5]]);
        assert_eq!(join_lines(vec![vec![1, 2], vec![3, 2]], false), [vec![1, 2], vec![3, 2]]);
        assert_eq!(join_lines(vec![vec![2, 1], vec![1, 2]], false), [vec![2, 1, 2]]);
    }
}
