//! Brogliato, Zhang and Liu (2012), Analysis of a generalized kinematic impact law.

mod block;
mod chain;
mod intervals;
mod metric;
mod rebound;
mod rough;
mod summary;

use super::Study;

pub(super) const STUDIES: &[Study] = &[
    Study {
        id: "brogliato-zhang-liu-2012/section-3",
        title: "Kinetic metric of the block and impact at one corner",
        compute: metric::section_3,
    },
    Study {
        id: "brogliato-zhang-liu-2012/fig-2",
        title: "Admissible e_n21 of sliding rocking",
        compute: intervals::fig_2,
    },
    Study {
        id: "brogliato-zhang-liu-2012/fig-3",
        title: "Admissible e_n21 of sticking rocking",
        compute: intervals::fig_3,
    },
    Study {
        id: "brogliato-zhang-liu-2012/fig-4",
        title: "Admissible angular restitution of sliding rocking",
        compute: intervals::fig_4,
    },
    Study {
        id: "brogliato-zhang-liu-2012/fig-5",
        title: "Admissible angular restitution of sticking rocking",
        compute: intervals::fig_5,
    },
    Study {
        id: "brogliato-zhang-liu-2012/table-1",
        title: "Kinematic restitution laws of the block",
        compute: summary::table_1,
    },
    Study {
        id: "brogliato-zhang-liu-2012/section-5",
        title: "Region of the restitution coefficients with rebound at B",
        compute: rebound::section_5,
    },
    Study {
        id: "brogliato-zhang-liu-2012/section-7",
        title: "Four aligned balls: admissible set as printed and as corrected",
        compute: chain::section_7,
    },
];
