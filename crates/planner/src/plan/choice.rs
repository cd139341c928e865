//! The choice and order of itineraries.

use trestle_model::RoutingRequest;
use trestle_model::itinerary::Itinerary;
use trestle_street::path::StreetPath;
use trestle_transit::path::TransitPath;

/// The paths of an answer.
#[derive(Default)]
pub(super) struct Chosen {
    pub(super) on_streets: Option<StreetPath>,
    pub(super) with_transit: Vec<TransitPath>,
}

/// Removes the most expensive path if there is one more than requested.
pub(super) fn cheapest(
    request: &RoutingRequest,
    mut with_transit: Vec<TransitPath>,
    on_streets: Option<StreetPath>,
) -> Chosen {
    let stays = keep_cheapest(request, &mut with_transit, on_streets.as_ref().map(|path| path.weight));
    Chosen { on_streets: on_streets.filter(|_| stays), with_transit }
}

/// Removes the most expensive transit path if there are as many as requested and the street path costs no more. Returns
/// whether the street path stays.
fn keep_cheapest(request: &RoutingRequest, paths: &mut Vec<TransitPath>, direct: Option<f64>) -> bool {
    let limit = request.num_itineraries.max(1) as usize;
    let highest = paths.iter().enumerate().max_by(|(_, a), (_, b)| a.weight.total_cmp(&b.weight));
    let highest = highest.map(|(i, path)| (i, path.weight));
    match (direct, highest) {
        (None, _) => false,
        (Some(weight), Some((i, most))) if paths.len() >= limit => {
            if weight <= most {
                paths.remove(i);
            }
            weight <= most
        }
        (Some(_), _) => true,
    }
}

/// Drops itineraries of `max_duration` or more.
pub(super) fn drop_too_long(request: &RoutingRequest, itineraries: &mut Vec<Itinerary>) {
    if !request.max_duration.is_finite() {
        return;
    }
    let requested = request.epoch_seconds * 1000;
    itineraries.retain(|i| {
        let millis = match (request.max_duration_from_requested_time, request.arrive_by) {
            (false, _) => i.end_time - i.start_time,
            (true, false) => i.end_time - requested,
            (true, true) => requested - i.start_time,
        };
        (millis as f64) < request.max_duration * 1000.0
    });
}

/// Sorts by earliest arrival, with `arrive_by` by latest departure, or with `sort_by_duration` by duration.
pub(super) fn sort(request: &RoutingRequest, itineraries: &mut [Itinerary]) {
    if request.sort_by_duration {
        itineraries.sort_by_key(|i| i.end_time - i.start_time);
    } else if request.arrive_by {
        itineraries.sort_by_key(|i| -i.start_time);
    } else {
        itineraries.sort_by_key(|i| i.end_time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(weight: f64) -> TransitPath {
        TransitPath {
            access: Some(0),
            egress: 0,
            rides: Vec::new(),
            transfers: Vec::new(),
            departure: 0,
            arrival: 0,
            weight,
        }
    }

    fn kept(limit: i32, weights: &[f64], direct: f64) -> (Vec<f64>, bool) {
        let request = RoutingRequest { num_itineraries: limit, ..RoutingRequest::default() };
        let mut paths: Vec<TransitPath> = weights.iter().map(|&w| path(w)).collect();
        let stays = keep_cheapest(&request, &mut paths, Some(direct));
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
