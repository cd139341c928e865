//! Numbers vertices along a space-filling curve, so that neighbours in the streets are neighbours in memory.

use trestle_model::geo::{BoundingBox, LatLon};

use super::network::Network;
use crate::numbering::places_in;

/// Bits per coordinate of the curve.
const BITS: u32 = 16;

/// Renumbers the vertices along a Hilbert curve over the network. Edges keep their order.
pub(super) fn sort_vertices(network: &mut Network) {
    let area = BoundingBox::around(network.vertices.iter().map(|v| v.position));
    let scale = |value: f64, low: f64, high: f64| {
        ((value - low) / (high - low).max(1e-9) * f64::from((1u32 << BITS) - 1)) as u32
    };
    let mut order: Vec<u32> = (0..network.vertices.len() as u32).collect();
    order.sort_by_cached_key(|&vertex| {
        let LatLon { lat, lon } = network.position(vertex);
        hilbert(scale(lon, area.west, area.east), scale(lat, area.south, area.north))
    });
    let numbers = places_in(&order, order.len(), 0);
    network.vertices = order.iter().map(|&old| network.vertices[old as usize].clone()).collect();
    let renumber = |vertex: &mut u32| *vertex = numbers[*vertex as usize];
    for build in &mut network.edges {
        renumber(&mut build.edge.from);
        renumber(&mut build.edge.to);
    }
    network.stop_links.iter_mut().for_each(|link| renumber(&mut link.vertex));
    network.stations.iter_mut().for_each(|station| renumber(&mut station.vertex));
}

/// Position of a cell along the curve.
fn hilbert(mut x: u32, mut y: u32) -> u64 {
    let mut position = 0u64;
    for bit in (0..BITS).rev() {
        let (right, upper) = (x >> bit & 1, y >> bit & 1);
        position = position << 2 | u64::from((3 * right) ^ upper);
        if upper == 0 {
            if right == 1 {
                (x, y) = (!x, !y);
            }
            (x, y) = (y, x);
        }
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_steps_from_cell_to_cell() {
        let shift = BITS - 3;
        let mut cells: Vec<(u64, (i32, i32))> = (0..8u32)
            .flat_map(|x| (0..8u32).map(move |y| (x, y)))
            .map(|(x, y)| (hilbert(x << shift, y << shift) >> (2 * shift), (x as i32, y as i32)))
            .collect();
        cells.sort_unstable();
        let steps = cells.windows(2).map(|w| (w[1].1.0 - w[0].1.0).abs() + (w[1].1.1 - w[0].1.1).abs());
        assert!(cells.iter().enumerate().all(|(i, c)| c.0 == i as u64));
        assert!(steps.into_iter().all(|step| step == 1), "{cells:?}");
    }
}
