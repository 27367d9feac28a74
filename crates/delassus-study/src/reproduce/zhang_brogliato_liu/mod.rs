//! Zhang, Brogliato and Liu (2012), Study of the planar rocking-block dynamics with Coulomb friction.

mod block;
mod dispersion;
mod fitted;
mod friction;
mod geometry;
mod motion;
mod rebounds;
mod tangential;

pub use fitted::{FittedBlock, fitted};

use super::Study;

pub(super) const STUDIES: &[Study] = &[
    Study {
        id: "zhang-brogliato-liu-2012/fig-2",
        title: "Admissible domain of the block with l = √2 L",
        compute: geometry::fig_2,
    },
    Study {
        id: "zhang-brogliato-liu-2012/section-3",
        title: "Kinetic angles of block, dimer and three balls",
        compute: geometry::section_3,
    },
    Study {
        id: "zhang-brogliato-liu-2012/fig-3",
        title: "Friction with static and kinetic coefficients",
        compute: friction::fig_3,
    },
    Study { id: "zhang-brogliato-liu-2012/fig-4", title: "Heights of the corners, e = 0", compute: rebounds::fig_4 },
    Study { id: "zhang-brogliato-liu-2012/fig-5", title: "Heights of the corners, e = 0.8", compute: rebounds::fig_5 },
    Study {
        id: "zhang-brogliato-liu-2012/fig-6",
        title: "Dispersion over the aspect ratio, six friction pairs",
        compute: dispersion::fig_6,
    },
    Study {
        id: "zhang-brogliato-liu-2012/fig-7",
        title: "Frictionless dispersion and the kinetic angle",
        compute: dispersion::fig_7,
    },
    Study {
        id: "zhang-brogliato-liu-2012/fig-8",
        title: "Stick and slip at A during the impact, μ = 0.6, μ_s = 1",
        compute: tangential::fig_8,
    },
    Study { id: "zhang-brogliato-liu-2012/fig-9", title: "Angle of the block over time", compute: rebounds::fig_9 },
    Study {
        id: "zhang-brogliato-liu-2012/fig-10",
        title: "Dispersion for three restitution coefficients",
        compute: dispersion::fig_10,
    },
    Study {
        id: "zhang-brogliato-liu-2012/fig-11",
        title: "Horizontal velocity at A during the impact, μ = 0.3, μ_s = 0.5",
        compute: tangential::fig_11,
    },
    Study {
        id: "zhang-brogliato-liu-2012/fig-12",
        title: "Dispersion from fitted parameters of measured blocks",
        compute: fitted::fig_12,
    },
];
