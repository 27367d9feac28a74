//! Typical sizes of the motion at hand, and the speeds that count as something.

use super::settings::Settings;
use super::thresholds::{length, speed};
use crate::model::System;

/// Units of the problem at hand.
#[derive(Debug, Clone)]
pub(super) struct Units {
    /// ℓ.
    pub size: f64,
    /// √(gℓ), or the largest speed so far.
    pub speed: f64,
    /// Typical rate ω₀ \[1/s\].
    pub rate: f64,
    /// Per position.
    pub positions: Vec<f64>,
    /// Per velocity, what it is the rate of.
    pub velocities: Vec<f64>,
    /// Gaps up to this are closed.
    pub gap: f64,
    /// g.
    gravity: f64,
    /// Whether directions of friction fill a plane.
    space: bool,
    /// See [`Settings::accumulation`].
    accumulation: f64,
}

impl Units {
    pub fn new(system: &dyn System, settings: &Settings) -> Self {
        let size = system.size();
        Self {
            size,
            speed: (system.gravity() * size).sqrt(),
            rate: 1.0,
            positions: system.position_scales(),
            velocities: system.velocity_scales(),
            gap: settings.contact_tolerance * size,
            gravity: system.gravity(),
            space: system.tangents() > 1,
            accumulation: settings.accumulation,
        }
    }

    /// Finds the typical rate of a run of that length from its first velocities and accelerations.
    pub fn set_rate(&mut self, time: f64, u: &[f64], accelerations: &[f64]) {
        let mut rate = if time > 0.0 { 1.0 / time } else { 0.0 };
        rate = rate.max((self.gravity / self.size).sqrt());
        for ((u, a), scale) in u.iter().zip(accelerations).zip(&self.velocities) {
            rate = rate.max(u.abs() / scale).max((a.abs() / scale).sqrt());
        }
        self.rate = if rate.is_finite() && rate > 0.0 { rate } else { 1.0 };
    }

    /// Keeps the largest speed that occurred.
    pub fn note_speed(&mut self, u: &[f64]) {
        for (u, scale) in u.iter().zip(&self.velocities) {
            self.speed = self.speed.max(u.abs() / scale * self.size);
        }
    }

    /// The speed below which impacts accumulate.
    pub fn accumulation_speed(&self) -> f64 {
        if self.gravity > 0.0 {
            self.accumulation * (self.gravity * self.size).sqrt()
        } else {
            speed::WEIGHTLESS * self.accumulation * self.speed
        }
    }

    /// The speed below which a velocity is round-off.
    pub fn zero_speed(&self) -> f64 {
        (speed::ZERO * self.speed).min(speed::ZERO_OF_ACCUMULATION * self.accumulation_speed())
    }

    /// The speed up to which nothing slides.
    pub fn still_speed(&self) -> f64 {
        if self.space { speed::PASSING * self.zero_speed() } else { self.zero_speed() }
    }

    /// Contacts that part more slowly and are pulled back rise by less than round-off: they do not part.
    pub fn hop_speed(&self) -> f64 {
        let hop = (2.0 * length::SLACK).sqrt() * self.size * self.rate;
        hop.min(speed::HOP * self.accumulation_speed()).max(self.zero_speed())
    }

    /// The slack of gaps that start at zero \[m\].
    pub fn slack(&self) -> f64 {
        length::SLACK * self.size
    }

    /// Velocity `i` as the speed of a point at the distance ℓ.
    pub fn length(&self, i: usize) -> f64 {
        self.size / self.velocities[i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::ball::Ball;

    /// Speeds are ordered, and scale with the unit of length as speeds do.
    #[test]
    fn speeds_are_a_ladder_in_any_unit() {
        let settings = Settings::default();
        let of = |factor: f64| {
            let mut units = Units::new(&Ball::new(0.5), &settings);
            units.size *= factor;
            units.gravity *= factor;
            units.speed *= factor;
            units.velocities.iter_mut().for_each(|scale| *scale *= factor);
            units.set_rate(1.0, &[0.5 * factor], &[factor]);
            units.note_speed(&[-3.0 * factor]);
            units
        };
        let (metres, millimetres) = (of(1.0), of(1e3));
        let speeds = |u: &Units| [u.zero_speed(), u.still_speed(), u.hop_speed(), u.accumulation_speed(), u.speed];
        assert!(speeds(&metres).windows(2).all(|pair| pair[0] <= pair[1]), "{:?}", speeds(&metres));
        assert!((metres.rate / millimetres.rate - 1.0).abs() < 1e-12);
        for (a, b) in speeds(&metres).into_iter().zip(speeds(&millimetres)) {
            assert!((1e3 * a / b - 1.0).abs() < 1e-12, "{a} {b}");
        }
    }
}
