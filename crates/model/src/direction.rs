//! The direction of a search: along travel or against it.

use std::fmt::Debug;

/// The direction of a search, which starts at the end of the travel whose time is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Direction {
    /// Along travel: departs from the origin at a time and looks for early arrivals.
    #[default]
    Forward,
    /// Against travel: arrives at the destination by a time and looks for late departures.
    Backward,
}

impl Direction {
    /// The direction for a request with this `arriveBy`.
    pub const fn of_request(arrive_by: bool) -> Direction {
        if arrive_by { Direction::Backward } else { Direction::Forward }
    }

    /// The other direction.
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::Forward => Direction::Backward,
            Direction::Backward => Direction::Forward,
        }
    }

    /// Whether it is [`Direction::Backward`].
    pub const fn is_backward(self) -> bool {
        matches!(self, Direction::Backward)
    }

    /// The one of two values that belongs to this direction.
    #[inline(always)]
    pub fn pick<T>(self, forward: T, backward: T) -> T {
        if self.is_backward() { backward } else { forward }
    }
}

/// A [`Direction`] as a type: code generic over it is compiled once for each direction, without a branch at run time.
///
/// Times become *keys*, of which the smaller one is always better, and positions become *steps*, which count from where
/// the search begins.
pub trait Directed: Copy + Debug + 'static {
    /// The other direction.
    type Opposite: Directed<Opposite = Self>;

    /// The direction as a value.
    const DIRECTION: Direction;

    /// [`Direction::is_backward`].
    #[inline(always)]
    fn is_backward() -> bool {
        Self::DIRECTION.is_backward()
    }

    /// [`Direction::pick`].
    #[inline(always)]
    fn pick<T>(forward: T, backward: T) -> T {
        Self::DIRECTION.pick(forward, backward)
    }

    /// The key of a time, or the time of a key.
    #[inline(always)]
    fn key(time: i32) -> i32 {
        if Self::is_backward() { -time } else { time }
    }

    /// The position of a step among `count`, or the step of a position.
    #[inline(always)]
    fn position(step: usize, count: usize) -> usize {
        if Self::is_backward() { count - 1 - step } else { step }
    }
}

/// [`Direction::Forward`].
#[derive(Clone, Copy, Debug)]
pub struct Forward;

/// [`Direction::Backward`].
#[derive(Clone, Copy, Debug)]
pub struct Backward;

impl Directed for Forward {
    type Opposite = Backward;
    const DIRECTION: Direction = Direction::Forward;
}

impl Directed for Backward {
    type Opposite = Forward;
    const DIRECTION: Direction = Direction::Backward;
}
