//! Shapes of problem files that mean the same, batches, and laws in files.

use std::path::Path;

use delassus::{Friction, LawSpec};
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
        let names: Vec<_> = document.entries.iter().map(|e| (e.problem.name(), e.path.as_str())).collect();
        assert_eq!(names, [("a", "problem[0]"), ("b", "problem[1]"), ("c", "problem[2]")]);
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
fn a_tangent_may_lack_friction_under_kinematic_only() {
    let text = "mass = [1, 1]\nvelocity = [0, -1]\n[[contact]]\nname = 'C'\nnormal = [0, 1]\ntangent = [1, 0]\n";
    let with =
        |law: &str, kinematic| read_problems(&format!("{text}{law}"), "", Format::Toml, &ReadOptions { kinematic });
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
