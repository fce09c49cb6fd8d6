//! The paper's three experiments and their sets of epsilons (tables 2 to 4).

use crumple::methods::distance_hierarchy::published::{Epsilons, FixedEpsilons, PublishedParams};
use crumple_io::report::seconds;

use crate::reproduce::sheet::{Sheet, Value};

/// One experiment: which scene, and the five sets of epsilons with which the paper ran it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Experiment {
    /// Its id, and the name of the scene that stands for it.
    pub id: &'static str,
    /// What it shows.
    pub about: &'static str,
    /// The kind of each body; those beyond the list are of kind 0.
    pub kinds: &'static [usize],
    /// For each set: the epsilons of levels 1, 2, 3 for bodies of one kind, and for bodies of two.
    pub sets: [[[f64; 3]; 2]; 5],
    /// The set that the paper found best, from 0.
    pub best: usize,
}

const fn alike(levels: [f64; 3]) -> [[f64; 3]; 2] {
    [levels, levels]
}

/// Experiments 1, 2 and 3.
pub static EXPERIMENTS: [Experiment; 3] = [
    Experiment {
        id: "M19",
        about: "five tori and five pawns",
        kinds: &[],
        sets: [
            alike([20.0, 14.0, 8.0]),
            alike([22.0, 14.0, 8.0]),
            alike([24.0, 14.0, 8.0]),
            alike([30.0, 14.0, 8.0]),
            alike([30.0, 20.0, 10.0]),
        ],
        best: 2,
    },
    Experiment {
        id: "M21",
        about: "three humans and a torus",
        kinds: &[0, 0, 0, 1],
        sets: [
            [[20.0, 15.0, 10.0], [25.0, 20.0, 10.0]],
            [[45.0, 30.0, 10.0], [35.0, 30.0, 10.0]],
            [[25.0, 15.0, 10.0], [35.0, 30.0, 10.0]],
            [[40.0, 25.0, 10.0], [40.0, 30.0, 10.0]],
            [[25.0, 15.0, 10.0], [45.0, 30.0, 10.0]],
        ],
        best: 2,
    },
    Experiment {
        id: "M23",
        about: "a rigid tooth and a cylinder that bends",
        kinds: &[],
        sets: [
            alike([20.0, 15.0, 10.0]),
            alike([25.0, 12.0, 8.0]),
            alike([25.0, 13.0, 10.0]),
            alike([25.0, 15.0, 8.0]),
            alike([30.0, 15.0, 10.0]),
        ],
        best: 2,
    },
];

impl Experiment {
    /// The experiment with this id.
    pub fn by_id(id: &str) -> Option<&'static Experiment> {
        EXPERIMENTS.iter().find(|e| e.id == id)
    }

    /// The parameters for a set, from 0 to 4, when one of the paper's units is this long.
    pub fn params(&self, set: usize, unit: f64) -> PublishedParams {
        Self::fixed(self.kinds, self.sets[set].map(|levels| levels.map(|e| unit * e)))
    }

    /// The same without a limit on level 1: all of its regions are expanded.
    pub fn without_level_1(&self, set: usize, unit: f64) -> PublishedParams {
        let open = |[_, two, three]: [f64; 3]| [f64::MAX.sqrt(), unit * two, unit * three];
        Self::fixed(self.kinds, self.sets[set].map(open))
    }

    fn fixed(kinds: &[usize], sets: [[f64; 3]; 2]) -> PublishedParams {
        let [one, two] = sets.map(|levels| levels.to_vec());
        let fixed = FixedEpsilons { levels: one, kinds: kinds.to_vec(), by_kinds: vec![([0, 1], two)] };
        PublishedParams { epsilons: Epsilons::Fixed(fixed), ..PublishedParams::new(&[1.0]) }
    }

    /// The parameters of the rule in the text instead: the sum of the radii of the frame (eq. 3 and 6).
    pub fn computed(contact: f64) -> PublishedParams {
        PublishedParams { epsilons: Epsilons::Computed { contact }, ..PublishedParams::new(&[1.0]) }
    }
}

/// What the text gives of a set: nodes expanded on levels 1 to 3, collisions, milliseconds a step.
pub struct Printed {
    pub id: &'static str,
    set: &'static str,
    expanded: Option<[u64; 3]>,
    collisions: Option<u64>,
    milliseconds: [f64; 2],
}

/// The numbers of section 4; two where the paper gives a range.
pub const PRINTED: [Printed; 5] = [
    Printed { id: "M19", set: "1, 2", expanded: None, collisions: None, milliseconds: [30.0, 37.0] },
    Printed {
        id: "M19",
        set: "3",
        expanded: Some([76, 288, 151]),
        collisions: None,
        milliseconds: [f64::NAN; 2],
    },
    Printed { id: "M19", set: "4, 5", expanded: None, collisions: None, milliseconds: [30.0, 45.0] },
    Printed { id: "M21", set: "3", expanded: None, collisions: None, milliseconds: [25.0; 2] },
    Printed { id: "M23", set: "3", expanded: None, collisions: Some(199), milliseconds: [24.0; 2] },
];

impl Printed {
    /// A row of the experiment's table.
    pub fn row(&self, sheet: &mut Sheet) {
        let [low, high] = self.milliseconds.map(|x| 1e-3 * x);
        let time = match () {
            () if low.is_nan() => Value::Nothing,
            () if low == high => Value::Seconds(low),
            () => Value::Text(format!("{} to {}", seconds(low), seconds(high))),
        };
        let nothing = || Value::Nothing;
        let level = |k: usize| self.expanded.map_or(Value::Nothing, |n| n[k].into());
        let expanded = self.expanded.map_or(Value::Nothing, |n| n.iter().sum::<u64>().into());
        let reported = self.collisions.map_or(Value::Nothing, Value::Count);
        sheet.row([
            "paper, 2007".into(),
            self.set.into(),
            nothing(),
            nothing(),
            nothing(),
            level(0),
            level(1),
            level(2),
            expanded,
            reported,
            nothing(),
            nothing(),
            nothing(),
            nothing(),
            time,
        ]);
    }
}
