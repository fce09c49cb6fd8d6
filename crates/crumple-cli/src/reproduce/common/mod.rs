//! What the papers ask for and never made: all methods on common scenes.

pub mod bodies;
pub mod memory;
pub mod methods;

use super::{Experiment, Paper};

pub static PAPER: Paper = Paper {
    short: "All five together",
    citation: "Comparisons that the papers announce or call difficult, and none of them made.",
    idea: "Madera et al. wish for a comparison of methods in intersection tests, tight fitting, computation time and \
           memory; Teschner et al. call one difficult. Here every method answers the same question on the same frames.",
    machine: "nowhere",
    summary: "Madera et al. ask for it: tests, tightness, time and memory of all methods on common scenes. There is no claim \
              to judge; the table shows what each way of looking costs for one and the same answer.",
    experiments: &[
        Experiment {
            ids: &["X1", "M31"],
            title: "Tests, tightness, time and memory of all methods",
            source: "Madera et al., Section 5",
            claim: "A future objective involves a comparison between other methods focusing on the intersection test, tight \
                    fitting, computation time, and the use of memory.",
            run: methods::compared,
        },
        Experiment {
            ids: &["X2"],
            title: "Two bodies, asked by every method",
            source: "Madera et al., Section 5",
            claim: "The same for questions that only some methods answer: distance, common volume.",
            run: bodies::two_bodies,
        },
    ],
};
