//! Glocker (2014), Energetic consistency conditions for standard impacts, Part II.

mod chain;
mod graphs;
mod pendulum;
mod reservoirs;
mod restrictions;
mod rod;
mod slide_push;
mod stack;

use super::Study;

pub(super) const STUDIES: &[Study] = &[
    Study {
        id: "glocker-2014/fig-2",
        title: "Two stacked bodies: Poisson's law in inequality form",
        compute: stack::fig_2,
    },
    Study { id: "glocker-2014/fig-3", title: "Unilateral constraints: graphs of both phases", compute: graphs::fig_3 },
    Study { id: "glocker-2014/fig-4", title: "Bilateral constraints: graphs of both phases", compute: graphs::fig_4 },
    Study {
        id: "glocker-2014/fig-5",
        title: "Coulomb friction in one dimension: graphs of both phases",
        compute: graphs::fig_5,
    },
    Study {
        id: "glocker-2014/fig-6",
        title: "Coulomb friction: special cases of decompression",
        compute: graphs::fig_6,
    },
    Study {
        id: "glocker-2014/fig-7",
        title: "Isotropic friction: force reservoirs and slip directions",
        compute: reservoirs::fig_7,
    },
    Study {
        id: "glocker-2014/fig-8",
        title: "Orthotropic friction: force reservoirs and slip directions",
        compute: reservoirs::fig_8,
    },
    Study { id: "glocker-2014/table-1", title: "Ranges of the impact coefficients", compute: restrictions::table_1 },
    Study { id: "glocker-2014/section-9.1", title: "The slide-push mechanism", compute: slide_push::section_9_1 },
    Study {
        id: "glocker-2014/section-9.2",
        title: "Kane's double pendulum, phase by phase",
        compute: pendulum::section_9_2,
    },
    Study {
        id: "glocker-2014/table-2",
        title: "Kane's double pendulum under Newton's and Poisson's laws",
        compute: pendulum::table_2,
    },
    Study { id: "glocker-2014/section-9.3", title: "Newton's cradle with three balls", compute: chain::section_9_3 },
    Study {
        id: "glocker-2014/section-10.1",
        title: "Energy gain under changing constraints",
        compute: rod::section_10_1,
    },
    Study {
        id: "glocker-2014/section-10.2",
        title: "Energy gain of a frictional Poisson impact, over α and μ",
        compute: rod::section_10_2,
    },
];
