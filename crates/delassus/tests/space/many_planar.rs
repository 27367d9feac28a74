//! Planar bodies so many that contacts of pairs are made as they come near, instead of being listed.

use super::{go, scenario};
use delassus::LawSpec;
use delassus::simulate::{Control, Trajectory, simulate};

const SIDE: usize = 12;
const MATERIALS: &str =
    "[[material]]\nfriction = 0.3\nrestitution = 0.2\n[[material]]\nbetween = ['b0', 'b1']\nfriction = 0.1\n";
/// A material that names a contact needs the list. This one is that of its pair.
const NAMED: &str = "[[material]]\ncontact = 'b1-b2'\nfriction = 0.3\nrestitution = 0.2\n";

/// Disks and squares in rows on a ground between two walls, just above each other.
fn text(materials: &str) -> String {
    let mut text = String::from(
        "[integrator]\nscheme = 'time-stepping'\nstep = 2e-3\n[until]\ntime = 0.12\nrest = false\n\
         [[ground]]\nname = 'ground'\n[[wall]]\nname = 'left'\npoint = [-0.1, 0.0]\nnormal = [1.0, 0.0]\n\
         [[wall]]\nname = 'right'\npoint = [2.45, 0.0]\nnormal = [-1.0, 0.0]\n",
    );
    for k in 0..SIDE * SIDE {
        let (column, row) = (k % SIDE, k / SIDE);
        let shape = match (column + row) % 3 {
            0 => "shape.box = { width = 0.18, height = 0.18 }",
            _ => "shape.disk.radius = 0.1",
        };
        let place = [0.21 * column as f64 + 0.02 * (row % 2) as f64, 0.101 + 0.205 * row as f64];
        text += &format!("[[body]]\nname = 'b{k}'\n{shape}\nmass = 1.0\nposition = {place:?}\n");
    }
    text + materials
}

#[test]
fn contacts_made_on_demand_are_those_of_the_list() {
    let [unlisted, listed] =
        [String::from(MATERIALS), format!("{MATERIALS}{NAMED}")].map(|materials| go(&scenario(&text(&materials))));
    let told = |run: &Trajectory| run.log.iter().any(|remark| remark.text.contains("so many pairs"));
    assert!(told(&unlisted) && !told(&listed));
    assert!(unlisted.contact_names.len() < listed.contact_names.len());
    assert!(unlisted.stats.selections > 0 && unlisted.last().q != unlisted.samples[0].q);
    assert_eq!(unlisted.last().q, listed.last().q);
    assert_eq!(unlisted.last().u, listed.last().u);
}

#[test]
fn contacts_made_on_demand_have_the_names_of_the_list() {
    // The second body is moved into the first.
    let sunk = |materials: &str| {
        let text = text(materials).replacen("position = [0.21, 0.101]", "position = [0.15, 0.101]", 1);
        let built = scenario(&text).build().unwrap();
        let law = LawSpec::by_name("newton").unwrap();
        simulate(&built.system, &built.q, &built.u, &law, &built.settings, &built.until, &mut |_| Control::Continue)
            .unwrap_err()
            .to_string()
    };
    let (unlisted, listed) = (sunk(MATERIALS), sunk(&format!("{MATERIALS}{NAMED}")));
    assert!(unlisted.contains("contact b1-b0"), "{unlisted}");
    assert_eq!(unlisted, listed);
}
