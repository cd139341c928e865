//! House numbers in a query.

use trestle_street::gazetteer::Gazetteer;

use super::terms::{Match, Term};
use super::words::fold;

/// The house of a street that a query names, as an index into the addresses. An exact number takes precedence over one
/// that is a part of a range, such as `12` of `12-16`; a prefix comes last.
pub(super) fn best_house(gazetteer: &Gazetteer, street: usize, terms: &[Term<'_>]) -> Option<u32> {
    let numbers: Vec<(String, bool)> = terms
        .iter()
        .filter(|term| term.text.starts_with(|c: char| c.is_ascii_digit()))
        .map(|term| (joined(term.text), term.is == Match::Beginning))
        .collect();
    if numbers.is_empty() {
        return None;
    }
    let fit = |house: usize| {
        let number = gazetteer.texts.get(gazetteer.addresses.number[house]);
        numbers.iter().map(|(wanted, is_beginning)| fitness(number, wanted, *is_beginning)).max().unwrap_or(0)
    };
    let fitting = gazetteer.addresses.houses(street).map(|house| (fit(house), house));
    // Of several that match equally well, the first one: the lowest number.
    let best =
        fitting.filter(|(fit, _)| *fit > 0).max_by_key(|(fit, house)| (*fit, std::cmp::Reverse(*house)))?;
    Some(best.1 as u32)
}

/// From 0 (another house) to 3 (the number as it is written).
fn fitness(number: &str, wanted: &str, is_beginning: bool) -> u8 {
    let whole = joined(number);
    if whole == wanted {
        3
    } else if number.split(|c: char| !c.is_alphanumeric()).any(|part| fold(part) == wanted) {
        2
    } else {
        u8::from(is_beginning && whole.starts_with(wanted))
    }
}

/// Only letters and digits: `12 A` is `12a`.
fn joined(number: &str) -> String {
    fold(number).chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_as_a_whole_in_part_or_by_their_beginning() {
        assert_eq!(fitness("12 A", "12a", false), 3);
        assert_eq!(fitness("12-16", "16", false), 2);
        assert_eq!(fitness("125", "12", true), 1);
        assert_eq!(fitness("125", "12", false), 0);
    }
}
