//! Renders the sections of a trip between requested places, and joins them.

use trestle_model::itinerary::{Itinerary, Leg, Place, RelativeDirection};
use trestle_street::path::{StreetPath, TraversalKind};
use trestle_transit::path::{Ride, TransferWalk, TransitPath};

use super::context::{Payable, Section, SectionContext, SectionEnd};
use super::elevation::Climb;
use super::fares::fare_of;
use super::legs::{StreetLegs, street_legs};
use super::on_board;
use super::places::{section_end, section_start};
use super::rides::{RideView, ride_leg};
use super::steps::turn;
use super::transfers::{meters, transfer_leg};

/// Renders a section on streets only. It starts (backward: ends) at the requested time.
pub fn street_section(context: &SectionContext<'_>, path: &StreetPath) -> Section {
    let (graph, request) = (&context.snapshot.graph, context.request);
    let seconds = i64::from(path.seconds);
    let start = request.epoch_seconds - request.direction.pick(0, seconds);
    let mut found = street_legs(path, start, context, context.previous_step_angle());
    let climb = Climb::of(&graph.street, path);
    let totals = Totals { walk_distance: path.walk_distance_m, climb, transfers: 0, weight: path.weight };
    let mut itinerary = itinerary(start, start + seconds, std::mem::take(&mut found.legs), &totals, context);
    let payable = Payable::on_streets(path);
    itinerary.fare = fare_of(context.snapshot, &payable);
    join_legs(&mut itinerary, context);
    let StreetLegs { first_step_angle, last_step_angle, .. } = found;
    Section { itinerary, payable, first_step_angle, last_step_angle }
}

/// A transit path and the paths on streets that belong to it.
#[derive(Clone, Copy, Debug)]
pub struct SectionPaths<'a> {
    /// The path through the timetable.
    pub transit: &'a TransitPath,
    /// To the first stop; `None` when the trip starts on board a vehicle.
    pub access: Option<&'a StreetPath>,
    /// From the last stop.
    pub egress: &'a StreetPath,
    /// Walks in place of the two that do not follow streets.
    pub straight: [Option<TransferWalk>; 2],
    /// The paths of `transit.transfers`; a transfer without one is a straight line.
    pub transfers: &'a [Option<StreetPath>],
}

/// Renders a section with transit.
pub fn transit_section(context: &SectionContext<'_>, paths: &SectionPaths<'_>) -> Section {
    let &SectionPaths { transit, access, egress, straight, .. } = paths;
    // A later section begins when the one before ends, with the wait at its first stop.
    let departure = context.previous.map_or(transit.departure, |before| before.itinerary.end_time / 1000);
    let before = access.map(|path| street_legs(path, departure, context, context.previous_step_angle()));
    let StreetLegs { mut legs, first_step_angle, .. } = before.unwrap_or_default();
    legs.extend(straight[0].map(|walk| straight_access(&walk, departure, context)));
    add_rides(paths, context, &mut legs);
    legs.extend(straight[1].map(|walk| straight_egress(&walk, transit.arrival, context)));
    let egress_start = transit.arrival - i64::from(seconds_after_link(egress));
    let after = street_legs(&without_link(egress), egress_start, context, None);
    let StreetLegs { legs: egress_legs, last_step_angle, .. } = after;
    legs.extend(egress_legs);

    let mut totals = Totals { weight: transit.weight, ..Totals::default() };
    for path in access.into_iter().chain([egress]) {
        totals.climb.add(Climb::of(&context.snapshot.graph.street, path));
        totals.walk_distance += path.walk_distance_m;
    }
    let walks = transit.transfers.iter().chain(&straight);
    totals.walk_distance += walks.flatten().map(meters).sum::<f64>();
    totals.transfers = transfers(&transit.rides);
    let mut itinerary = itinerary(departure, transit.arrival, legs, &totals, context);
    let mut payable = access.map(Payable::on_streets).unwrap_or_default();
    payable.rides = transit.rides.clone();
    payable.transfers = transit.transfers.clone();
    payable.extend(Payable::on_streets(egress));
    itinerary.fare = fare_of(context.snapshot, &payable);
    join_legs(&mut itinerary, context);
    Section { itinerary, payable, first_step_angle, last_step_angle }
}

/// Adds the legs of all rides and of the walks between them.
fn add_rides(
    &SectionPaths { transit, transfers, .. }: &SectionPaths<'_>,
    context: &SectionContext<'_>,
    legs: &mut Vec<Leg>,
) {
    let request = context.request;
    for (i, ride) in transit.rides.iter().enumerate() {
        let on_board = i == 0 && transit.access.is_none();
        let view = RideView::new(ride, context);
        let next_interlined = transit.rides.get(i + 1).is_some_and(|next| next.interlined);
        let mut leg = ride_leg(&view, context, transit.departure, on_board, next_interlined);
        if on_board {
            leg.start_time = transit.departure * 1000;
            leg.from = on_board::start_place(&leg, context);
        }
        let alighting = i64::from(request.alight_times[leg.mode as usize] + request.alight_slack);
        legs.push(leg);
        if let Some(walk) = transit.transfers.get(i).and_then(Option::as_ref) {
            let path = transfers.get(i).and_then(Option::as_ref);
            legs.push(transfer_leg(walk, path, ride.alight_time + alighting, context));
        }
    }
}

/// A walk from the stop that a section starts at. After an intermediate place, the leg begins at that stop.
fn straight_access(walk: &TransferWalk, start: i64, context: &SectionContext<'_>) -> Leg {
    let mut leg = transfer_leg(walk, None, start, context);
    if context.from != SectionEnd::Resumed {
        let place = section_start(&StreetPath::default(), context);
        leg.from = Place { departure: leg.from.departure, ..place };
    }
    leg
}

/// A walk to the stop that a section ends at.
fn straight_egress(walk: &TransferWalk, end: i64, context: &SectionContext<'_>) -> Leg {
    let mut leg = transfer_leg(walk, None, end - i64::from(walk.seconds), context);
    let place = section_end(&StreetPath::default(), context);
    leg.to = Place { arrival: leg.to.arrival, ..place };
    leg
}

/// Seconds of a path without the link of its first stop.
fn seconds_after_link(path: &StreetPath) -> i32 {
    let links = path.traversals.iter().take_while(|t| t.kind == TraversalKind::StopLink);
    path.traversals.iter().map(|t| t.seconds).sum::<i32>() - links.map(|t| t.seconds).sum::<i32>()
}

/// A path without the link of its first stop.
fn without_link(path: &StreetPath) -> StreetPath {
    let links = path.traversals.iter().take_while(|t| t.kind == TraversalKind::StopLink).count();
    StreetPath { traversals: path.traversals[links..].to_vec(), ..path.clone() }
}

/// Sums over the paths of a section.
#[derive(Default)]
struct Totals {
    walk_distance: f64,
    climb: Climb,
    transfers: i32,
    weight: f64,
}

fn itinerary(
    start: i64,
    end: i64,
    mut legs: Vec<Leg>,
    totals: &Totals,
    context: &SectionContext<'_>,
) -> Itinerary {
    // A stop at the requested place gives a street leg without length and time.
    legs.retain(|leg| leg.transit.is_some() || leg.end_time > leg.start_time || leg.distance > 0.0);
    let mut itinerary = Itinerary {
        start_time: start * 1000,
        end_time: end * 1000,
        walk_time: 0,
        transit_time: 0,
        waiting_time: 0,
        walk_distance: totals.walk_distance,
        walk_limit_exceeded: totals.walk_distance > context.request.max_walk_distance,
        elevation_lost: totals.climb.lost,
        elevation_gained: totals.climb.gained,
        transfers: totals.transfers,
        fare: Vec::new(),
        legs,
        too_sloped: false,
        generalized_cost: totals.weight,
    };
    add_up_times(&mut itinerary);
    itinerary
}

/// Sets the times: every second of the trip is on streets, in a vehicle or waiting.
fn add_up_times(itinerary: &mut Itinerary) {
    let seconds = |legs: &[Leg], transit: bool| -> i64 {
        let of_kind = legs.iter().filter(|leg| leg.transit.is_some() == transit);
        of_kind.map(|leg| (leg.end_time - leg.start_time) / 1000).sum()
    };
    itinerary.walk_time = seconds(&itinerary.legs, false);
    itinerary.transit_time = seconds(&itinerary.legs, true);
    let duration = (itinerary.end_time - itinerary.start_time) / 1000;
    itinerary.waiting_time = duration - itinerary.walk_time - itinerary.transit_time;
}

/// Joins neighbouring legs and sets the user's names at the ends of the trip.
fn join_legs(itinerary: &mut Itinerary, context: &SectionContext<'_>) {
    chain_places(&mut itinerary.legs);
    if let Some(leg) = itinerary.legs.first_mut() {
        leg.from.orig = context.from.orig();
    }
    if let Some(leg) = itinerary.legs.last_mut() {
        leg.to.orig = context.to.orig();
    }
}

/// Gives neighbouring legs the same times at the place between them, and street legs the stops of rides next to them.
fn chain_places(legs: &mut [Leg]) {
    for i in 1..legs.len() {
        let (arrival, departure) = (legs[i - 1].end_time, legs[i].start_time);
        (legs[i - 1].to.arrival, legs[i - 1].to.departure) = (Some(arrival), Some(departure));
        (legs[i].from.arrival, legs[i].from.departure) = (Some(arrival), Some(departure));
        match (legs[i - 1].transit.is_some(), legs[i].transit.is_some()) {
            (true, false) => legs[i].from = legs[i - 1].to.clone(),
            (false, true) => legs[i - 1].to = legs[i].from.clone(),
            _ => {}
        }
    }
}

/// Joins the sections of a trip with intermediate places. `context` is that of the last section, but its request is that
/// of the whole trip. Returns `None` without sections.
pub fn join_sections(context: &SectionContext<'_>, sections: Vec<Section>) -> Option<Itinerary> {
    let mut sections = sections.into_iter();
    let Section { itinerary: mut whole, mut payable, mut last_step_angle, .. } = sections.next()?;
    for Section { itinerary: mut section, payable: more, first_step_angle, last_step_angle: last } in sections
    {
        turn_into(&mut section, last_step_angle.zip(first_step_angle));
        last_step_angle = last;
        whole.end_time = section.end_time;
        whole.walk_distance += section.walk_distance;
        whole.elevation_gained += section.elevation_gained;
        whole.elevation_lost += section.elevation_lost;
        whole.generalized_cost += section.generalized_cost;
        whole.legs.extend(section.legs);
        payable.extend(more);
    }
    chain_places(&mut whole.legs);
    add_up_times(&mut whole);
    whole.transfers = transfers(&payable.rides);
    whole.walk_limit_exceeded = whole.walk_distance > context.request.max_walk_distance;
    whole.fare = fare_of(context.snapshot, &payable);
    Some(whole)
}

/// Sets the direction of the first step of a section after an intermediate place, given the azimuths at the start of the step
/// before it and of this one. Sections that are found from the last one on are rendered before those ahead of them.
fn turn_into(section: &mut Itinerary, angles: Option<(f64, f64)>) {
    let first = section.legs.first_mut().and_then(|leg| leg.steps.first_mut());
    let first = first.filter(|step| step.relative == RelativeDirection::Depart);
    if let (Some(step), Some((before, after))) = (first, angles) {
        step.relative = turn(before, after);
    }
}

/// Number of boardings after the first one, without rides on which the rider stays seated.
fn transfers(rides: &[Ride]) -> i32 {
    rides.iter().skip(1).filter(|ride| !ride.interlined).count() as i32
}
