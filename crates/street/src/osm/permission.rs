//! Who may use a street.

use crate::graph::edge_flags;

/// A set of walking, cycling and driving, with the same bits as [`edge_flags`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Permission(u32);

impl Permission {
    pub(crate) const NONE: Permission = Permission(0);
    pub(crate) const WALK: Permission = Permission(edge_flags::WALK);
    pub(crate) const BICYCLE: Permission = Permission(edge_flags::BICYCLE);
    pub(crate) const CAR: Permission = Permission(edge_flags::CAR);
    pub(crate) const WALK_BICYCLE: Permission = Permission(edge_flags::WALK | edge_flags::BICYCLE);
    pub(crate) const BICYCLE_CAR: Permission = Permission(edge_flags::BICYCLE | edge_flags::CAR);
    pub(crate) const ALL: Permission = Permission(edge_flags::PERMISSIONS);

    /// The permission bits of edge flags.
    pub(crate) fn of_flags(flags: u32) -> Self {
        Permission(flags & edge_flags::PERMISSIONS)
    }

    /// Bits for edge flags.
    pub(crate) fn flags(self) -> u32 {
        self.0
    }

    pub(crate) fn with(self, other: Permission) -> Self {
        Permission(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Permission) -> Self {
        Permission(self.0 & !other.0)
    }

    pub(crate) fn intersect(self, other: Permission) -> Self {
        Permission(self.0 & other.0)
    }

    /// Whether any of `other` is permitted.
    pub(crate) fn allows_any(self, other: Permission) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Parses `W`, `WB`, `WBC`, `BC`, `C` or `-`.
    pub(super) fn parse(letters: &str) -> Option<Self> {
        letters.chars().try_fold(Permission::NONE, |sum, letter| {
            Some(sum.with(match letter {
                'W' => Permission::WALK,
                'B' => Permission::BICYCLE,
                'C' => Permission::CAR,
                '-' => Permission::NONE,
                _ => return None,
            }))
        })
    }
}
