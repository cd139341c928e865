//! Means of travel.

use crate::named;

named! {
    /// A traverse mode of the interface.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
    #[repr(u8)]
    pub enum Mode {
        #[default]
        Walk = "WALK",
        Bicycle = "BICYCLE",
        Car = "CAR",
        Tram = "TRAM",
        Subway = "SUBWAY",
        Rail = "RAIL",
        Bus = "BUS",
        Ferry = "FERRY",
        CableCar = "CABLE_CAR",
        Gondola = "GONDOLA",
        Funicular = "FUNICULAR",
        Airplane = "AIRPLANE",
        /// Between legs: boarding, waiting, parking.
        LegSwitch = "LEG_SWITCH",
    }
}

impl Mode {
    /// How many modes there are.
    pub const COUNT: usize = Mode::ALL.len();

    pub fn from_number(number: u8) -> Option<Mode> {
        Mode::ALL.get(number as usize).copied()
    }

    /// Whether the mode is a transit vehicle.
    pub fn is_transit(self) -> bool {
        !matches!(self, Mode::Walk | Mode::Bicycle | Mode::Car | Mode::LegSwitch)
    }
}

/// A set of modes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ModeSet(pub u16);

impl ModeSet {
    /// All nine transit modes.
    pub const TRANSIT: ModeSet = ModeSet(0b1111_1111_1000);

    /// The set of these modes.
    pub fn of(modes: &[Mode]) -> Self {
        modes.iter().fold(ModeSet(0), |set, &m| set.with(m))
    }

    #[inline]
    pub fn has(self, mode: Mode) -> bool {
        self.0 & (1 << mode as u16) != 0
    }

    pub fn with(self, mode: Mode) -> Self {
        ModeSet(self.0 | 1 << mode as u16)
    }

    /// Its transit modes.
    pub fn transit_only(self) -> Self {
        ModeSet(self.0 & Self::TRANSIT.0)
    }

    /// Whether any transit mode is in the set.
    pub fn has_transit(self) -> bool {
        self.0 & Self::TRANSIT.0 != 0
    }
}
