//! Four aligned balls, BZL §7, and the energy theorems.

use delassus::Theorem;
use delassus::law::{Kinematic, NumberOrMatrix};

use crate::support::{chain, close, energies, matrix, solved, theorem};

/// A matrix with E_n columns 1 and 3 as given and column 2 zero.
fn coupled(first: [f64; 3], third: [f64; 3]) -> Kinematic {
    matrix([[first[0], 0.0, third[0]], [first[1], 0.0, third[1]], [first[2], 0.0, third[2]]])
}

/// BZL (59).
#[test]
fn first_velocity() {
    let (m, e1, e21, e31) = (1.7, 0.3, 0.2, 0.6);
    let problem = chain(&[m; 4], &[1.0, 0.0, 0.0, 0.0]);
    let outcome = solved(&problem, &coupled([e1, e21, e31], [0.9, 0.1, 0.4]));
    let expected = [
        (1.0 - 3.0 * e1 - 2.0 * e21 - e31) / 4.0,
        (1.0 + e1 - 2.0 * e21 - e31) / 4.0,
        (1.0 + e1 + 2.0 * e21 - e31) / 4.0,
        (1.0 + e1 + 2.0 * e21 + 3.0 * e31) / 4.0,
    ];
    close(&outcome.u_plus, &expected, 1e-14);
    let impulses = [
        m * (3.0 + 3.0 * e1 + 2.0 * e21 + e31) / 4.0,
        m * (1.0 + e1 + 2.0 * e21 + e31) / 2.0,
        m * (1.0 + e1 + 2.0 * e21 + 3.0 * e31) / 4.0,
    ];
    close(outcome.impulses(), &impulses, 1e-14);
}

/// BZL (63), p₂₃ corrected.
#[test]
fn second_velocity() {
    let m = 0.6;
    let (e, f) = ([0.3, 0.2, 0.6], [0.1, 0.5, 0.25]);
    let g: Vec<f64> = e.iter().zip(f).map(|(e, f)| e + 2.0 * f).collect();
    let problem = chain(&[m; 4], &[1.0, 0.0, 0.0, -2.0]);
    let outcome = solved(&problem, &coupled(e, f));
    let expected = [
        (-1.0 - 3.0 * g[0] - 2.0 * g[1] - g[2]) / 4.0,
        (-1.0 + g[0] - 2.0 * g[1] - g[2]) / 4.0,
        (-1.0 + g[0] + 2.0 * g[1] - g[2]) / 4.0,
        (-1.0 + g[0] + 2.0 * g[1] + 3.0 * g[2]) / 4.0,
    ];
    close(&outcome.u_plus, &expected, 1e-14);
    let impulses = [
        m * (5.0 + 3.0 * g[0] + 2.0 * g[1] + g[2]) / 4.0,
        m * (3.0 + e[0] + 2.0 * f[0] + 2.0 * e[1] + 4.0 * f[1] + e[2] + 2.0 * f[2]) / 2.0,
        m * (7.0 + g[0] + 2.0 * g[1] + 3.0 * g[2]) / 4.0,
    ];
    close(outcome.impulses(), &impulses, 1e-14);
}

/// BZL (60) and (61) as corrected: the energy margin is the quadratic form.
#[test]
fn energy_conditions() {
    let form = |g: [f64; 3]| {
        3.0 * g[0] * g[0]
            + 4.0 * g[1] * g[1]
            + 3.0 * g[2] * g[2]
            + 4.0 * g[0] * g[1]
            + 2.0 * g[0] * g[2]
            + 4.0 * g[1] * g[2]
    };
    for e in [[0.3, 0.2, 0.6], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, -0.4, 0.9]] {
        let problem = chain(&[2.0; 4], &[1.0, 0.0, 0.0, 0.0]);
        let (before, after) = energies(&problem, &solved(&problem, &coupled(e, [0.0; 3])));
        // T⁺ − T⁻ = (m/8)(form − 3).
        close(&[after - before], &[0.25 * (form(e) - 3.0)], 1e-14);

        let problem = chain(&[2.0; 4], &[1.0, 0.0, 0.0, -2.0]);
        let f = [0.2, 0.7, -0.1];
        let g = [0, 1, 2].map(|k| e[k] + 2.0 * f[k]);
        let (before, after) = energies(&problem, &solved(&problem, &coupled(e, f)));
        close(&[after - before], &[0.25 * (form(g) - 19.0)], 1e-13);
    }
    // The printed (60) admits e₂₁ = 1, which gains a third of the normal energy.
    let problem = chain(&[1.0; 4], &[1.0, 0.0, 0.0, 0.0]);
    let (before, after) = energies(&problem, &solved(&problem, &coupled([0.0, 1.0, 0.0], [0.0; 3])));
    assert!(after > before);
}

/// The counterexample to BZL Proposition 1: E_n symmetric with eigenvalues −1, 1, 1.
#[test]
fn proposition_one_is_false() {
    let problem = chain(&[1.0; 4], &[1.0, 0.0, 0.0, 0.0]);
    let law = matrix([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    let outcome = solved(&problem, &law);
    close(&outcome.u_plus, &[-0.25, -0.25, 0.75, 0.75], 1e-14);
    assert!(outcome.impulses().iter().all(|p| *p >= 0.0));
    let (before, after) = energies(&problem, &outcome);
    close(&[after / before], &[1.25], 1e-14);
    assert_eq!(theorem(&problem, &law), Theorem::None);
}

#[test]
fn theorem_of_contraction() {
    let problem = chain(&[1.0, 3.0, 0.5, 2.0], &[1.0, 0.0, 0.0, 0.0]);
    for e in [0.0, 0.5, 1.0] {
        let law = matrix([[e, 0.0, 0.0], [0.0, e, 0.0], [0.0, 0.0, e]]);
        assert_eq!(theorem(&problem, &law), Theorem::Contraction);
    }
    let active = matrix([[1.1, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    assert_eq!(theorem(&problem, &active), Theorem::None);
    // The tangential part counts as well.
    let imposed = |e| Kinematic { tangential_matrix: Some(NumberOrMatrix::Uniform(e)), ..Kinematic::default() };
    assert_eq!(theorem(&problem, &imposed(-1.0)), Theorem::Contraction);
    assert_eq!(theorem(&problem, &imposed(1.5)), Theorem::None);
}

/// A matrix that gains energy for some velocities, but for none that approaches
/// at every contact; and its theorem is void for a contact that separates.
#[test]
fn theorem_of_copositivity() {
    // Two balls against a third: A = (1, −½; −½, 1), A⁻¹ = (4/3)(1, ½; ½, 1). With the row
    // E = (1, −1; 0, 0): EᵀA⁻¹E = (4/3)(1, −1; −1, 1), difference (4/3)(0, 3/2; 3/2, 0).
    let law = matrix([[1.0, -1.0], [0.0, 0.0]]);
    let approaching = chain(&[1.0; 3], &[2.0, 0.5, 0.0]);
    assert_eq!(theorem(&approaching, &law), Theorem::Copositive);
    let (before, after) = energies(&approaching, &solved(&approaching, &law));
    assert!(after <= before);
    let separating = chain(&[1.0; 3], &[2.0, 0.0, 1.0]);
    assert_eq!(theorem(&separating, &law), Theorem::None);
    let outcome = solved(&separating, &law);
    let (before, after) = energies(&separating, &outcome);
    assert!(after > before);
    assert_eq!(outcome.answer.warnings.len(), 1, "the separating contact is named");
}
