//! Floors of ways, from `level` and `layer` tags and from level maps.

use super::tags::Tags;

/// Metres between floors, for levels given by altitude only.
const METERS_PER_FLOOR: f64 = 3.0;

/// A floor.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Level {
    /// Position among the floors; equal numbers are one floor.
    pub(crate) number: f64,
    /// Name shown.
    pub(crate) name: String,
}

impl Default for Level {
    fn default() -> Self {
        Level { number: 0.0, name: "default level".to_owned() }
    }
}

impl Level {
    /// The level of a way or area from its own tags.
    ///
    /// # Errors
    /// The text when it names no floor.
    pub(crate) fn of_tags(tags: &Tags) -> Result<Level, &str> {
        match tags.get("level").or_else(|| tags.get("layer")) {
            Some(text) => Level::parse(text).map(|(level, _)| level).ok_or(text),
            None => Ok(Level::default()),
        }
    }

    /// Parses `number`, `short=long name` or either with `@altitude`; also returns the short name.
    fn parse(text: &str) -> Option<(Level, &str)> {
        let (text, altitude) = match text.rsplit_once('@') {
            Some((text, altitude)) => (text, altitude.trim().parse::<f64>().ok()),
            None => (text, None),
        };
        let (short, long) =
            text.split_once('=').filter(|(short, _)| !short.is_empty()).unwrap_or((text, text));
        let finite = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let number = finite(short).or_else(|| finite(long)).or(altitude.map(|a| a / METERS_PER_FLOOR))?;
        let mut name = long.strip_prefix('+').unwrap_or(long).to_owned();
        // Floors counted from zero are shown counted from one.
        if let Ok(floor) = long.trim().parse::<i32>()
            && floor >= 0
        {
            name = (floor.saturating_add(1)).to_string();
        }
        Some((Level { number, name }, short))
    }
}

/// The levels of a level map relation, by the role that its members have.
pub(super) fn parse_level_map(text: &str) -> Vec<(String, Level)> {
    let mut levels = Vec::new();
    for entry in text.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
        let range = entry
            .split_once('-')
            .and_then(|(from, to)| Some((from.parse::<u8>().ok()?, to.parse::<u8>().ok()?)));
        match range {
            Some((from, to)) => {
                for floor in from..=to {
                    let floor = floor.to_string();
                    levels.extend(Level::parse(&floor).map(|(level, _)| (floor.clone(), level)));
                }
            }
            None => levels.extend(Level::parse(entry).map(|(level, short)| (short.to_owned(), level))),
        }
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Option<(f64, String)> {
        Level::of_tags(&Tags::from_pairs(&[("level", text)])).ok().map(|l| (l.number, l.name))
    }

    #[test]
    fn texts_of_levels() {
        assert_eq!(level("0"), Some((0.0, "1".to_owned())));
        assert_eq!(level("-1"), Some((-1.0, "-1".to_owned())));
        assert_eq!(level("2=Roof"), Some((2.0, "Roof".to_owned())));
        assert_eq!(level("Deck@6"), Some((2.0, "Deck".to_owned())));
        assert_eq!(level("roof"), None);
        assert_eq!(Level::of_tags(&Tags::default()), Ok(Level::default()));
    }

    #[test]
    fn level_maps_expand_ranges() {
        let names: Vec<_> =
            parse_level_map("-1=Cellar;0-2").into_iter().map(|(role, l)| (role, l.name)).collect();
        let expected = [("-1", "Cellar"), ("0", "1"), ("1", "2"), ("2", "3")];
        assert_eq!(names, expected.map(|(role, name)| (role.to_owned(), name.to_owned())));
    }
}
