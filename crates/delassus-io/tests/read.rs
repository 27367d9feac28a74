//! Shapes of problem files that mean the same, batches, and laws in files.

use std::path::Path;

use delassus::law::{Form, Lzb, NumberOrMatrix, Order, Sequential, Stronge};
use delassus::{Friction, LawSpec, Method};
use delassus_io::{Document, Format, ReadOptions, read_problems};

fn read(text: &str) -> Document {
    let format = Format::detect(Path::new("-"), text);
    read_problems(text, "", format, &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Velocity, γ⁻ and G tell whether two problems are the same.
fn same(a: &str, b: &str) {
    let (a, b) = (read(a), read(b));
    let (a, b) = (&a.entries[0].problem, &b.entries[0].problem);
    assert_eq!(a.u_minus(), b.u_minus());
    assert_eq!(a.gamma_minus(), b.gamma_minus());
    assert_eq!(a.mass().to_dense(), b.mass().to_dense());
    assert_eq!(a.contacts(), b.contacts());
    let (mut g, mut h) = (Vec::new(), Vec::new());
    a.operator().write_dense(&mut g);
    b.operator().write_dense(&mut h);
    assert_eq!(g, h);
}

const PLAIN: &str = r#"
mass = [[1.0, 0.0], [0.0, 2.0]]
velocity = [1.0, 0.0]
[[contact]]
name = "C"
normal = [-1.0, 1.0]
"#;

#[test]
fn shapes_that_mean_the_same() {
    for other in [
        // A diagonal mass as a flat list, a sparse direction, integers, JSON.
        "mass = [1, 2]\nvelocity = [1, 0]\n[[contact]]\nname = 'C'\nnormal = [-1, 1]",
        "mass = [1.0, 2.0]\nvelocity = [1.0, 0.0]\n[[contact]]\nname = 'C'\nnormal = { '0' = -1.0, '1' = 1.0 }",
        r#"{"mass": [1, 2], "velocity": [1, 0], "contact": [{"name": "C", "normal": [-1, 1]}]}"#,
        r#"{"contact": [{"normal": {"1": 1, "0": -1}, "name": "C"}], "velocity": [1, 0], "mass": [[1, 0], [0, 2]]}"#,
        // null is no value.
        r#"{"name": null, "mass": [1, 2], "velocity": [1, 0], "impulse": null, "clutch": null, "joint": null,
            "law": null, "contact": [{"name": "C", "normal": [-1, 1], "tangent": null, "friction": null,
            "friction_static": null, "restitution": null, "restitution_tangential": null, "stiffness": null,
            "offset": null}]}"#,
        // A byte order mark.
        "\u{feff}{\"mass\": [1, 2], \"velocity\": [1, 0], \"contact\": [{\"name\": \"C\", \"normal\": [-1, 1]}]}",
    ] {
        same(PLAIN, other);
    }
}

#[test]
fn friction_and_tangents() {
    let contact = |rest: &str| {
        let text =
            format!("mass = [1, 1, 1]\nvelocity = [0, -1, 0]\n[[contact]]\nname = 'C'\nnormal = [0, 1, 0]\n{rest}");
        read(&text).entries.remove(0).problem
    };
    for one in ["tangent = [1, 0, 0]", "tangent = [[1, 0, 0]]", "tangent = { '0' = 1.0 }", "tangent = [{ '0' = 1.0 }]"]
    {
        let problem = contact(&format!("{one}\nfriction = 0.5"));
        assert_eq!(problem.rows(), 2);
        assert_eq!(problem.contacts()[0].friction, Some(Friction::Isotropic(0.5)));
    }
    for two in ["[[1, 0, 0], [0, 0, 1]]", "[{ '0' = 1.0 }, [0, 0, 1]]", "[[1, 0, 0], { '2' = 1.0 }]"] {
        let problem = contact(&format!("tangent = {two}\nfriction = [0.5, 0.25]\noffset = [0, 1, 2]"));
        assert_eq!(problem.rows(), 3);
        assert_eq!(problem.contacts()[0].friction, Some(Friction::Orthotropic([0.5, 0.25])));
        assert_eq!(problem.offset(), [0.0, 1.0, 2.0]);
        assert!(problem.is_spatial());
    }
}

#[test]
fn batches_keep_their_order() {
    let ball = |name: &str| {
        format!(r#"{{"name": "{name}", "mass": [1], "velocity": [-1], "contact": [{{"name": "C", "normal": [1]}}]}}"#)
    };
    let array = format!("[{}, {}, {}]", ball("a"), ball("b"), ball("c"));
    let object = format!("{{\"problem\": {array}}}");
    let toml_ball = |name| {
        format!(
            "[[problem]]\nname = '{name}'\nmass = [1]\nvelocity = [-1]\n[[problem.contact]]\nname = 'C'\nnormal = [1]\n"
        )
    };
    let toml = ["a", "b", "c"].map(toml_ball).concat();
    for text in [array, object, toml] {
        let document = read(&text);
        assert!(document.batch);
        let names: Vec<_> = document.entries.iter().map(|e| (e.problem.name(), e.path())).collect();
        assert_eq!(
            names,
            ["a", "b", "c"].iter().enumerate().map(|(i, n)| (*n, format!("problem[{i}]"))).collect::<Vec<_>>()
        );
    }
    // A batch of one is still a batch.
    assert!(read(&format!("[{}]", ball("a"))).batch);
}

#[test]
fn laws_of_file_and_problem() {
    let problem = "[[problem]]\nmass = [1]\nvelocity = [-1]\n[[problem.contact]]\nname = 'C'\nnormal = [1]\n";
    let text = format!("law = 'newton'\n{problem}{problem}[problem.law]\nname = 'moreau'\nrestitution = 0.25\n");
    let document = read(&text);
    assert_eq!(document.entries[0].law.as_ref().map(LawSpec::name), Some("newton"));
    let Some(LawSpec::Moreau(law)) = &document.entries[1].law else { panic!() };
    assert_eq!(law.restitution, Some(0.25));
}

#[test]
fn limits_of_file_and_problem() {
    let problem = "[[problem]]\nmass = [1]\nvelocity = [-1]\n[[problem.contact]]\nname = 'C'\nnormal = [1]\n";
    let text =
        format!("[solver]\niterations = 7\ntime_limit = 2\n{problem}{problem}[problem.solver]\niterations = 9\n");
    let limits: Vec<_> = read(&text).entries.iter().map(|e| (e.solver.iterations, e.solver.time_limit)).collect();
    assert_eq!(limits, [(Some(7), Some(2.0)), (Some(9), Some(2.0))]);
}

#[test]
fn method_and_tolerance_of_file_and_problem() {
    let problem = "[[problem]]\nmass = [1]\nvelocity = [-1]\n[[problem.contact]]\nname = 'C'\nnormal = [1]\n";
    let text = |own: &str| {
        format!("[solver]\nmethod = 'proximal'\ntolerance = 1e-6\n{problem}{problem}[problem.solver]\n{own}\n")
    };
    let document = read(&text("tolerance = 1e-7"));
    let wishes: Vec<_> = document.entries.iter().map(|e| (e.solver.method, e.solver.tolerance)).collect();
    assert_eq!(wishes, [(Some(Method::Proximal), Some(1e-6)), (Some(Method::Proximal), Some(1e-7))]);
    for (own, named) in [
        ("method = 'lemke'", ["problem[1].solver.method", "gauss-seidel"]),
        ("tolerance = 0.1", ["problem[1].solver.tolerance", "between 1e-12 and 1e-2"]),
    ] {
        let error = read_problems(&text(own), "", Format::Toml, &ReadOptions::default()).unwrap_err().to_string();
        assert!(named.iter().all(|word| error.contains(word)), "{error}");
    }
}

#[test]
fn a_tangent_may_lack_friction_under_kinematic_only() {
    let text = "mass = [1, 1]\nvelocity = [0, -1]\n[[contact]]\nname = 'C'\nnormal = [0, 1]\ntangent = [1, 0]\n";
    let with = |law: &str, without_friction| {
        let options = ReadOptions { without_friction, ..ReadOptions::default() };
        read_problems(&format!("{text}{law}"), "", Format::Toml, &options)
    };
    assert!(with("", false).unwrap_err().to_string().starts_with("contact[0].friction: is missing"));
    assert!(with("[law]\nname = 'newton'", false).is_err());
    let entry = with("[law]\nname = 'kinematic'", false).unwrap().entries.remove(0);
    assert_eq!(entry.problem.contacts()[0].friction, None);
    assert!(with("", true).is_ok());
}

#[test]
fn formats_are_told_apart() {
    let detect = |name: &str, text: &str| Format::detect(Path::new(name), text);
    assert_eq!(detect("a.toml", "{"), Format::Toml);
    assert_eq!(detect("a.json", "x"), Format::Json);
    assert_eq!(detect("-", " \n{ }"), Format::Json);
    assert_eq!(detect("-", "[ {"), Format::Json);
    assert_eq!(detect("-", "[]"), Format::Json);
    assert_eq!(detect("-", "[[problem]]"), Format::Toml);
    assert_eq!(detect("-", "[law]"), Format::Toml);
    assert_eq!(detect("-", "name = 'x'"), Format::Toml);
}

#[test]
fn every_law_gets_its_data() {
    let law = |table: &str| {
        let text = format!("mass = [1]\nvelocity = [-1]\nlaw = {table}\n[[contact]]\nname = 'C'\nnormal = [1]\n");
        read(&text).entries.remove(0).law.unwrap()
    };
    for name in LawSpec::all().iter().map(LawSpec::name) {
        assert_eq!(Some(law(&format!("{{ name = '{name}' }}"))), LawSpec::by_name(name));
        assert_eq!(Some(law(&format!("'{name}'"))), LawSpec::by_name(name));
    }
    let LawSpec::Kinematic(matrices) = law(
        "{ name = 'kinematic', restitution_matrix = [[0.5, 0], [0, 1]], tangential_matrix = [[1.0]], tangential_basis = [[1, 0]] }",
    ) else {
        panic!()
    };
    assert_eq!(matrices.restitution_matrix, Some(vec![vec![0.5, 0.0], vec![0.0, 1.0]]));
    assert_eq!(matrices.tangential_matrix, Some(NumberOrMatrix::Full(vec![vec![1.0]])));
    assert_eq!(matrices.tangential_basis, Some(vec![vec![1.0, 0.0]]));
    let LawSpec::Kinematic(uniform) = law("{ name = 'kinematic', tangential_matrix = -1 }") else { panic!() };
    assert_eq!(uniform.tangential_matrix, Some(NumberOrMatrix::Uniform(-1.0)));
    let LawSpec::Kinematic(form) = law("{ name = 'kinematic', form = 'half-rocking', restitution = 0.5 }") else {
        panic!()
    };
    assert_eq!((form.form, form.restitution), (Some(Form::HalfRocking), Some(0.5)));
    let table = "{ name = 'lzb', exponent = 1, keep_gaps = true, tolerance = 1e-8, max_steps = 1000 }";
    let expected = Lzb { exponent: 1.0, keep_gaps: true, tolerance: 1e-8, max_steps: Some(1000) };
    assert_eq!(law(table), LawSpec::Lzb(expected));
    assert_eq!(law("{ name = 'stronge', stiffness_ratio = 2 }"), LawSpec::Stronge(Stronge { stiffness_ratio: 2.0 }));
    assert_eq!(
        law("{ name = 'sequential', order = 'listed' }"),
        LawSpec::Sequential(Sequential { order: Order::Listed })
    );
}

#[test]
fn short_forms_read_as_the_problems_they_stand_for() {
    // s = 2, m = 3: the uniform rod's moment of inertia is ms²/3 = 4.
    same(
        "[rod_impact]\nmass = 3\nhalf_length = 2\nangle = 0\nfriction = 0.5\nrestitution = 0.4\n\
         normal_velocity = -2\nvelocity_ratio = 0.5",
        "mass = [3, 3, 4]\nvelocity = [-1, -2, 0]\n[[contact]]\nname = 'tip'\nnormal = [0, 1, -2]\n\
         tangent = [1, 0, -0.0]\nfriction = 0.5\nrestitution = 0.4",
    );
    same(
        r#"{"name": "block", "block_impact": {"mass": 12, "width": 2, "height": 4, "rate": -1, "friction": 0.5,
            "restitution": 0.25}}"#,
        "mass = [12, 12, 20]\nvelocity = [2, -1, -1]\n\
         [[contact]]\nname = 'A'\nnormal = [0, 1, -1]\ntangent = [1, 0, 2]\nfriction = 0.5\nfriction_static = 0.5\n\
         restitution = 0.25\n[[contact]]\nname = 'B'\nnormal = [0, 1, 1]\ntangent = [1, 0, 2]\nfriction = 0.5\n\
         friction_static = 0.5\nrestitution = 0.25",
    );
    let named = read("name = 'rod'\nlaw = 'poisson'\n[rod_impact]\nangle = 1\nfriction = 0.5");
    assert_eq!(named.entries[0].problem.name(), "rod");
    assert_eq!(named.entries[0].law.as_ref().map(LawSpec::name), Some("poisson"));
    // Height may be given by the aspect.
    let block = |height: &str| format!("[block_impact]\nwidth = 0.5\n{height}\nfriction = 0.5");
    same(&block("height = 1"), &block("aspect = 2"));
    assert_eq!(read(r#"[{"rod_impact": {"angle": 1, "friction": 0}}]"#).entries.len(), 1);
}
