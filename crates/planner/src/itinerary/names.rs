//! Names of streets in the language of a request.

use trestle_street::graph::{Edge, StreetGraph, edge_flags};

/// Languages with texts for generated names, in the column order of [`GENERATED`].
const LANGUAGES: [&str; 9] = ["de", "fi", "fr", "nl", "sv", "es", "it", "nb", "pt"];

/// Generated street names and their translations.
const GENERATED: &[(&str, [&str; 9])] = &[
    (
        "bike path",
        [
            "Radweg",
            "pyörätie",
            "piste cyclable",
            "fietspad",
            "cykelbana",
            "carril bici",
            "pista ciclabile",
            "sykkelvei",
            "ciclovia",
        ],
    ),
    (
        "path",
        [
            "Fußweg",
            "polku",
            "chemin piétonnier",
            "voetpad",
            "gångväg",
            "camino peatonal",
            "sentiero",
            "gangvei",
            "caminho pedonal",
        ],
    ),
    (
        "open area",
        [
            "offene Fläche",
            "avoin alue",
            "zone ouverte",
            "open ruimte",
            "öppet område",
            "área abierta",
            "area aperta",
            "åpent område",
            "área aberta",
        ],
    ),
    (
        "bridleway",
        [
            "Reitweg",
            "ratsastuspolku",
            "chemin équestre",
            "ruiterpad",
            "ridväg",
            "camino de herradura",
            "ippovia",
            "ridesti",
            "caminho equestre",
        ],
    ),
    (
        "platform",
        [
            "Bahnsteig",
            "laituri",
            "quai",
            "perron",
            "plattform",
            "andén",
            "banchina",
            "plattform",
            "plataforma",
        ],
    ),
    (
        "footbridge",
        [
            "Fußgängerbrücke",
            "kävelysilta",
            "passerelle",
            "voetgangersbrug",
            "gångbro",
            "pasarela",
            "passerella",
            "gangbru",
            "passagem superior",
        ],
    ),
    (
        "underpass",
        [
            "Fußgängertunnel",
            "alikulkutunneli",
            "tunnel",
            "voetgangerstunnel",
            "gångtunnel",
            "paso subterráneo",
            "sottopassaggio",
            "undergang",
            "passagem inferior",
        ],
    ),
    ("road", ["Straße", "tie", "route", "weg", "väg", "carretera", "strada", "vei", "estrada"]),
    ("ramp", ["Auffahrt", "ramppi", "bretelle", "oprit", "ramp", "rampa", "rampa", "rampe", "rampa"]),
    (
        "link",
        [
            "Verbindungsstraße",
            "liittymä",
            "bretelle",
            "verbindingsweg",
            "anslutning",
            "enlace",
            "raccordo",
            "forbindelsesvei",
            "ligação",
        ],
    ),
    (
        "service road",
        [
            "Zufahrtsstraße",
            "huoltotie",
            "voie de service",
            "ontsluitingsweg",
            "serviceväg",
            "vía de servicio",
            "strada di servizio",
            "adkomstvei",
            "via de serviço",
        ],
    ),
    ("alley", ["Gasse", "kuja", "ruelle", "steeg", "gränd", "callejón", "vicolo", "smug", "beco"]),
    (
        "parking aisle",
        [
            "Parkplatzweg",
            "pysäköintialueen väylä",
            "allée de parking",
            "parkeerstrook",
            "parkeringsgata",
            "pasillo de aparcamiento",
            "corsia di parcheggio",
            "parkeringsgate",
            "via de estacionamento",
        ],
    ),
    (
        "byway",
        [
            "Nebenweg",
            "sivutie",
            "chemin",
            "zijweg",
            "biväg",
            "camino vecinal",
            "strada vicinale",
            "bivei",
            "caminho vicinal",
        ],
    ),
    (
        "track",
        [
            "Feldweg",
            "metsätie",
            "chemin",
            "veldweg",
            "åkerväg",
            "pista",
            "strada sterrata",
            "traktorvei",
            "caminho de terra",
        ],
    ),
    (
        "sidewalk",
        [
            "Gehweg",
            "jalkakäytävä",
            "trottoir",
            "stoep",
            "trottoar",
            "acera",
            "marciapiede",
            "fortau",
            "passeio",
        ],
    ),
    (
        "steps",
        ["Treppe", "portaat", "escaliers", "trap", "trappor", "escaleras", "scale", "trapp", "escadas"],
    ),
];

/// Name of an edge: its `name:xx` translation, a translation of its generated name, or its name as mapped.
pub(super) fn edge_name<'a>(street: &'a StreetGraph, edge: &Edge, locale: &str) -> &'a str {
    if let Some(translated) = mapped_translation(street, edge.name, locale) {
        return translated;
    }
    let name = street.names.get(edge.name);
    if edge.has(edge_flags::BOGUS_NAME) { generated_translation(name, locale).unwrap_or(name) } else { name }
}

fn mapped_translation<'a>(street: &'a StreetGraph, name: u32, locale: &str) -> Option<&'a str> {
    let first = street.translations.partition_point(|t| t[0] < name);
    street.translations[first..]
        .iter()
        .take_while(|t| t[0] == name)
        .find(|t| street.names.get(t[1]) == locale)
        .map(|t| street.names.get(t[2]))
}

/// The language that texts for a locale are written in: both kinds of Norwegian have those of Bokmål.
pub(super) fn written_language(locale: &str) -> &str {
    if matches!(locale, "no" | "nn") { "nb" } else { locale }
}

fn generated_translation(name: &str, locale: &str) -> Option<&'static str> {
    let column = LANGUAGES.iter().position(|&language| language == written_language(locale))?;
    GENERATED.iter().find(|(english, _)| *english == name).map(|(_, texts)| texts[column])
}

/// A street name without a trailing part in parentheses. A new step begins where this changes.
pub(super) fn without_parentheses(name: &str) -> &str {
    match name.find('(') {
        // The character before the parenthesis, a space, is removed too.
        Some(at) if at > 0 => {
            let before = &name[..at];
            before.char_indices().next_back().map_or(before, |(last, _)| &before[..last])
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_in_parentheses_are_ignored() {
        assert_eq!(without_parentheses("EN 12 (ponte)"), "EN 12");
        assert_eq!(without_parentheses("(sem nome)"), "(sem nome)");
        assert_eq!(without_parentheses("Rua A"), "Rua A");
    }

    #[test]
    fn generated_names_are_translated() {
        assert_eq!(generated_translation("path", "de"), Some("Fußweg"));
        assert_eq!(generated_translation("path", "pt"), Some("caminho pedonal"));
        assert_eq!(generated_translation("path", "no"), Some("gangvei"));
        assert_eq!(generated_translation("path", "hu"), None);
    }
}
