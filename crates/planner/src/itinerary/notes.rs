//! Street notes (unpaved, toll, …) and live alerts about streets.

use trestle_model::Mode;
use trestle_model::itinerary::Alert;
use trestle_street::graph::{StreetGraph, edge_flags};
use trestle_street::path::{Traversal, TraversalKind};

use super::live_facts::LiveFacts;
use super::names::note_text;

/// Adds the notes for the traversal's mode in the language of a request, and the live alerts of the street if there is live data, each text once.
pub(super) fn add_notes(
    street: &StreetGraph,
    live: Option<&LiveFacts<'_>>,
    traversal: &Traversal,
    locale: &str,
    alerts: &mut Vec<Alert>,
) {
    if traversal.kind != TraversalKind::Street {
        return;
    }
    for alert in live.into_iter().flat_map(|live| live.street_alerts(traversal.edge)) {
        add_alert(alerts, alert.clone());
    }
    if !street.edge(traversal.edge).has(edge_flags::NOTE) {
        return;
    }
    let edge = traversal.edge.0;
    let first = street.notes.partition_point(|note| note.edge < edge);
    let notes = street.notes[first..].iter().take_while(|note| note.edge == edge);
    for note in notes.filter(|note| note.modes & mode_bit(traversal.mode) != 0) {
        add_alert(
            alerts,
            Alert {
                header: Some(note_text(street.names.get(note.text), locale).to_owned()),
                ..Alert::default()
            },
        );
    }
}

/// Adds an alert unless there is an equal one.
fn add_alert(alerts: &mut Vec<Alert>, alert: Alert) {
    if !alerts.contains(&alert) {
        alerts.push(alert);
    }
}

/// Bit of [`trestle_street::graph::StreetNote::modes`].
fn mode_bit(mode: Mode) -> u32 {
    match mode {
        Mode::Walk => 1,
        Mode::Bicycle => 2,
        Mode::Car => 4,
        _ => 0,
    }
}
