//! What is known at a point of a street, and what grids sum up.

use trestle_model::geo::LatLon;

/// Walking speed off the road, m/s.
const OFF_ROAD_SPEED: f64 = 1.0;

/// A value at a point of a street.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Seconds.
    pub time: f64,
    /// Vehicles boarded.
    pub boardings: f64,
    /// Metres walked.
    pub walk_distance: f64,
}

/// Seconds alone, when nothing else is needed: a third of the memory of a [`Sample`].
#[derive(Clone, Copy, Debug)]
pub struct Seconds(pub f64);

/// Values that a grid can be made of.
pub trait Sampled: Copy + Send + Sync + From<Sample> {
    /// The sum of no samples.
    const ZERO: Self;
    /// Farther than everything.
    const FARTHEST: Self;

    /// The sum of both.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The value times a factor.
    #[must_use]
    fn times(self, factor: f64) -> Self;

    /// `metres` farther off the road.
    #[must_use]
    fn farther(self, metres: f64) -> Self;

    /// The smaller one in every respect.
    #[must_use]
    fn least(self, other: Self) -> Self;

    fn seconds(&self) -> f64;
}

impl From<Sample> for Seconds {
    #[inline]
    fn from(sample: Sample) -> Seconds {
        Seconds(sample.time)
    }
}

impl Sampled for Seconds {
    const ZERO: Seconds = Seconds(0.0);
    const FARTHEST: Seconds = Seconds(f64::INFINITY);

    #[inline]
    fn plus(self, other: Seconds) -> Seconds {
        Seconds(self.0 + other.0)
    }

    #[inline]
    fn times(self, factor: f64) -> Seconds {
        Seconds(self.0 * factor)
    }

    #[inline]
    fn farther(self, metres: f64) -> Seconds {
        Seconds(self.0 + metres / OFF_ROAD_SPEED)
    }

    #[inline]
    fn least(self, other: Seconds) -> Seconds {
        Seconds(self.0.min(other.0))
    }

    #[inline]
    fn seconds(&self) -> f64 {
        self.0
    }
}

impl Sampled for Sample {
    const ZERO: Sample = Sample { time: 0.0, boardings: 0.0, walk_distance: 0.0 };
    const FARTHEST: Sample =
        Sample { time: f64::INFINITY, boardings: f64::INFINITY, walk_distance: f64::INFINITY };

    #[inline]
    fn plus(self, other: Sample) -> Sample {
        Sample {
            time: self.time + other.time,
            boardings: self.boardings + other.boardings,
            walk_distance: self.walk_distance + other.walk_distance,
        }
    }

    #[inline]
    fn times(self, factor: f64) -> Sample {
        Sample {
            time: self.time * factor,
            boardings: self.boardings * factor,
            walk_distance: self.walk_distance * factor,
        }
    }

    #[inline]
    fn farther(self, metres: f64) -> Sample {
        Sample {
            time: self.time + metres / OFF_ROAD_SPEED,
            walk_distance: self.walk_distance + metres,
            ..self
        }
    }

    #[inline]
    fn least(self, other: Sample) -> Sample {
        Sample {
            time: self.time.min(other.time),
            boardings: self.boardings.min(other.boardings),
            walk_distance: self.walk_distance.min(other.walk_distance),
        }
    }

    #[inline]
    fn seconds(&self) -> f64 {
        self.time
    }
}

/// Samples at one point, summed.
#[derive(Clone, Copy, Debug)]
pub struct Samples<S> {
    /// Number of samples.
    pub count: f64,
    /// Their sum.
    pub(super) sum: S,
}

impl<S: Sampled> Samples<S> {
    /// No samples.
    pub const NONE: Self = Samples { count: 0.0, sum: S::ZERO };

    /// `count` equal samples.
    #[inline]
    pub fn repeated(count: f64, sample: S) -> Self {
        Samples { count, sum: sample.times(count) }
    }

    #[inline]
    pub fn add(&mut self, sample: S) {
        self.count += 1.0;
        self.sum = self.sum.plus(sample);
    }
}

impl<S: Sampled> From<S> for Samples<S> {
    fn from(sum: S) -> Samples<S> {
        Samples { count: 1.0, sum }
    }
}

/// The samples at a point between the ends of a street.
pub(super) struct PointSamples<S> {
    pub(super) point: LatLon,
    pub(super) samples: Samples<S>,
}
