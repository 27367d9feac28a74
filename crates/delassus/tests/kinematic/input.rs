//! What the law refuses and how it says so; joints, offsets, external impulses.

use delassus::law::{Choice, Form, Kinematic, NumberOrMatrix, Value};
use delassus::{
    ClutchData, ContactData, Friction, ImpactProblem, JointData, LawSpec, Mass, ProblemData, Status, resolve,
};

use crate::support::{Strike, chain, close, form, matrix, rocking, solved};

#[track_caller]
fn not_applicable(problem: &ImpactProblem, law: &Kinematic, reason: &str) {
    let outcome = resolve(problem, &LawSpec::Kinematic(law.clone())).unwrap();
    assert_eq!(outcome.status(), Status::NotApplicable);
    let given = outcome.reason.unwrap();
    assert!(given.contains(reason), "{given}");
}

#[track_caller]
fn rejected(problem: &ImpactProblem, law: &Kinematic, field: &str) {
    let error = resolve(problem, &LawSpec::Kinematic(law.clone())).unwrap_err();
    assert_eq!(error.field, field, "{error}");
}

fn point(velocity: [f64; 3], contacts: Vec<ContactData>) -> ProblemData {
    let data = ProblemData::new(Mass::diagonal(vec![1.0, 2.0, 3.0]).unwrap(), velocity);
    contacts.into_iter().fold(data, ProblemData::with_contact)
}

fn joint(directions: Vec<[f64; 3]>) -> JointData {
    let directions = directions.into_iter().map(Into::into).collect();
    JointData { name: "joint".into(), directions, restitution: 0.0, offset: vec![] }
}

#[test]
fn bad_law_data() {
    let problem = chain(&[1.0; 3], &[1.0, 0.0, 0.0]);
    let rows = |rows: Vec<Vec<f64>>| Kinematic { restitution_matrix: Some(rows), ..Kinematic::default() };
    rejected(&problem, &rows(vec![vec![1.0, 0.0]]), "law.restitution_matrix");
    rejected(&problem, &rows(vec![vec![1.0], vec![0.0, 1.0]]), "law.restitution_matrix");
    rejected(&problem, &rows(vec![vec![1.0, f64::NAN], vec![0.0, 1.0]]), "law.restitution_matrix[0][1]");
    let tangential = |e| Kinematic { tangential_matrix: Some(e), ..Kinematic::default() };
    rejected(&problem, &tangential(NumberOrMatrix::Uniform(f64::INFINITY)), "law.tangential_matrix");
    rejected(&problem, &tangential(NumberOrMatrix::Full(vec![vec![0.0; 2]; 2])), "law.tangential_matrix");
    rejected(&problem, &Kinematic { tangential_basis: Some(vec![]), ..Kinematic::default() }, "law.tangential_basis");
    let basis = Kinematic { tangential_basis: Some(vec![]), ..tangential(NumberOrMatrix::Uniform(0.0)) };
    rejected(&problem, &basis, "law.tangential_basis");
    rejected(&problem, &Kinematic { restitution: Some(0.5), ..Kinematic::default() }, "law.restitution");
    rejected(&problem, &form(Form::HalfRocking, f64::NAN), "law.restitution");
    rejected(&problem, &Kinematic { form: Some(Form::Housner), ..rocking(0.5) }, "law.restitution_matrix");
    // An imposed jump leaves no room for friction.
    let sliding = Strike { friction: 0.3, ..Strike::new(1.0, 1.0) }.problem();
    rejected(&sliding, &tangential(NumberOrMatrix::Uniform(0.0)), "contact[0].friction");
}

#[test]
fn problems_the_law_does_not_cover() {
    let normal = || ContactData::new("c", [1.0, 0.0, 0.0]);
    let law = Kinematic::default();
    let mut clutched = point([-1.0, 0.0, 0.0], vec![normal()]);
    let direction = [0.0, 1.0, 0.0].into();
    clutched.clutches = vec![ClutchData { name: "k".into(), direction, restitution: 0.0, offset: 0.0 }];
    not_applicable(&ImpactProblem::new(clutched).unwrap(), &law, "clutch");

    let spatial = |mu: f64| normal().tangent([0.0, 1.0, 0.0]).tangent([0.0, 0.0, 1.0]).friction(mu);
    let problem = ImpactProblem::new(point([-1.0, 3.0, 4.0], vec![spatial(0.5)])).unwrap();
    not_applicable(&problem, &law, "two tangents");
    // Without friction, or with an imposed jump, two tangents are fine.
    let problem = ImpactProblem::new(point([-1.0, 3.0, 4.0], vec![spatial(0.0)])).unwrap();
    close(&solved(&problem, &law).u_plus, &[0.0, 3.0, 4.0], 1e-15);
    let imposed = Kinematic { tangential_matrix: Some(NumberOrMatrix::Uniform(0.5)), ..matrix([[0.25]]) };
    close(&solved(&problem, &imposed).u_plus, &[0.25, -1.5, -2.0], 1e-14);

    let twice = vec![normal(), ContactData::new("d", [2.0, 0.0, 0.0])];
    not_applicable(&ImpactProblem::new(point([-1.0, 0.0, 0.0], twice)).unwrap(), &law, "depend");
    let rocking = form(Form::RockingSliding, 0.5);
    not_applicable(&chain(&[1.0; 4], &[1.0, 0.0, 0.0, 0.0]), &rocking, "two contacts");
    not_applicable(&chain(&[1.0; 3], &[1.0, 0.0, 0.0]), &form(Form::RockingSticking, 0.5), "tangent");

    let mut moving = point([-1.0, 1.0, 0.0], vec![normal()]);
    moving.joints = vec![joint(vec![[0.0, 1.0, 0.0]])];
    not_applicable(&ImpactProblem::new(moving).unwrap(), &law, "moves before the impact");
    let mut blocked = point([0.0, 0.0, 0.0], vec![normal()]);
    blocked.joints = vec![joint(vec![[1.0, 0.0, 0.0]])];
    not_applicable(&ImpactProblem::new(blocked).unwrap(), &law, "no freedom");
}

#[test]
fn too_many_frictional_contacts_to_enumerate() {
    let n = 18;
    // One body: everything is coupled.
    let mass = (0..n * n).map(|k| if k / n == k % n { 1.0 } else { 0.01 }).collect();
    let mut data = ProblemData::new(Mass::dense(n, mass).unwrap(), vec![-1.0; n]);
    for i in 0..9 {
        let direction = |k: usize| (0..n).map(|j| if j == k { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
        data =
            data.with_contact(ContactData::new(format!("{i}"), direction(i)).tangent(direction(9 + i)).friction(0.1));
    }
    not_applicable(&ImpactProblem::new(data).unwrap(), &Kinematic::default(), "9 coupled contacts");
}

#[test]
fn a_problem_at_rest_stays_at_rest() {
    let s = Strike { friction: 0.4, rate: 0.0, ..Strike::new(1.0, 1.0) };
    let outcome = solved(&s.problem(), &rocking(0.5));
    close(&outcome.u_plus, &[0.0; 3], 0.0);
    close(outcome.impulses(), &[0.0; 4], 0.0);
}

/// No contact at all: nothing happens, an external impulse acts on the joints.
#[test]
fn no_contacts() {
    let mut data = point([0.0, 1.0, 0.0], vec![]);
    data.impulse = vec![1.0, 4.0, 0.0];
    data.joints = vec![joint(vec![[1.0, 0.0, 0.0]])];
    let outcome = solved(&ImpactProblem::new(data).unwrap(), &Kinematic::default());
    close(&outcome.u_plus, &[0.0, 3.0, 0.0], 1e-15);
    close(outcome.impulses(), &[-1.0], 1e-15);
}

/// A floor that rises: the law acts on relative velocities.
#[test]
fn moving_support() {
    let mut floor = ContactData::new("floor", [0.0, 1.0, 0.0]).tangent([1.0, 0.0, 0.0]);
    floor.restitution = 0.5;
    floor.offset = vec![-0.2, -3.0];
    floor.friction = Some(Friction::Isotropic(10.0));
    let problem = ImpactProblem::new(point([1.0, -1.0, 0.0], vec![floor.clone()])).unwrap();
    let outcome = solved(&problem, &Kinematic::default());
    // γ_N⁻ = −1.2, γ_N⁺ = 0.6; the conveyor belt catches the body.
    close(&outcome.u_plus, &[3.0, 0.8, 0.0], 1e-14);
    floor.friction = None;
    let problem = ImpactProblem::new(point([1.0, -1.0, 0.0], vec![floor])).unwrap();
    let imposed = Kinematic { tangential_matrix: Some(NumberOrMatrix::Uniform(0.0)), ..Kinematic::default() };
    not_applicable(&problem, &imposed, "do not move");
}

/// F changes the impulses, not the velocities that the law prescribes.
#[test]
fn external_impulse() {
    for (law, prescribed) in [
        (matrix([[0.5]]), vec![1]),
        (Kinematic { tangential_matrix: Some(NumberOrMatrix::Uniform(-0.3)), ..matrix([[0.5]]) }, vec![0, 1]),
    ] {
        let contact = ContactData::new("c", [0.0, 1.0, 0.0]).tangent([1.0, 0.0, 0.0]).tangent([0.0, 0.0, 1.0]);
        let mut data = point([2.0, -1.0, 0.0], vec![contact]);
        let plain = solved(&ImpactProblem::new(data.clone()).unwrap(), &law);
        data.impulse = vec![0.7, -5.0, 0.4];
        let pushed = solved(&ImpactProblem::new(data).unwrap(), &law);
        for &i in &prescribed {
            close(&[pushed.u_plus[i]], &[plain.u_plus[i]], 1e-14);
        }
        close(&[pushed.impulses()[0] - plain.impulses()[0]], &[5.0], 1e-14);
    }
}

/// A joint with friction present equals the same body in coordinates without the joint.
#[test]
fn joint_by_projection() {
    // Blocks 2 and 3 are welded; contact and friction act on 2.
    let contact = |normal: Vec<f64>, tangent: Vec<f64>| {
        ContactData::new("c", normal).tangent(tangent).friction(0.7).restitution(0.4)
    };
    let mut data = point([3.0, -1.0, -1.0], vec![contact(vec![0.5, 1.0, 0.0], vec![1.0, -1.0, 0.0])]);
    data.joints = vec![joint(vec![[0.0, 1.0, -1.0], [0.0, -2.0, 2.0]])];
    data.impulse = vec![0.1, 0.2, 0.3];
    let joined = solved(&ImpactProblem::new(data).unwrap(), &Kinematic::default());
    let mut data = ProblemData::new(Mass::diagonal(vec![1.0, 5.0]).unwrap(), [3.0, -1.0])
        .with_contact(contact(vec![0.5, 1.0], vec![1.0, -1.0]));
    data.impulse = vec![0.1, 0.5];
    let free = solved(&ImpactProblem::new(data).unwrap(), &Kinematic::default());
    close(&joined.u_plus, &[free.u_plus[0], free.u_plus[1], free.u_plus[1]], 1e-14);
    close(&joined.impulses()[..2], free.impulses(), 1e-14);
}

#[test]
fn forms_have_names() {
    let mut law = LawSpec::Kinematic(Kinematic::default());
    for form in Form::ALL {
        law.set("form", Value::Word(form.as_str().into())).unwrap();
        assert!(matches!(&law, LawSpec::Kinematic(law) if law.form == Some(*form)));
    }
    assert!(law.set("form", Value::Word("rocking".into())).is_err());
}

/// Contacts that separate before the impact are told; those of a body at rest do not.
#[test]
fn only_what_separates_is_warned_of() {
    let warnings = |velocity: [f64; 3]| {
        let contact = ContactData::new("c", [0.0, 1.0, 0.0]);
        let other = ContactData::new("d", [1.0, 0.0, 0.0]);
        let outcome =
            solved(&ImpactProblem::new(point(velocity, vec![contact, other])).unwrap(), &Kinematic::default());
        outcome.answer.warnings
    };
    assert!(warnings([0.0; 3]).is_empty());
    assert!(warnings([-1.0, 0.0, 0.0]).is_empty());
    let told = warnings([-1.0, 0.5, 0.0]);
    assert!(told.len() == 1 && told[0].contains("contact c separates"), "{told:?}");
}
