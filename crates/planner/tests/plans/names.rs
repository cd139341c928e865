//! Names of streets, lifts and notes, and their language.

use trestle_model::mode::{Mode, ModeSet};

use super::street_rules::LIFT;
use super::town::Town;

/// A road and a platform that have only reference numbers.
const NUMBERED: &str = "
    n1 41.000 -8.000
    n2 41.000 -7.998
    n3 41.000 -7.996
    w1 1,2 highway=primary ref=N2 toll=yes
    w2 2,3 railway=platform ref=3
";

/// The names of the first leg's steps, and their notes.
fn told(town: &Town, question: &str, (mode, locale): (Mode, &str)) -> Vec<String> {
    let plans = town.itineraries(question, |request| {
        request.modes = ModeSet::default().with(mode);
        request.locale = locale.to_owned();
    });
    let plans = plans.unwrap();
    let steps = plans[0].legs[0].steps.iter();
    let notes = |alerts: &[trestle_model::itinerary::Alert]| {
        alerts.iter().filter_map(|alert| alert.header.clone()).collect::<Vec<_>>()
    };
    steps.flat_map(|step| [vec![step.street_name.clone()], notes(&step.alerts)].concat()).collect()
}

#[test]
fn streets_with_a_number_alone_have_names_in_the_language_of_the_request() {
    let town = Town::new(NUMBERED, "");
    let (drive, walk) = ("n1 -> n2 at 8:00", "n2 -> n3 at 8:00");
    assert_eq!(told(&town, drive, (Mode::Car, "en")), ["road", "Toll road"]);
    assert_eq!(told(&town, drive, (Mode::Car, "de")), ["Straße", "Mautstraße"]);
    assert_eq!(told(&town, walk, (Mode::Walk, "en")), ["Platform 3"]);
    assert_eq!(told(&town, walk, (Mode::Walk, "fr")), ["quai 3"]);
    let named = Town::new(&NUMBERED.replace("ref=N2", "name=road"), "");
    assert_eq!(told(&named, drive, (Mode::Car, "de"))[0], "road", "its own name");
}

#[test]
fn where_a_bike_is_pushed_into_a_lift_the_place_is_the_level() {
    let town = Town::new(&LIFT.replace("highway=elevator", "highway=elevator bicycle=no"), "");
    let plans = town.itineraries("n1 -> n4 at 8:00", |r| r.modes = ModeSet::default().with(Mode::Bicycle));
    let names: Vec<String> = plans.unwrap()[0].legs.iter().map(|leg| leg.from.name.clone()).collect();
    assert_eq!(names[1..], ["1", "Bridge"]);
}

#[test]
fn a_corner_as_a_place_has_the_names_of_its_streets() {
    let town = Town::new(NUMBERED, "");
    let name = |node: &str, locale: &str| {
        town.start_name("n1 -> n3 at 8:00", |request| {
            request.modes = ModeSet::default().with(Mode::Walk);
            request.locale = locale.to_owned();
            request.from.position = None;
            request.from.label = format!("osm:node:{node}");
        })
    };
    assert_eq!(name("1", "en"), "road");
    assert_eq!(name("1", "de"), "Straße");
    assert_eq!(name("2", "de"), "Kreuzung Bahnsteig 3 mit Straße");
}
