//! Every limit that a verdict depends on, with its reason. The page prints this table.
//!
//! A [`Limit`] can be made nowhere else, so no criterion has a number that is not here.

use serde::Serialize;

/// What a number must be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Bound {
    AtMost(f64),
    AtLeast(f64),
    Above(f64),
    Below(f64),
    Within(f64, f64),
}

/// A limit and why it is that one.
#[derive(Debug, PartialEq, Serialize)]
pub struct Limit {
    name: &'static str,
    bound: Bound,
    reason: &'static str,
}

impl Limit {
    /// Its name on the page.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Why it is that one.
    pub fn reason(&self) -> &'static str {
        self.reason
    }

    /// Whether a number is within it.
    pub fn admits(&self, x: f64) -> bool {
        match self.bound {
            Bound::AtMost(most) => x <= most,
            Bound::AtLeast(least) => x >= least,
            Bound::Above(y) => x > y,
            Bound::Below(y) => x < y,
            Bound::Within(low, high) => (low..=high).contains(&x),
        }
    }

    /// As it is printed.
    pub fn words(&self) -> String {
        match self.bound {
            Bound::AtMost(0.0) => "must be 0".to_owned(),
            Bound::AtMost(x) => format!("at most {x}"),
            Bound::AtLeast(x) => format!("at least {x}"),
            Bound::Above(x) => format!("more than {x}"),
            Bound::Below(x) => format!("less than {x}"),
            Bound::Within(a, b) => format!("between {a} and {b}"),
        }
    }
}

/// The limits as constants and as a table.
macro_rules! limits {
    ($($id:ident, $name:literal, $bound:expr, $reason:literal;)*) => {
        $(pub const $id: Limit = Limit { name: $name, bound: $bound, reason: $reason };)*
        /// All of them, for the page.
        pub const ALL: &[&Limit] = &[$(&$id),*];
    };
}

limits! {
    NONE, "none", Bound::AtMost(0.0), "The sentence says never, none or all: a single one refutes it.";
    SOME, "some", Bound::AtLeast(1.0), "The sentence says that there are some: one shows it.";
    MORE, "more", Bound::Above(1.0), "The sentence says more, slower or longer and gives no factor: any factor above 1 will do.";
    LESS, "less", Bound::Below(1.0), "The sentence says less or faster and gives no factor: any factor below 1 will do.";
    SAME, "the same", Bound::Within(0.99, 1.01), "Counts that are said to be the same may differ by rounding, 1 %.";
    ALMOST, "almost the same", Bound::AtMost(1.1), "‘Almost the same’ is read as within 10 %.";
    EQUAL_WORK, "no difference", Bound::AtMost(1.1), "‘Not affected’, ‘independent’: within 10 %, what caches and the order of memory do to equal work.";
    SLIGHT, "slight", Bound::Within(1.0, 1.25), "‘Slightly’ more is read as more, and by at most a quarter.";
    OPTIMAL, "optimal", Bound::AtMost(1.1), "‘Optimal’ is read as within 10 % of the best value of the sweep, whose steps are 10 to 35 % apart.";
    CONSTANT, "constant", Bound::AtMost(1.5), "A quantity that is said not to grow may vary by half over a range of sizes of 30 or more, where a linear one grows 30-fold.";
    FLAT, "does not grow", Bound::AtMost(0.1), "Exponent of a power law: 0 is constant, 1 linear. At 0.1, a hundredfold size costs 1.6 ×.";
    FALLS, "falls", Bound::AtMost(-0.5), "Exponent of a power law: an ideal table falls as 1 / size, exponent -1; half of that is asked for.";
    LINEAR, "linear", Bound::Within(0.9, 1.1), "Exponent of a power law: 1 is linear; n log n over our sizes is 1.1.";
    LINEAR_AT_MOST, "no more than linear", Bound::AtMost(1.0), "Exponent of a power law: what is efficient for many may grow at most in proportion.";
    GROWS, "grows", Bound::Above(0.1), "Exponent of a power law: the opposite of ‘does not grow’.";
    LINEAR_HITS, "linear in the collisions", Bound::Within(0.8, 1.2), "Exponent of a power law over few sizes whose colliding triangles are few.";
    NEAR_PAPER, "near the paper", Bound::AtMost(2.0), "A count of another mesh with another hierarchy: the same up to a factor of 2.";
    AS_IN_PAPER, "as in the paper", Bound::AtMost(1.36), "The paper's own five rows differ by 1.36 × in time per primitive.";
    PROPORTIONS, "the paper's proportions", Bound::AtMost(1.5), "A ratio of two printed times of one machine: ours may differ from it by half.";
    USUALLY, "usually", Bound::AtLeast(0.9), "‘Usually’, ‘normally’, ‘hardly exceeds’: nine cases of ten.";
    HALF, "small", Bound::AtMost(0.5), "‘Remains small’: less than half of everything.";
    FEWER_NODES, "a lot less", Bound::AtMost(0.833_333_333_333), "The paper's own ratio of times, 25 of 30 ms.";
    STEADY, "varies slightly", Bound::AtMost(0.056), "The largest deviation of the paper's own table: 0.24 of 4.3 ms, 5.6 %.";
    HERTZ_15, "15 Hz", Bound::AtLeast(15.0), "The paper's number.";
    HERTZ_29, "29 fps", Bound::AtLeast(29.0), "The paper's number.";
    PAIRS_64, "64 pairs", Bound::AtMost(64.0), "The paper's number.";
    PAIRS_64_EXCEEDED, "more than 64 pairs", Bound::Above(64.0), "More than one expanded pair can hold at level 1: the pairs are of deeper levels.";
    INTERACTIVE, "interactive", Bound::AtMost(0.256), "The paper calls 256 ms interactive.";
    DERIVED, "derived", Bound::Within(0.8, 1.25), "A time that can be derived from others equals their sum within a quarter.";
    DOUBLES, "doubles", Bound::AtLeast(2.0), "Exponential growth, or being the worst, means at least twice as much; eight times would be every bucket.";
    FOUR_LEVELS, "linear in levels", Bound::AtMost(4.0), "In proportion to the levels, four take four times as long as one; a fixed part makes it less.";
    LESS_THAN_EIGHT, "less than eightfold", Bound::Below(8.0), "Each level has eight times the buckets; fewer occupied nodes mean that empty ones are spared.";
    LESS_THAN_SEVEN, "less than the paper's growth", Bound::Below(7.2), "The paper's own ratio of 5 levels to 3: 684 / 95 ms.";
    MORE_THAN_THREE, "more than three", Bound::Above(3.0), "Algorithm 1 divides three times for each primitive.";
    A_TENTH, "a small part", Bound::AtMost(0.1), "The paper's stage 3a takes 1 ms of 20 to 115: at most a twentieth; a tenth is allowed.";
    ONE_CALL, "one call", Bound::AtMost(1.0), "Nothing is looked for inside the area: the search ends with its first call.";
    AT_LEAST_AS_MUCH, "at least as much", Bound::AtLeast(1.0), "A gain that is claimed may be greater, not smaller.";
    AT_MOST_AS_MUCH, "at most as much", Bound::AtMost(1.0), "What a formula says is needed may not be exceeded.";
    THREE, "three", Bound::Within(2.5, 3.0), "‘Three’ on average: at most 3, and nearer to 3 than to 2.";
    LOGARITHMIC, "logarithmic", Bound::AtMost(2.0), "O(log n): at most twice the depth of a balanced tree.";
    MOST_OF_IT, "most of it", Bound::AtLeast(0.5), "A cause must account for at least half of the effect.";
    BELOW_THREE, "fewer than three", Bound::Below(3.0), "A third level can be drawn only where there is one.";
    ROUNDING, "rounding", Bound::AtMost(1e-9), "Two ways to add up the same numbers.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_every_limit_has_a_reason() {
        let mut names: Vec<_> = ALL.iter().map(|l| l.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        assert!(ALL.iter().all(|l| l.reason.len() > 15));
    }

    #[test]
    fn limits_admit_what_they_say() {
        assert!(NONE.admits(0.0) && !NONE.admits(1.0));
        assert!(MORE.admits(1.01) && !MORE.admits(1.0));
        assert!(SLIGHT.admits(1.2) && !SLIGHT.admits(1.3) && !SLIGHT.admits(0.9));
        assert_eq!([NONE.words(), LINEAR.words()], ["must be 0", "between 0.9 and 1.1"]);
    }
}
