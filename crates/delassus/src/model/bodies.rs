//! Bodies as time-stepping sees them: free between contacts, with velocities in blocks of D entries and
//! contacts of R rows (the plane: 3 and 2, space: 6 and 3).

use super::near::Watch;
use super::space::{Place, Spot};
use super::{ContactFrame, Power, Surface, System};

/// Stands for a body where a contact's second side is a support.
pub(crate) const SUPPORT: usize = usize::MAX;

/// A contact that may act in a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touch<const D: usize, const R: usize> {
    /// The two bodies; the second may be [`SUPPORT`].
    pub bodies: [usize; 2],
    /// Directions by body: normal first, then tangents.
    pub directions: [[[f64; D]; R]; 2],
    /// χ, the velocity of a moving support, at the start and the end of the step.
    pub offset: [[f64; R]; 2],
    /// Gap \[m\].
    pub gap: f64,
    /// Material.
    pub surface: Surface,
    /// Index of the support, where the second side is one.
    pub support: u32,
    /// Which features touch: what it is called by, and where contacts are listed its index there.
    pub feature: u32,
    /// The same number for the same features from step to step.
    pub key: u64,
}

/// Some rows of a joint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hold<const D: usize, const R: usize> {
    /// The number of the joint.
    pub joint: usize,
    /// The two bodies; [`SUPPORT`] for a support or the world.
    pub bodies: [usize; 2],
    /// Directions by body; rows that are not used are zero.
    pub directions: [[[f64; D]; R]; 2],
    /// χ at the start and the end of the step.
    pub offset: [[f64; R]; 2],
    /// Position residuals \[m or rad\].
    pub residual: [f64; R],
}

impl<const D: usize, const R: usize> Hold<D, R> {
    /// Velocities of its rows, without those of supports.
    pub fn velocity(&self, v: &[[f64; D]]) -> [f64; R] {
        let along = |side: usize, r: usize| -> f64 {
            let row = &self.directions[side][r];
            v[self.bodies[side]].iter().zip(row).map(|(v, d)| v * d).sum()
        };
        let sides = (0..2).filter(|&side| self.bodies[side] != SUPPORT);
        sides.fold([0.0; R], |sum, side| std::array::from_fn(|r| sum[r] + along(side, r)))
    }

    /// The same with angles as lengths, those that they are at this distance: so that rows of orientations compare with those
    /// of points.
    pub fn at_distance(mut self, distance: f64) -> Self {
        for r in 0..R {
            // Bodies have as many places as contacts have rows, before their angles.
            if self.directions.iter().all(|side| side[r][..R].iter().all(|d| *d == 0.0)) {
                self.directions.iter_mut().for_each(|side| side[r].iter_mut().for_each(|d| *d *= distance));
                self.residual[r] *= distance;
            }
        }
        self
    }
}

/// A step without contacts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Free {
    /// Velocities at its end.
    pub u: Vec<f64>,
    /// The velocities that carry the positions over the step.
    pub mean: Vec<f64>,
    /// Work of dampers, as [`Bodies::works`] says.
    pub damping: f64,
    /// Work of applied forces.
    pub applied: f64,
    /// Work of supports through springs.
    pub supports: f64,
    /// Buffers.
    pub(super) middle: Vec<f64>,
    pub(super) unused: Vec<f64>,
}

/// Buffers of the search for contacts, kept from step to step.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(super) places: Vec<Place>,
    pub(super) spots: Vec<Spot>,
    /// Lines of supports in the plane: a point and the normal.
    pub(super) lines: Vec<([f64; 2], [f64; 2])>,
}

/// Bodies that time-stepping can move.
pub(crate) trait Bodies<const D: usize, const R: usize>: System {
    /// Number of bodies.
    fn count(&self) -> usize;
    /// The centre of a body, and the radius of a ball around it that holds the body.
    fn ball(&self, body: usize, q: &[f64]) -> ([f64; 3], f64);
    /// M⁻¹ of each body.
    fn inverse_masses(&self, q: &[f64], out: &mut Vec<[[f64; D]; D]>);
    /// A step of size `h` from (t, q, u) without contacts, with the weight θ of its end. Bodies that are `asleep`, where
    /// any may be, stay where they are.
    #[allow(clippy::too_many_arguments)]
    fn free(&self, t: f64, h: f64, theta: f64, q: &[f64], u: &[f64], asleep: &[bool], out: &mut Free);
    /// Whether anything but gravity drives the bodies.
    fn is_driven(&self) -> bool;
    /// Works of what drives the bodies in a step of size `h` from t, once its mean velocities are those with contacts and
    /// joints: a force on what is held in place does no work.
    fn works(&self, t: f64, h: f64, step: &mut Free) {
        if self.is_driven() {
            step.unused.resize(step.mean.len(), 0.0);
            let Power { damping, applied, supports } =
                self.forces(t + 0.5 * h, &step.middle, &step.mean, &mut step.unused);
            (step.damping, step.applied, step.supports) = (h * damping, h * applied, h * supports);
        }
    }
    /// The largest speed of a support at a time.
    fn support_speed(&self, t: f64) -> f64;
    /// Moves all bodies with constant velocities for the time `h`.
    fn carry(&self, h: f64, velocity: &[f64], q: &mut [f64]);
    /// Contacts closer than `margin` at the positions q, in a step over `span`; `pairs` of bodies are near.
    fn touches(
        &self,
        span: [f64; 2],
        q: &[f64],
        pairs: &[[u32; 2]],
        margin: f64,
        scratch: &mut Scratch,
        out: &mut Vec<Touch<D, R>>,
    );
    /// The joints.
    fn holds(&self, span: [f64; 2], q: &[f64], u: &[f64], out: &mut Vec<Hold<D, R>>);
    /// ½uᵀMu.
    fn kinetic(&self, q: &[f64], u: &[f64]) -> f64;
    /// As [`System::nearest_pair`], at one step after the other.
    fn nearest_watched(&self, t: f64, q: &[f64], watch: &mut Watch) -> Option<(f64, [&str; 2])>;
    /// The name of a contact.
    fn touch_name(&self, touch: &Touch<D, R>) -> String;
    /// Where a contact is.
    fn touch_frame(&self, touch: &Touch<D, R>, q: &[f64]) -> ContactFrame;
    /// The contact of the system's list, where contacts are listed.
    fn listed(&self, touch: &Touch<D, R>) -> Option<usize>;
    /// Speed of the fastest point of a body with these velocities.
    fn speed(&self, body: usize, u: &[f64; D]) -> f64;
}
