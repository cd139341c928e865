//! The choice and order of itineraries.

use trestle_model::itinerary::Itinerary;
use trestle_model::{Direction, RoutingRequest};
use trestle_street::path::StreetPath;
use trestle_transit::path::TransitPath;

/// Makes room for the street path among as many transit paths as requested, by removing the most expensive one. Returns
/// false if the street path costs more than that, and leaves all transit paths then.
pub(super) fn make_room(
    request: &RoutingRequest,
    paths: &mut Vec<TransitPath>,
    street_path: &StreetPath,
) -> bool {
    if paths.len() < request.num_itineraries.max(1) as usize {
        return true;
    }
    let highest = paths.iter().enumerate().max_by(|(_, a), (_, b)| a.weight.total_cmp(&b.weight));
    let cheaper = highest.filter(|(_, path)| street_path.weight <= path.weight).map(|(index, _)| index);
    cheaper.is_some_and(|index| {
        paths.remove(index);
        true
    })
}

/// Drops itineraries of `max_duration` or more.
pub(super) fn drop_too_long(request: &RoutingRequest, itineraries: &mut Vec<Itinerary>) {
    if !request.max_duration.is_finite() {
        return;
    }
    let requested = request.epoch_seconds * 1000;
    itineraries.retain(|i| {
        let millis = match (request.max_duration_from_requested_time, request.direction) {
            (false, _) => i.end_time - i.start_time,
            (true, Direction::Forward) => i.end_time - requested,
            (true, Direction::Backward) => requested - i.start_time,
        };
        (millis as f64) < request.max_duration * 1000.0
    });
}

/// Sorts by earliest arrival (backward: latest departure), or with `sort_by_duration` by duration.
pub(super) fn sort(request: &RoutingRequest, itineraries: &mut [Itinerary]) {
    if request.sort_by_duration {
        itineraries.sort_by_key(|i| i.end_time - i.start_time);
    } else if request.direction.is_backward() {
        itineraries.sort_by_key(|i| -i.start_time);
    } else {
        itineraries.sort_by_key(|i| i.end_time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(limit: i32, weights: &[f64], direct: f64) -> (Vec<f64>, bool) {
        let request = RoutingRequest { num_itineraries: limit, ..RoutingRequest::default() };
        let mut paths: Vec<TransitPath> =
            weights.iter().map(|&weight| TransitPath { weight, ..TransitPath::default() }).collect();
        let street_path = StreetPath { weight: direct, ..StreetPath::default() };
        let stays = make_room(&request, &mut paths, &street_path);
        (paths.into_iter().map(|p| p.weight).collect(), stays)
    }

    #[test]
    fn the_most_expensive_path_is_removed_when_there_are_too_many() {
        assert_eq!(kept(3, &[900.0, 700.0, 950.0], 800.0), (vec![900.0, 700.0], true));
        assert_eq!(kept(3, &[900.0, 700.0, 950.0], 2000.0), (vec![900.0, 700.0, 950.0], false));
        assert_eq!(kept(1, &[900.0], 800.0), (vec![], true));
        assert_eq!(kept(1, &[700.0], 800.0), (vec![700.0], false));
        assert_eq!(kept(4, &[900.0], 9000.0), (vec![900.0], true));
    }
}
