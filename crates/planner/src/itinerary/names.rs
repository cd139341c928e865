//! Names of streets in the language of a request.

use std::borrow::Cow;

use trestle_street::graph::{Edge, StreetGraph, edge_flags};

/// Languages with texts, in the column order of [`GENERATED`] and [`NOTES`].
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

/// Starts of generated names that end with a reference number, and the name without it.
const NUMBERED: [(&str, &str); 2] = [("Platform ", "platform"), ("Route ", "road")];

/// Street notes and their translations.
const NOTES: &[(&str, [&str; 9])] = &[
    (
        "Unpaved surface",
        [
            "Unbefestigter Weg",
            "Päällystämätön tie",
            "Chemin non revêtu",
            "Onverhard wegdek",
            "Obelagd väg",
            "Superficie sin pavimentar",
            "Fondo non asfaltato",
            "Uten fast dekke",
            "Piso não pavimentado",
        ],
    ),
    (
        "Unpaved surface -- muddy!",
        [
            "Unbefestigter Weg, schlammig!",
            "Päällystämätön ja mutainen tie!",
            "Chemin boueux !",
            "Onverhard en modderig!",
            "Obelagd och lerig väg!",
            "¡Superficie con barro!",
            "Fondo fangoso!",
            "Gjørmete vei uten fast dekke!",
            "Piso enlameado!",
        ],
    ),
    (
        "Caution!",
        [
            "Vorsicht!",
            "Varo!",
            "Attention !",
            "Let op!",
            "Varning!",
            "¡Precaución!",
            "Attenzione!",
            "Forsiktig!",
            "Cuidado!",
        ],
    ),
    (
        "Toll road",
        [
            "Mautstraße",
            "Maksullinen tie",
            "Route à péage",
            "Tolweg",
            "Avgiftsbelagd väg",
            "Carretera de peaje",
            "Strada a pedaggio",
            "Bomvei",
            "Estrada com portagem",
        ],
    ),
];

/// Name of an edge: its `name:xx` translation, a translation of its generated name, or its name as mapped.
pub(super) fn edge_name<'a>(street: &'a StreetGraph, edge: &Edge, locale: &str) -> Cow<'a, str> {
    if let Some(translated) = mapped_translation(street, edge.name, locale) {
        return Cow::Borrowed(translated);
    }
    let name = street.names.get(edge.name);
    let translated = edge.has(edge_flags::GENERATED_NAME).then(|| generated_translation(name, locale));
    translated.flatten().unwrap_or(Cow::Borrowed(name))
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

fn generated_translation(name: &str, locale: &str) -> Option<Cow<'static, str>> {
    let column = column_of(locale)?;
    let text = |name: &str| Some(GENERATED.iter().find(|(english, _)| *english == name)?.1[column]);
    if let Some(text) = text(name) {
        return Some(Cow::Borrowed(text));
    }
    let (kind, reference) =
        NUMBERED.iter().find_map(|(start, kind)| Some((kind, name.strip_prefix(start)?)))?;
    Some(Cow::Owned(format!("{} {reference}", text(kind)?)))
}

/// A street note in the language of a request.
pub(super) fn note_text<'a>(note: &'a str, locale: &str) -> &'a str {
    let row = NOTES.iter().find(|(english, _)| *english == note);
    row.zip(column_of(locale)).map_or(note, |((_, texts), column)| texts[column])
}

fn column_of(locale: &str) -> Option<usize> {
    LANGUAGES.iter().position(|&language| language == written_language(locale))
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
        let translated = |name: &str, locale: &str| generated_translation(name, locale).map(Cow::into_owned);
        assert_eq!(translated("path", "de").as_deref(), Some("Fußweg"));
        assert_eq!(translated("path", "pt").as_deref(), Some("caminho pedonal"));
        assert_eq!(translated("path", "no").as_deref(), Some("gangvei"));
        assert_eq!(translated("path", "hu"), None);
        assert_eq!(translated("Platform 3 a", "de").as_deref(), Some("Bahnsteig 3 a"));
        assert_eq!(translated("Route 66", "fr").as_deref(), Some("route 66"));
    }

    #[test]
    fn notes_are_translated() {
        assert_eq!(note_text("Toll road", "de"), "Mautstraße");
        assert_eq!(note_text("Toll road", "en"), "Toll road");
        assert_eq!(note_text("Toll road", "hu"), "Toll road");
    }
}
