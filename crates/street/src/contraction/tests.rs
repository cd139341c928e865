//! Contraction compared with simple algorithms on random graphs.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::*;

/// A graph of vertices in a plane, with the cost of each pair in both directions; `None` without an arc.
#[derive(Debug)]
struct Plane {
    positions: Vec<[f32; 2]>,
    pairs: Vec<(u32, u32)>,
    costs: Vec<[Option<u32>; 2]>,
}

/// Vertices on a grid of a given width, joined to some of those near them and to a few far away.
fn plane() -> impl Strategy<Value = Plane> {
    (1..12usize, 1..150usize).prop_flat_map(|(width, count)| {
        let near = proptest::collection::vec((0..count, 0..4usize), 0..3 * count);
        let far = proptest::collection::vec((0..count as u32, 0..count as u32), 0..3);
        // Also costs that need more than two bytes, and the two largest that do not.
        let cost = || {
            proptest::option::weighted(
                0.9,
                prop_oneof![3 => 0..1000u32, 1 => 0..100_000u32, 1 => 65_533..65_538u32],
            )
        };
        let costs = proptest::collection::vec([cost(), cost()], 3 * count + 3);
        (near, far, costs).prop_map(move |(near, far, costs)| {
            let to = |from: usize, way: usize| (from, from + [1, width, width + 1, 2][way]);
            let near = near.into_iter().map(|(from, way)| to(from, way)).filter(|(_, to)| *to < count);
            let pairs: Vec<_> = near.map(|(a, b)| (a as u32, b as u32)).chain(far).collect();
            let positions = (0..count).map(|v| [(v % width) as f32, (v / width) as f32]).collect();
            Plane { positions, pairs, costs }
        })
    })
}

impl Plane {
    fn count(&self) -> usize {
        self.positions.len()
    }

    fn neighbours(&self) -> Neighbours {
        Neighbours::of_pairs(self.count(), self.pairs.iter().copied())
    }

    fn steps(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        let both = |(&(a, b), &[there, back]): (&(u32, u32), &[Option<u32>; 2])| {
            [there.map(|cost| (a, b, cost)), back.map(|cost| (b, a, cost))]
        };
        self.pairs.iter().zip(&self.costs).flat_map(both).flatten()
    }

    /// The least cost from each vertex to the goals (Bellman and Ford).
    fn costs_to(&self, goals: &[(u32, u32)]) -> Vec<Option<u32>> {
        let mut least = vec![None::<u32>; self.count()];
        let offer = |known: &mut Option<u32>, cost: u32| {
            let is_less = known.is_none_or(|known| cost < known);
            *known = if is_less { Some(cost) } else { *known };
            is_less
        };
        goals.iter().for_each(|&(v, cost)| _ = offer(&mut least[v as usize], cost));
        loop {
            let mut changed = false;
            for (from, to, cost) in self.steps() {
                if let Some(rest) = least[to as usize] {
                    changed |= offer(&mut least[from as usize], cost + rest);
                }
            }
            if !changed {
                return least;
            }
        }
    }
}

/// The higher neighbours of each rank, contracted one vertex at a time.
fn contracted(plane: &Plane, rank: &[u32]) -> Vec<Vec<u32>> {
    let mut higher = vec![BTreeSet::new(); plane.count()];
    for &(a, b) in plane.pairs.iter().filter(|(a, b)| a != b) {
        let (a, b) = (rank[a as usize], rank[b as usize]);
        higher[a.min(b) as usize].insert(a.max(b));
    }
    for at in 0..higher.len() {
        let list: Vec<u32> = higher[at].iter().copied().collect();
        for (i, &lower) in list.iter().enumerate() {
            higher[lower as usize].extend(&list[i + 1..]);
        }
    }
    higher.into_iter().map(|set| set.into_iter().collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn every_vertex_has_a_rank_and_all_arcs_are_there(plane in plane()) {
        let contraction = Contraction::of_neighbours(plane.neighbours(), &plane.positions);
        let ranks: BTreeSet<u32> = contraction.rank.iter().copied().collect();
        prop_assert_eq!(ranks.len(), plane.count());
        let arcs: Vec<Vec<u32>> =
            (0..plane.count() as u32).map(|rank| contraction.up[contraction.arcs(rank)].to_vec()).collect();
        prop_assert_eq!(arcs, contracted(&plane, &contraction.rank));
    }

    #[test]
    fn potentials_are_the_least_costs(plane in plane(), goals in proptest::collection::vec((any::<prop::sample::Index>(), 0..500u32), 1..4)) {
        let contraction = Contraction::of_neighbours(plane.neighbours(), &plane.positions);
        let mut customization = Customization::new(&contraction, 1.0);
        for (from, to, cost) in plane.steps() {
            customization.step(from, to, f64::from(cost)).unwrap();
        }
        let metric = customization.finish(&|| false).unwrap();
        let goals: Vec<_> = goals.iter().map(|(at, cost)| (at.index(plane.count()) as u32, *cost)).collect();
        let mut memory = PotentialMemory::default();
        // The second time with used memory.
        for goals in [&goals[..1], &goals[..]] {
            let ends = goals.iter().map(|&(v, cost)| (v, f64::from(cost)));
            let potential = Potential::towards(&contraction, &metric, ends, &mut memory);
            let found: Vec<_> = (0..plane.count() as u32).map(|v| potential.at(v).map(|cost| cost as u32)).collect();
            prop_assert_eq!(found, plane.costs_to(goals));
        }
    }
}

/// A grid of streets of this width and height.
fn grid(width: usize, height: usize) -> Plane {
    let mut pairs = Vec::new();
    for v in 0..width * height {
        let right = (v % width + 1 < width).then_some(v + 1);
        let above = (v + width < width * height).then_some(v + width);
        pairs.extend(right.into_iter().chain(above).map(|other| (v as u32, other as u32)));
    }
    let positions = (0..width * height).map(|v| [(v % width) as f32, (v / width) as f32]).collect();
    Plane { positions, costs: vec![[Some(1); 2]; pairs.len()], pairs }
}

#[test]
fn cuts_are_where_few_streets_cross() {
    // Two quarters, joined by two bridges.
    let mut town = grid(20, 10);
    town.pairs.retain(|&(a, b)| a % 20 != 9 || b % 20 != 10 || a == 49 || a == 149);
    let first = inertial_flow::best_cut(&town.neighbours(), &town.positions, &|| false);
    assert!((0..200).all(|v| first[v] == (v % 20 < 10)) || (0..200).all(|v| first[v] == (v % 20 >= 10)));
}

#[test]
fn elimination_trees_are_low() {
    let town = grid(64, 64);
    let contraction = Contraction::of_neighbours(town.neighbours(), &town.positions);
    let mut height = vec![0; town.count()];
    for rank in (0..town.count() as u32).rev() {
        height[rank as usize] = contraction.parent(rank).map_or(0, |parent| height[parent as usize] + 1);
    }
    // The separators of a square are as long as its width, then twice half of it, and so on.
    let highest = height.iter().max().copied().unwrap_or(0);
    assert!(highest < 4 * 64, "{highest}");
    assert!(contraction.up.len() < 24 * town.count(), "{}", contraction.up.len());
}

#[test]
fn contractions_end_soon_after_they_are_interrupted() {
    let town = grid(64, 64);
    for first in [0, 1, 2, 3, 10, 100, 1_000] {
        let calls = AtomicUsize::new(0);
        let interrupted = || calls.fetch_add(1, Ordering::Relaxed) >= first;
        let streets = Uncontracted { neighbours: town.neighbours(), positions: town.positions.clone() };
        assert_eq!(
            streets.contract_unless(usize::MAX, &interrupted).err(),
            Some(NoMetric::Interrupted),
            "{first}"
        );
        let later = calls.into_inner() - first;
        assert!(later < 20, "{later} after {first}");
    }
}

#[test]
fn graphs_whose_contraction_has_too_many_arcs_have_none() {
    // Everything is joined to everything.
    let pairs = (0..200).flat_map(|a| (0..a).map(move |b| (a, b)));
    let places: Vec<LatLon> = (0..200).map(|v| LatLon::new(41.0, -8.0 + f64::from(v) / 1e4)).collect();
    let contracted = |most| Uncontracted::new(&places, pairs.clone()).contract_unless(most, &|| false).err();
    assert_eq!([19_899, 19_900].map(contracted), [Some(NoMetric::Unfit), None]);
}

#[test]
fn a_contraction_of_other_streets_is_not_used() {
    let town = grid(3, 3);
    let contraction = Contraction::of_neighbours(town.neighbours(), &town.positions);
    let mut customization = Customization::new(&contraction, 1.0);
    assert_eq!(customization.step(0, 8, 1.0), Err(NoMetric::Unfit), "no such street");
    assert_eq!(customization.step(0, 1, -1.0), Err(NoMetric::Unfit));
    assert_eq!(customization.step(0, 1, f64::NAN), Err(NoMetric::Unfit));
    assert_eq!(customization.step(0, 1, f64::INFINITY), Ok(()));
    // An arc that contracting should have made is missing.
    let damaged =
        Contraction { rank: vec![0, 1, 2].into(), first_up: vec![0, 2, 2, 2].into(), up: vec![1, 2].into() };
    let mut customization = Customization::new(&damaged, 1.0);
    [(0, 1), (0, 2)].into_iter().for_each(|(a, b)| customization.step(a, b, 1.0).unwrap());
    assert_eq!(customization.finish(&|| false).err(), Some(NoMetric::Unfit));
}

#[test]
fn costs_too_large_to_tell_apart_stay_bounds() {
    let town = grid(4, 1);
    let contraction = Contraction::of_neighbours(town.neighbours(), &town.positions);
    let mut customization = Customization::new(&contraction, 1.0);
    for (a, b) in [(3, 2), (2, 1), (1, 0)] {
        customization.step(a, b, 9e8).unwrap();
    }
    let metric = customization.finish(&|| false).unwrap();
    let mut memory = PotentialMemory::default();
    let potential = Potential::towards(&contraction, &metric, std::iter::once((0, 0.0)), &mut memory);
    let largest = f64::from(Metric::LARGEST);
    assert_eq!([0, 1, 2, 3].map(|v| potential.at(v)), [Some(0.0), Some(9e8), Some(largest), Some(largest)]);
    let potential = Potential::towards(&contraction, &metric, std::iter::once((3, 0.0)), &mut memory);
    assert_eq!([0, 3].map(|v| potential.at(v)), [None, Some(0.0)]);
}
