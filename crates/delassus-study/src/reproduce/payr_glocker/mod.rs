//! Payr and Glocker (2005), Oblique frictional impact of a bar.

mod critical;
mod map;
mod painleve;
mod rod;
mod set_valued;
mod signs;
mod spheres;
mod states;
mod velocities;

use super::Study;

pub(super) const STUDIES: &[Study] = &[
    Study {
        id: "payr-glocker-2005/fig-1",
        title: "The set-valued maps Upr and Sgn, traced by impacts",
        compute: set_valued::fig_1,
    },
    Study {
        id: "payr-glocker-2005/fig-2",
        title: "Decomposition of Sgn into two unilateral primitives",
        compute: set_valued::fig_2,
    },
    Study {
        id: "payr-glocker-2005/fig-4",
        title: "Impact states of the bar, sub-critical friction",
        compute: states::fig_4,
    },
    Study {
        id: "payr-glocker-2005/fig-5",
        title: "Impact states of the bar, super-critical friction",
        compute: states::fig_5,
    },
    Study {
        id: "payr-glocker-2005/fig-6",
        title: "Critical coefficient of friction for forward slip",
        compute: critical::fig_6,
    },
    Study {
        id: "payr-glocker-2005/fig-7",
        title: "Sign of the post-impact velocity ratio, sub-critical friction",
        compute: signs::fig_7,
    },
    Study {
        id: "payr-glocker-2005/fig-8",
        title: "Sign of the post-impact velocity ratio, super-critical friction",
        compute: signs::fig_8,
    },
    Study {
        id: "payr-glocker-2005/fig-9",
        title: "Post-impact velocity ratio for two angles",
        compute: velocities::fig_9,
    },
    Study {
        id: "payr-glocker-2005/fig-10",
        title: "Post-impact velocity ratio for all angles",
        compute: velocities::fig_10,
    },
    Study {
        id: "payr-glocker-2005/fig-11",
        title: "Impact states and signs for a bar with the inertia of a sphere",
        compute: signs::fig_11,
    },
    Study {
        id: "payr-glocker-2005/section-6",
        title: "Impact without collision of the sliding bar (Painlevé)",
        compute: painleve::section_6,
    },
    Study {
        id: "payr-glocker-2005/fig-13",
        title: "Sphere on a rough half-space: Walton and Stronge",
        compute: spheres::fig_13,
    },
];
