//! Polygons: shells with their holes.

use trestle_model::geo::{LatLon, is_west_of_piece};

use super::isoline::{Ring, signed_area};

/// A shell (counter-clockwise) and its holes (clockwise).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Polygon {
    /// Outer ring.
    pub shell: Ring,
    /// Inner rings.
    pub holes: Vec<Ring>,
}

/// The rings without those holes (clockwise) that lie in no shell (counter-clockwise). Rings do not cross each other.
pub fn without_stray_holes(rings: Vec<Ring>) -> Vec<Ring> {
    let (mut kept, holes): (Vec<Ring>, Vec<Ring>) =
        rings.into_iter().partition(|ring| signed_area(ring) > 0.0);
    let pieces = PiecesByLatitude::of(&kept);
    kept.extend(holes.into_iter().filter(|hole| hole.first().is_some_and(|&point| pieces.surround(point))));
    kept
}

/// The pieces of all shells, in bands by latitude: otherwise each hole would be compared with all pieces.
struct PiecesByLatitude {
    south: f64,
    /// Degrees.
    height: f64,
    bands: Vec<Vec<[LatLon; 2]>>,
}

/// Fewest pieces in a band, on average.
const PIECES_PER_BAND: usize = 8;

impl PiecesByLatitude {
    fn of(shells: &[Ring]) -> PiecesByLatitude {
        let latitudes = || shells.iter().flatten().map(|point| point.lat);
        let (south, north) = (latitudes().fold(f64::MAX, f64::min), latitudes().fold(f64::MIN, f64::max));
        let ends = || shells.iter().flat_map(|shell| shell.windows(2)).map(|piece| [piece[0], piece[1]]);
        let count = ends().count();
        let climb: f64 = ends().map(|[a, b]| (a.lat - b.lat).abs()).sum();
        // No band is thinner than pieces are tall on average, or many bands would have a copy of each piece.
        let least = (climb / count.max(1) as f64).max(f64::MIN_POSITIVE);
        let height = ((north - south) / (count / PIECES_PER_BAND + 1) as f64).max(least);
        let bands = ((north - south).max(0.0) / height) as usize + 1;
        let mut pieces = PiecesByLatitude { south, height, bands: vec![Vec::new(); bands] };
        for ends in ends() {
            let [first, last] = [f64::min, f64::max].map(|of| pieces.band(of(ends[0].lat, ends[1].lat)));
            pieces.bands[first..=last].iter_mut().for_each(|band| band.push(ends));
        }
        pieces
    }

    fn band(&self, lat: f64) -> usize {
        (((lat - self.south) / self.height) as usize).min(self.bands.len() - 1)
    }

    /// Whether a point is in a shell: to its east, more pieces lead north than south.
    fn surround(&self, point: LatLon) -> bool {
        let crossed = |[a, b]: &&[LatLon; 2]| is_west_of_piece(point.plane(), a.plane(), b.plane());
        let around = self.bands[self.band(point.lat)].iter().filter(crossed);
        around.map(|[a, b]| if b.lat > a.lat { 1 } else { -1 }).sum::<i32>() > 0
    }
}

/// Even-odd rule.
pub fn contains(ring: &[LatLon], point: LatLon) -> bool {
    let crosses = |pair: &&[LatLon]| is_west_of_piece(point.plane(), pair[0].plane(), pair[1].plane());
    ring.windows(2).filter(crosses).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f64, y: f64, size: f64, hole: bool) -> Ring {
        let mut ring: Ring = [(0.0, 0.0), (size, 0.0), (size, size), (0.0, size), (0.0, 0.0)]
            .map(|(dx, dy)| LatLon::new(y + dy, x + dx))
            .to_vec();
        if hole {
            ring.reverse();
        }
        ring
    }

    #[test]
    fn only_holes_in_shells_are_kept() {
        let shells = [square(3.0, 3.0, 2.0, false), square(0.0, 0.0, 10.0, false)];
        let holes = [square(3.2, 3.2, 0.5, true), square(2.0, 2.0, 5.0, true)];
        let stray =
            [square(50.0, 5.0, 1.0, true), square(5.0, 50.0, 1.0, true), square(-9.0, 3.5, 1.0, true)];
        let rings = |parts: &[&[Ring]]| parts.concat();
        assert_eq!(without_stray_holes(rings(&[&stray, &holes, &shells])), rings(&[&shells, &holes]));
        assert_eq!(without_stray_holes(stray.to_vec()), rings(&[]));
        assert_eq!(without_stray_holes(Vec::new()), rings(&[]));
    }

    /// Thin bands would have many copies of each piece where shells lie beside each other.
    #[test]
    fn bands_take_little_more_memory_than_the_pieces() {
        let shells: Vec<Ring> =
            (0..10_000).map(|i| square(f64::from(i % 1000), f64::from(i / 1000), 0.9, false)).collect();
        let entries: usize = PiecesByLatitude::of(&shells).bands.iter().map(Vec::len).sum();
        assert!(entries <= 3 * 4 * shells.len(), "{entries}");
    }

    #[test]
    fn a_point_is_in_a_shell_by_bands_where_one_of_all_contains_it() {
        // Squares in squares, and apart from each other.
        let place = |i: i32| (f64::from(i % 5) * 4.0, f64::from(i / 5) * 4.0);
        let nested = |i: i32| {
            let (x, y) = place(i);
            [0.0, 0.7, 1.1].map(|inner| square(x + inner, y + inner, 3.0 - 2.0 * inner, false))
        };
        let shells: Vec<Ring> = (0..25).flat_map(nested).collect();
        let pieces = PiecesByLatitude::of(&shells);
        let mut inside = 0;
        for point in (0..210 * 210)
            .map(|i| LatLon::new(f64::from(i / 210) * 0.1 - 0.5, f64::from(i % 210) * 0.1 - 0.5))
        {
            let is_in_one = shells.iter().any(|shell| contains(shell, point));
            assert_eq!(pieces.surround(point), is_in_one, "{point:?}");
            inside += i32::from(is_in_one);
        }
        assert!((15_000..30_000).contains(&inside), "{inside}");
    }
}
