//! Joins lines to closed rings.

/// Joins lines at their ends to closed rings; the first point of a ring is not repeated at its end.
///
/// # Errors
/// When a line is left over or a ring has fewer than three points.
pub(crate) fn close_rings<P: Copy + PartialEq>(lines: Vec<&[P]>) -> Result<Vec<Vec<P>>, String> {
    let mut open: Vec<Vec<P>> = lines.into_iter().map(<[_]>::to_vec).collect();
    let mut rings = Vec::new();
    while !open.is_empty() {
        let mut ring = open.remove(0);
        while ring.first() != ring.last() || ring.len() < 2 {
            let Some(end) = ring.last().copied() else { return Err("a ring has no nodes".to_owned()) };
            let next = open.iter().position(|line| line.first() == Some(&end) || line.last() == Some(&end));
            let Some(next) = next else { return Err("a ring is not closed".to_owned()) };
            let mut line = open.remove(next);
            if line.first() != Some(&end) {
                line.reverse();
            }
            ring.extend_from_slice(&line[1..]);
        }
        ring.dedup();
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        if ring.len() < 3 {
            return Err("a ring has fewer than three nodes".to_owned());
        }
        rings.push(ring);
    }
    Ok(rings)
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
}
