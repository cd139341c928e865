//! Names as words that can be compared: lower case, without accents and without words that say
//! nothing about a place.

/// English words that say nothing about a place.
const STOP_WORDS: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
    "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to",
    "was", "will", "with",
];

/// The words of a text that are compared.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(fold)
        .filter(|word| !STOP_WORDS.contains(&word.as_str()))
}

/// Lower case without accents.
pub(super) fn fold(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).map(without_accent).collect()
}

/// The plain letter of an accented Latin one.
fn without_accent(letter: char) -> char {
    match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' | 'ĉ' | 'ċ' => 'c',
        'ď' | 'đ' => 'd',
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => 'i',
        'ł' | 'ľ' | 'ĺ' | 'ļ' => 'l',
        'ñ' | 'ń' | 'ň' | 'ņ' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ŕ' | 'ř' => 'r',
        'ś' | 'š' | 'ş' | 'ș' => 's',
        'ť' | 'ţ' | 'ț' => 't',
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' | 'ų' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    }
}

/// Longest word, in letters, that may be misspelt.
const LONGEST: usize = 31;

/// Letters to insert, remove, replace or swap with their neighbour to turn one word into the other; `None` if more than
/// `most`, or as many as the shorter word has letters.
pub(super) fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    let most = most.min(a.len().min(b.len()).saturating_sub(1));
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    if most == 0 || b.len() > LONGEST {
        return (a == b).then_some(0);
    }
    // Three rows of the table of distances between the beginnings of both words: for two letters ago, one ago, and now.
    let mut rows = [[0usize; LONGEST + 1]; 3];
    rows[1] = std::array::from_fn(|i| i);
    for (i, letter) in a.iter().enumerate() {
        let [earlier, last, now] = &mut rows;
        now[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let replaced = last[j] + usize::from(letter != other);
            now[j + 1] = replaced.min(last[j + 1] + 1).min(now[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *other && b[j - 1] == *letter {
                now[j + 1] = now[j + 1].min(earlier[j - 1] + 1);
            }
        }
        if now[..=b.len()].iter().min().is_some_and(|least| *least > most) {
            return None;
        }
        rows.rotate_left(1);
    }
    Some(rows[1][b.len()]).filter(|edits| *edits <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_no_case_accents_or_fillers() {
        let found: Vec<_> = words("Praça da República & THE Mall").collect();
        assert_eq!(found, ["praca", "da", "republica", "mall"]);
    }

    #[test]
    fn distances_count_edits_up_to_a_limit() {
        let edits =
            |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>(), 2);
        assert_eq!(edits("mercado", "mercado"), Some(0));
        assert_eq!(edits("mercado", "marcdo"), Some(2));
        assert_eq!(edits("bolhao", "bolhoa"), Some(1));
        assert_eq!(edits("bolhao", "oblhoa"), Some(2));
        assert_eq!(edits("5257", "625"), Some(2));
        assert_eq!(edits("5257", "27"), None);
        assert_eq!(edits("mercado", "mar"), None);
    }
}
