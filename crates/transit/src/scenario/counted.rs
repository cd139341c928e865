//! Numbers in warnings.

/// A number, and what is to be said of one or of many.
pub(super) fn by_count(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
