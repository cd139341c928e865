//! What a build drops or repairs, row by row.

use std::fmt;

/// One dropped or repaired input row, or a remark about an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Issue {
    /// Stable code in kebab case, e.g. `stop-without-position`.
    pub code: &'static str,
    /// Input file, e.g. `gtfs_stcp.zip/stops.txt`; empty when not about a file.
    pub file: String,
    /// Line (1-based, the header is line 1), or 0 when not about a line.
    pub line: u64,
    /// What was wrong and what was done about it.
    pub message: String,
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file.as_str(), self.line) {
            ("", _) => write!(f, "{}: {}", self.code, self.message),
            (file, 0) => write!(f, "{file}: {}: {}", self.code, self.message),
            (file, line) => write!(f, "{file}:{line}: {}: {}", self.code, self.message),
        }
    }
}

/// Collects issues. All are counted, but only a limited number of each code is kept.
#[derive(Debug, Default)]
pub struct IssueSink {
    issues: Vec<Issue>,
    counts: std::collections::BTreeMap<&'static str, u64>,
}

/// Issues of one code that are kept in full; further ones are only counted.
const KEPT_PER_CODE: u64 = 1000;

impl IssueSink {
    pub fn add(&mut self, code: &'static str, file: &str, line: u64, message: impl Into<String>) {
        let count = self.counts.entry(code).or_default();
        *count += 1;
        if *count <= KEPT_PER_CODE {
            self.issues.push(Issue { code, file: file.to_owned(), line, message: message.into() });
        }
    }

    /// The kept issues, in the order they were found.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// How often each code occurred.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.counts.iter().map(|(code, count)| (*code, *count))
    }

    pub fn append(&mut self, other: IssueSink) {
        self.issues.extend(other.issues);
        for (code, count) in other.counts {
            *self.counts.entry(code).or_default() += count;
        }
    }
}
