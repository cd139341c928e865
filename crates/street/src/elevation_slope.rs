//! What slopes do to the speed, work and safety of cycling.

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
const ALTITUDE_KNOTS: [f64; 7] = [0.0, 0.0, 0.0, 2798.778_532_444_274_8, 5000.0, 5000.0, 5000.0];
const SLOPE_KNOTS: [f64; 10] = [
    -0.35,
    -0.35,
    -0.35,
    -0.072_695_627_831_828_688,
    -0.002_494_581_433_529_590_3,
    0.053_500_304_527_448_035,
    0.121_911_051_755_933_75,
    0.35,
    0.35,
    0.35,
];
/// Rows by altitude, columns by slope.
#[rustfmt::skip]
const COEFFICIENTS: [[f64; 7]; 4] = [
    [4.383_851_316_866_265_5, 3.690_432_372_737_565_2, 1.679_185_019_966_769_7, 0.550_778_669_570_241_13, 0.179_777_664_191_139, 0.080_906_832_222_762_959, 0.060_239_305_785_343_762],
    [4.678_234_305_342_381_4, 3.925_058_021_473_630_4, 1.792_458_586_660_127, 0.534_261_704_417_230_31, 0.187_874_422_607_207_33, 0.074_706_427_576_152_687, 0.062_201_805_553_147_201],
    [5.313_190_892_356_878_7, 4.470_390_129_912_075, 2.008_538_138_554_535_1, 0.546_110_635_307_840_1, 0.180_340_429_592_238_89, 0.081_456_939_988_273_691, 0.059_806_795_955_995_307],
    [5.638_489_319_221_266_2, 4.773_222_220_017_663_3, 2.102_148_541_223_301_9, 0.578_628_904_961_264_62, 0.163_585_717_784_768_85, 0.094_846_184_210_137_13, 0.055_464_612_133_430_242],
];

/// What an elevation profile says about its edge.
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

/// Cycling speed at a slope and altitude (metres) relative to level ground at the sea.
pub(crate) fn speed_coefficient(slope: f64, altitude: f64) -> f64 {
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
