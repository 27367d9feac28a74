//! One colour for each state in all figures.
//!
//! Names that can meet in one figure have colours that differ in lightness or between blue and yellow, which readers
//! who confuse red and green tell apart, and most of them in grey print too. Names of nearly the same thing share one.

use delassus_figure::{Category, Color, category_color};

/// Contacts from yellow over green to blue; motions that go well in light blue, that overturn in orange, that were not
/// found in violet; what a law does wrong from salmon to red.
const TABLE: [(u32, &[&str]); 20] = [
    (0xfff9c9, &["forward slip"]),
    (0xb2e1b6, &["stick"]),
    (0x5bbcc1, &["backward slip"]),
    (0x2486bb, &["slip"]),
    (0x24569f, &["closed"]),
    (0x071848, &["open"]),
    (0xbcd7f0, &["stands", "completed", "consistent", "admissible", "solved"]),
    (0x86b1da, &["at-rest"]),
    (0xf5a25d, &["overturned without impact"]),
    (0xe6710f, &["overturned"]),
    (0xa63603, &["overturned after impact"]),
    (0x9e9e9e, &["inaccurate"]),
    (0xf4a582, &["gains energy", "energy grows"]),
    (0xd6604d, &["pulls", "a corner pulls"]),
    (0x8c7eba, &["max-events", "max-iterations"]),
    (0x7059a7, &["time-limit"]),
    (0x5e3a99, &["stalled", "not finished", "not solved"]),
    (0x471282, &["no-answer", "no solution", "no-solution", "impact not solved"]),
    (0x2d004b, &["penetration", "penetrates"]),
    (0x4d4d00, &["unbalanced"]),
];
/// Where nothing was found that could be wrong.
const BLANK: [&str; 5] = ["undefined", "law not applicable", "not-applicable", "not computed", "interrupted"];

/// The colour of a state; `None` for names that are known to one figure alone.
fn color(name: &str) -> Option<Color> {
    if BLANK.contains(&name) {
        return Some(Color::PALE);
    }
    let found = TABLE.iter().find(|(_, names)| names.contains(&name));
    found.map(|(rgb, _)| Color::hex(*rgb))
}

/// The kinds of cells of a map by their names; names that only this map knows go from light to dark in their order.
pub fn categories<S: AsRef<str>>(names: &[S]) -> Vec<Category> {
    let others = names.iter().filter(|name| color(name.as_ref()).is_none()).count();
    let mut ramp = (0..others).map(|k| category_color(k, others));
    let category = |name: &str| Category { color: color(name).or_else(|| ramp.next()), ..Category::new(name) };
    names.iter().map(AsRef::as_ref).map(category).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::STATES;
    use crate::motion::{ENDS, OVERTURNINGS};
    use crate::verdict::{MOTION_VERDICTS, VERDICTS};

    fn fill(names: &[&str], k: usize) -> Color {
        categories(names)[k].color.unwrap()
    }

    #[test]
    fn a_state_has_its_colour_whatever_else_there_is() {
        assert_eq!(fill(&["stick", "forward slip"], 0), fill(&["forward slip", "open", "stick"], 2));
        assert_eq!(fill(&["undefined", "stands"], 0), Color::PALE);
    }

    #[test]
    fn other_names_share_the_ramp_among_themselves() {
        let names = ["A open, B stick", "undefined", "A stick, B stick", "no solution"];
        assert_eq!([fill(&names, 0), fill(&names, 2)], [0, 1].map(|k| category_color(k, 2)));
    }

    #[test]
    fn names_that_meet_in_a_figure_are_told_apart_also_without_red_and_green() {
        let blue = |c: Color| (f64::from(c.b) - 0.5 * (f64::from(c.r) + f64::from(c.g))) / 255.0;
        let families: [&[&str]; 6] =
            [&STATES, &ENDS, &OVERTURNINGS, &["stands", "overturned"], &VERDICTS, &MOTION_VERDICTS];
        for family in families {
            let names: Vec<&str> =
                family.iter().copied().chain(["undefined"]).filter(|n| *n != "interrupted").collect();
            for (i, first) in names.iter().enumerate() {
                for second in &names[..i] {
                    let [a, b] = [first, second].map(|name| color(name).expect(name));
                    let (lightness, hue) = ((a.lightness() - b.lightness()).abs(), (blue(a) - blue(b)).abs());
                    assert!(lightness > 0.08 || hue > 0.19, "{first} and {second}: {lightness:.3}, {hue:.3}");
                }
            }
        }
    }
}
