//! Names of street corners.

use std::borrow::Cow;

use trestle_model::ids::{EdgeIdx, VertexIdx};
use trestle_street::graph::{EdgeKind, StreetGraph};
use trestle_transit::hash_order::{bucket, text_hash};

use super::names::{edge_name, written_language};

/// Name of a street vertex: `corner of A and B` with two of the streets that leave it, the only street's name, or
/// `unnamed`.
pub(crate) fn corner_name(street: &StreetGraph, vertex: VertexIdx, locale: &str) -> String {
    let edges = street.out_edges(vertex).map(EdgeIdx);
    name_of_streets(street, edges, locale)
}

/// [`corner_name`] for the edges that leave a point.
pub(super) fn name_of_streets(
    street: &StreetGraph,
    edges: impl Iterator<Item = EdgeIdx>,
    locale: &str,
) -> String {
    let mut names: Vec<Cow<'_, str>> = Vec::new();
    for edge in edges.map(|e| street.edge(e)).filter(|e| e.kind() == EdgeKind::Street) {
        let name = edge_name(street, &edge, locale);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    sort_by_hash(&mut names);
    match &names[..] {
        [] => unnamed(locale).to_owned(),
        [only] => only.to_string(),
        [a, b, ..] => corner_of(a, b, locale),
    }
}

fn corner_of(a: &str, b: &str, locale: &str) -> String {
    match written_language(locale) {
        "de" => format!("Kreuzung {a} mit {b}"),
        "es" => format!("esquina de {a} con {b}"),
        "fi" => format!("kadun {a} ja {b} kulma"),
        "fr" => format!("angle de {a} et de {b}"),
        "hu" => format!("{a} és {b} sarok"),
        "it" => format!("angolo tra {a} e {b}"),
        "nb" => format!("hjørnet av {a} og {b}"),
        "nl" => format!("hoek van {a} en {b}"),
        "pt" => format!("esquina de {a} com {b}"),
        "sv" => format!("hörnet av {a} och {b}"),
        _ => format!("corner of {a} and {b}"),
    }
}

fn unnamed(locale: &str) -> &'static str {
    match written_language(locale) {
        "de" => "unbenannt",
        "es" => "sin nombre",
        "fi" => "nimetön",
        "fr" => "sans nom",
        "hu" => "névtelen",
        "it" => "senza nome",
        "nb" => "uten navn",
        "nl" => "naamloos",
        "pt" => "sem nome",
        "sv" => "namnlös",
        _ => "unnamed",
    }
}

/// Sorts distinct names into the order of the reference's hash sets, which decides the two streets that name a corner.
fn sort_by_hash<S: AsRef<str>>(names: &mut [S]) {
    let count = names.len();
    names.sort_by_key(|name| bucket(text_hash(name.as_ref()), count));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_order_decides_which_names_come_first() {
        let mut names = ["Rua Cecília Meireles", "Avenida Borges de Medeiros"];
        sort_by_hash(&mut names);
        assert_eq!(names[0], "Avenida Borges de Medeiros");
        let mut names = ["Rua do General Silveira", "Travessa de Cedofeita"];
        sort_by_hash(&mut names);
        assert_eq!(names[0], "Travessa de Cedofeita");
    }
}
