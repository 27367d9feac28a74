//! From where bodies in space are seen.

use super::scene::Scene;

/// Vectors and points of space.
pub(super) type Vector = [f64; 3];

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[k] - b[k])
}

pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

/// How far around the vertical axis the eye stands \[rad\], from the x axis.
const TURN: f64 = -1.15;
/// How high it looks down \[rad\].
const TILT: f64 = 0.36;
/// How far away it stands, in units of the view's diagonal.
const AWAY: f64 = 2.2;
/// The part of the picture that the view fills.
const FILLED: f64 = 0.94;

/// An eye that looks at the middle of the view. `assets/space.js` has the same for pages.
pub(super) struct Camera {
    centre: Vector,
    right: Vector,
    up: Vector,
    /// From the centre to the eye, of unit length.
    back: Vector,
    away: f64,
    /// Points of the picture per metre at the centre.
    scale: f64,
    /// Where the centre lies in the picture.
    middle: [f64; 2],
    /// Towards the light, of unit length.
    pub light: Vector,
    diagonal: f64,
}

impl Camera {
    /// The camera that shows all of a scene in a picture of that size.
    pub fn new(scene: &Scene, size: [f64; 2]) -> Self {
        let side = |k: usize| scene.view.get(k).copied().map_or(0.0, f64::from);
        let (low, high) = ([side(0), side(1), side(2)], [side(3), side(4), side(5)]);
        let centre = std::array::from_fn(|k| 0.5 * (low[k] + high[k]));
        let diagonal = dot(minus(high, low), minus(high, low)).sqrt();
        let ((st, ct), (si, ci)) = (TURN.sin_cos(), TILT.sin_cos());
        let (back, right, up) = ([ci * ct, ci * st, si], [-st, ct, 0.0], [-si * ct, -si * st, ci]);
        let light = std::array::from_fn(|k| (0.55 * back[k] + 0.75 * up[k] - 0.35 * right[k]) / 0.9937);
        let away = AWAY * diagonal;
        let mut camera = Self { centre, right, up, back, away, scale: 1.0, middle: [0.0; 2], light, diagonal };
        // At scale 1 the corners of the view and of grounds lie in a box; it is brought to fill the picture.
        let corner = |c: usize| std::array::from_fn(|k| if c >> k & 1 == 1 { high[k] } else { low[k] });
        let grounds = scene.patches.iter().flat_map(|patch| &patch.points).map(|p| p.map(f64::from));
        let seen: Vec<[f64; 2]> = (0..8).map(corner).chain(grounds).map(|p| camera.place(p).0).collect();
        let range = |k: usize| {
            let values = seen.iter().map(|p| p[k]);
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)))
        };
        let (x, y) = (range(0), range(1));
        camera.scale = FILLED * (size[0] / (x.1 - x.0)).min(size[1] / (y.1 - y.0));
        camera.middle =
            [0.5 * size[0] - 0.5 * camera.scale * (x.0 + x.1), 0.5 * size[1] - 0.5 * camera.scale * (y.0 + y.1)];
        camera
    }

    /// The diagonal of the view \[m\].
    pub fn size(&self) -> f64 {
        self.diagonal
    }

    /// Where the eye is.
    pub fn eye(&self) -> Vector {
        std::array::from_fn(|k| self.centre[k] + self.away * self.back[k])
    }

    /// Where a point lies in the picture, and how many points of it a metre is there.
    pub fn place(&self, point: Vector) -> ([f64; 2], f64) {
        let p = minus(point, self.centre);
        let scale = self.scale * self.away / (self.away - dot(p, self.back)).max(1e-3 * self.away);
        ([self.middle[0] + scale * dot(p, self.right), self.middle[1] - scale * dot(p, self.up)], scale)
    }
}
