//! The effect of slopes on the speed, work and safety of cycling.

/// Slopes beyond this on streets for cars are errors in the data.
const MAX_CAR_SLOPE: f64 = 0.35;
/// Slopes beyond this anywhere are errors in the data.
const MAX_SLOPE: f64 = 1.0;
/// Growth of the energy per metre with the third power of the slope.
const ENERGY_PER_SLOPE: f64 = 4000.0;
/// Share of the speed gained downhill that counts as danger.
const DANGER: f64 = 0.25;
/// Shorter profiles have no slope, metres.
const SHORTEST: f64 = 1e-3;

const DEGREE: usize = 2;
const ALTITUDE_KNOTS: [f64; 7] = [0.0, 0.0, 0.0, 2798.778532444275, 5000.0, 5000.0, 5000.0];
const SLOPE_KNOTS: [f64; 10] = [
    -0.35,
    -0.35,
    -0.35,
    -0.07269562783182869,
    -0.0024945814335295903,
    0.053500304527448035,
    0.12191105175593375,
    0.35,
    0.35,
    0.35,
];
/// Rows by altitude, columns by slope.
#[rustfmt::skip]
const COEFFICIENTS: [[f64; 7]; 4] = [
    [4.383851316866266, 3.690432372737565, 1.6791850199667697, 0.5507786695702411, 0.179777664191139, 0.08090683222276296, 0.06023930578534376],
    [4.678234305342381, 3.9250580214736304, 1.792458586660127, 0.5342617044172303, 0.18787442260720733, 0.07470642757615269, 0.0622018055531472],
    [5.313190892356879, 4.470390129912075, 2.008538138554535, 0.5461106353078401, 0.1803404295922389, 0.08145693998827369, 0.05980679595599531],
    [5.638489319221266, 4.773222220017663, 2.102148541223302, 0.5786289049612646, 0.16358571778476885, 0.09484618421013713, 0.05546461213343024],
];

/// What follows from the elevation profile of an edge.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SlopeCosts {
    /// Effective length for speed ÷ length.
    pub(crate) speed_factor: f64,
    /// Effective length for work ÷ length.
    pub(crate) work_factor: f64,
    /// Largest absolute slope.
    pub(crate) max_slope: f64,
    /// True length ÷ flat length.
    pub(crate) length_multiplier: f64,
    /// Safety cost to be divided by the edge's length and added to its safety factor, metres.
    pub(crate) safety_cost: f64,
    /// An impossible slope was taken as 0.
    pub(crate) flattened: bool,
}

impl SlopeCosts {
    const FLAT: SlopeCosts = SlopeCosts {
        speed_factor: 1.0,
        work_factor: 1.0,
        max_slope: 0.0,
        length_multiplier: 1.0,
        safety_cost: 0.0,
        flattened: false,
    };

    /// Costs of a profile of (distance, height) in metres, for a street open to cars or not.
    pub(crate) fn of_profile(profile: &[[f64; 2]], for_cars: bool) -> SlopeCosts {
        let (mut flat_length, mut true_length, mut speed, mut work) = (0.0, 0.0, 0.0, 0.0);
        let mut costs = SlopeCosts::FLAT;
        for pair in profile.windows(2) {
            let (run, rise) = (pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
            if run == 0.0 {
                continue;
            }
            let mut slope: f64 = rise / run;
            if (for_cars && slope.abs() > MAX_CAR_SLOPE) || slope.abs() > MAX_SLOPE {
                slope = 0.0;
                costs.flattened = true;
            }
            let hypotenuse = run.hypot(rise);
            let coefficient = speed_coefficient(slope, pair[0][1]);
            flat_length += run;
            true_length += hypotenuse;
            speed += hypotenuse / coefficient;
            work += hypotenuse * (1.0 + ENERGY_PER_SLOPE * slope.max(0.0).powi(3));
            costs.safety_cost += (hypotenuse * (coefficient - 1.0) * DANGER).max(0.0);
            costs.max_slope = costs.max_slope.max(slope.abs());
        }
        if flat_length < SHORTEST {
            return SlopeCosts::FLAT;
        }
        costs.speed_factor = speed / flat_length;
        costs.work_factor = work / flat_length;
        costs.length_multiplier = true_length / flat_length;
        costs
    }
}

/// Cycling speed at a slope and altitude (metres) relative to level ground at sea level.
fn speed_coefficient(slope: f64, altitude: f64) -> f64 {
    let by_slope = basis(&SLOPE_KNOTS, slope);
    let by_altitude = basis(&ALTITUDE_KNOTS, altitude);
    let mut sum = 0.0;
    for (row, altitude_weight) in by_altitude.1.iter().enumerate() {
        for (column, slope_weight) in by_slope.1.iter().enumerate() {
            sum += altitude_weight * slope_weight * COEFFICIENTS[by_altitude.0 + row][by_slope.0 + column];
        }
    }
    sum
}

/// The first quadratic B-spline that is not zero at `x` (clamped to the knots), and its and the next two values.
fn basis(knots: &[f64], x: f64) -> (usize, [f64; DEGREE + 1]) {
    let last = knots.len() - 1 - DEGREE;
    let x = x.clamp(knots[DEGREE], knots[last]);
    let span = (DEGREE..last).rev().find(|span| knots[*span] <= x).unwrap_or(DEGREE);
    let (a, b) = (knots[span], knots[span + 1]);
    // De Boor's recurrence for degree 1, then 2.
    let (low, high) = ((b - x) / (b - a), (x - a) / (b - a));
    let (before, after) = (knots[span - 1], knots[span + 2]);
    let left = low * (b - x) / (b - before);
    let right = high * (x - a) / (after - a);
    (span - DEGREE, [left, 1.0 - left - right, right])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_coefficients_at_sea_level() {
        let expected = [
            (-0.35, 4.384),
            (-0.1, 2.393),
            (-0.05, 1.800),
            (0.0, 1.008),
            (0.05, 0.406),
            (0.1, 0.190),
            (0.35, 0.060),
        ];
        for (slope, coefficient) in expected {
            assert!((speed_coefficient(slope, 0.0) - coefficient).abs() < 6e-4, "{slope}");
        }
        assert!(speed_coefficient(0.0, 5000.0) > speed_coefficient(0.0, 0.0));
        assert_eq!(speed_coefficient(0.1, -50.0), speed_coefficient(0.1, 0.0));
    }

    #[test]
    fn climbing_costs_work_and_descending_safety() {
        let up = SlopeCosts::of_profile(&[[0.0, 0.0], [100.0, 10.0]], true);
        assert!((up.work_factor - 100.0f64.hypot(10.0) / 100.0 * 5.0).abs() < 1e-9);
        assert!((up.speed_factor - 5.29).abs() < 0.01, "{}", up.speed_factor);
        assert_eq!((up.max_slope, up.safety_cost, up.flattened), (0.1, 0.0, false));
        let down = SlopeCosts::of_profile(&[[0.0, 10.0], [100.0, 0.0]], true);
        assert!((down.safety_cost - 100.0f64.hypot(10.0) * 1.393 * 0.25).abs() < 0.1, "{}", down.safety_cost);
    }

    #[test]
    fn impossible_slopes_count_as_flat() {
        let cliff = [[0.0, 0.0], [10.0, 5.0]];
        assert!(SlopeCosts::of_profile(&cliff, true).flattened);
        let path = SlopeCosts::of_profile(&cliff, false);
        assert_eq!((path.flattened, path.max_slope), (false, 0.5));
        assert_eq!(SlopeCosts::of_profile(&[[0.0, 0.0], [0.0, 9.0]], true), SlopeCosts::FLAT);
    }
}
