//! A few values that are kept for later requests.

/// The values that were used last, at most `MOST` of them.
#[derive(Debug)]
pub struct Recent<T, const MOST: usize> {
    /// The most recently used last.
    values: Vec<T>,
}

impl<T, const MOST: usize> Default for Recent<T, MOST> {
    fn default() -> Self {
        Recent { values: Vec::new() }
    }
}

impl<T, const MOST: usize> Recent<T, MOST> {
    /// The value that is wanted, if it is kept.
    pub fn find(&mut self, is_wanted: impl Fn(&T) -> bool) -> Option<&T> {
        let at = self.values.iter().position(is_wanted)?;
        self.values[at..].rotate_left(1);
        self.values.last()
    }

    /// Keeps a value. If there are too many then, the one that has not been used for the longest time is dropped.
    pub fn keep(&mut self, value: T) {
        if self.values.len() == MOST {
            self.values.remove(0);
        }
        self.values.push(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_unused_for_the_longest_time_is_dropped() {
        let mut recent = Recent::<u32, 3>::default();
        [1, 2, 3].into_iter().for_each(|value| recent.keep(value));
        assert_eq!(recent.find(|value| *value == 1), Some(&1));
        recent.keep(4);
        assert_eq!(recent.find(|value| *value == 2), None);
        assert!([1, 3, 4].iter().all(|kept| recent.find(|value| value == kept).is_some()));
    }
}
