//! One colour for each state and each law in all figures.
//!
//! Names that can meet in one figure have colours that differ in lightness or between blue and yellow, which readers
//! who confuse red and green tell apart, and most of them in grey print too. Names of nearly the same thing share one.

use delassus::{LawSpec, Theorem};
use delassus_figure::{Category, Color, category_color};

use crate::measure::{REVERSALS, STATES};

/// Contacts from yellow over green to blue, and so what becomes of their sliding; motions that go well in light blue, that overturn in orange, that were not
/// found in violet; what a law does wrong from salmon to red.
const TABLE: [(u32, &[&str]); 20] = [
    (0xfff9c9, &["forward slip", "kept", "zero", "2 solutions", "2 solutions found"]),
    (0xb2e1b6, &["stick", "no sliding"]),
    (0x5bbcc1, &["backward slip", "reversed"]),
    (0x2486bb, &["slip", "stopped", "negative"]),
    (0x24569f, &["closed", "set in motion", "3 solutions", "3 solutions found"]),
    (0x071848, &["open"]),
    (
        0xbcd7f0,
        &[
            "stands",
            "completed",
            "consistent",
            "admissible",
            "solved",
            "holds",
            "loses or keeps energy",
            "the laws agree",
            "1 solution",
        ],
    ),
    (0x86b1da, &["at-rest", "1 solution found"]),
    (0xf5a25d, &["overturned without impact"]),
    (0xe6710f, &["overturned", "positive", "the laws differ"]),
    (0xa63603, &["overturned after impact"]),
    (0x9e9e9e, &["inaccurate"]),
    (0xf4a582, &["gains energy", "energy grows"]),
    (0xd6604d, &["pulls", "a corner pulls", "violated"]),
    (0x8c7eba, &["max-events", "max-iterations"]),
    (0x7059a7, &["time-limit"]),
    (0x5e3a99, &["stalled", "not finished", "not solved"]),
    (0x471282, &["no-answer", "no solution", "no-solution", "impact not solved"]),
    (0x2d004b, &["penetration", "penetrates"]),
    (0x4d4d00, &["unbalanced"]),
];
/// Where nothing was found that could be wrong.
const BLANK: [&str; 5] = ["undefined", "law not applicable", "not-applicable", "not computed", "interrupted"];

/// The number of a law, by which figures give it colour, dash and marker: its place among all laws, so that it is the same
/// whichever laws are shown. Laws that are not the library's come after those.
pub fn law_number(name: &str) -> usize {
    let all = LawSpec::all();
    all.iter().position(|law| law.name() == name).unwrap_or(all.len())
}

/// The colour of a state; `None` for names that are known to one figure alone.
fn color(name: &str) -> Option<Color> {
    if BLANK.contains(&name) {
        return Some(Color::PALE);
    }
    let found = TABLE.iter().find(|(_, names)| names.contains(&name));
    let elements = || [&STATES[..], &REVERSALS].into_iter().find_map(|words| combined(name, words));
    found
        .map(|(rgb, _)| Color::hex(*rgb))
        .or_else(|| elements().map(|words| of_elements(&words)))
        .or_else(|| numbered(name).map(scattered))
}

/// The number of a name that is one of many alike: several solutions, a theorem.
fn numbered(name: &str) -> Option<usize> {
    let solutions = name.strip_suffix(" solutions").or_else(|| name.strip_suffix(" solutions found"));
    let theorem = || Theorem::ALL.into_iter().position(|theorem| theorem.as_str() == name);
    solutions.and_then(|count| count.parse().ok()).or_else(theorem)
}

/// Which of the words are combined in a name such as `A stick, B open`. Names of elements that hold commas are not
/// understood.
fn combined(name: &str, words: &[&str]) -> Option<Vec<usize>> {
    let word = |part: &str| {
        // Where two fit, the longer comes first: "backward slip" before "slip".
        words.iter().position(|word| part.strip_suffix(word).is_some_and(|element| element.ends_with(' ')))
    };
    name.split(", ").map(word).collect()
}

/// The colour of a combination: of two, the hue tells the first and the lightness the second; of more, by their number.
fn of_elements(words: &[usize]) -> Color {
    // In the order of `STATES`: open, closed, stick, forward slip, backward slip, slip.
    const HUES: [[f64; 2]; 6] = [[0.35, -1.0], [0.0, 0.0], [-0.45, 1.0], [-1.0, -0.3], [0.7, 0.6], [1.0, -0.2]];
    const LIGHT: [f64; 6] = [0.27, 0.6, 0.7, 0.82, 0.5, 0.4];
    match *words {
        [first, second] => hued(LIGHT[second], HUES[first]),
        _ => scattered(words.iter().rev().fold(0, |number: usize, word| number.wrapping_mul(6).wrapping_add(*word))),
    }
}

/// Colours of numbers: points that fill a cube evenly however many are taken (multiples of the powers of 1/ρ with
/// ρ⁴ = ρ + 1), its directions those of [`hued`].
fn scattered(number: usize) -> Color {
    const STEP: f64 = 0.819_172_513_396_164_4;
    let [light, blue, green] = [1, 2, 3].map(|power| (0.5 + STEP.powi(power) * number as f64).fract());
    hued(0.2 + 0.72 * light, [blue, green].map(|hue| 2.0 * hue - 1.0))
}

/// The colour of a lightness between yellow and blue (−1 to 1) and between red and green, which changes neither of the
/// others.
fn hued(light: f64, [blue, green]: [f64; 2]) -> Color {
    // Very light and very dark colours cannot be vivid.
    let vivid = light.min(1.0 - light).min(0.35);
    let (blue, green) = (0.9 * vivid * blue, 0.35 * vivid * green);
    let byte = |value: f64| (255.0 * value).round() as u8;
    Color {
        r: byte(light - blue - 1.81 * green),
        g: byte(light + 0.2 * blue + green),
        b: byte(light + 1.3 * blue - 0.4 * green),
    }
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
    use crate::measure::{ENERGIES, SIGNS};
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
    fn a_law_has_its_number_whichever_others_are_shown() {
        let numbers: Vec<usize> = LawSpec::all().iter().map(|law| law_number(law.name())).collect();
        assert_eq!(numbers, (0..numbers.len()).collect::<Vec<_>>());
        assert_eq!(law_number("my own"), numbers.len());
    }

    #[test]
    fn names_of_one_figure_share_the_ramp_among_themselves() {
        let names = ["red wine", "undefined", "white wine", "no solution"];
        assert_eq!([fill(&names, 0), fill(&names, 2)], [0, 1].map(|k| category_color(k, 2)));
    }

    #[test]
    fn states_of_several_contacts_have_their_colours_in_all_figures() {
        let both = ["A open, B stick", "A stick, B open", "A stick, B stick"];
        assert_eq!(fill(&both, 1), fill(&["left stick, right open"], 0));
        assert_ne!(fill(&both, 0), fill(&both, 1));
        // Which slip it is counts, and names of contacts may hold words of states.
        assert_eq!(combined("A slip, B open", &STATES), Some(vec![5, 0]));
        assert_eq!(combined("A backward slip, stick forward slip", &STATES), Some(vec![4, 3]));
        assert_eq!(combined("A, B stick", &STATES), None);
        assert_eq!(numbered("5 solutions found"), Some(5));
    }

    fn yellow_to_blue(c: Color) -> f64 {
        (f64::from(c.b) - 0.5 * (f64::from(c.r) + f64::from(c.g))) / 255.0
    }

    #[test]
    fn states_of_two_contacts_are_told_apart_also_without_red_and_green() {
        // Contacts of one problem are all in the plane or all in space.
        let [plane, space]: [&[&str]; 2] = [&STATES[..5], &["open", "closed", "stick", "slip"]];
        for states in [plane, space, &REVERSALS] {
            let both = |a: &&str| states.iter().map(|b| format!("A {a}, B {b}")).collect::<Vec<_>>();
            let names: Vec<String> = states.iter().flat_map(both).collect();
            for (i, first) in names.iter().enumerate() {
                for second in &names[..i] {
                    let [a, b] = [first, second].map(|name| color(name).expect(name));
                    let apart = (a.lightness() - b.lightness()).hypot(yellow_to_blue(a) - yellow_to_blue(b));
                    assert!(apart > 0.08, "{first} and {second}: {apart:.3}");
                }
            }
        }
    }

    #[test]
    fn names_that_meet_in_a_figure_are_told_apart_also_without_red_and_green() {
        let families: [&[&str]; 12] = [
            &STATES,
            &REVERSALS,
            &SIGNS,
            &ENERGIES,
            &ENDS,
            &OVERTURNINGS,
            &["stands", "overturned"],
            &["holds", "violated"],
            &["the laws agree", "the laws differ"],
            &["no solution", "1 solution", "1 solution found", "2 solutions", "3 solutions"],
            &VERDICTS,
            &MOTION_VERDICTS,
        ];
        for family in families {
            let names: Vec<&str> =
                family.iter().copied().chain(["undefined"]).filter(|n| *n != "interrupted").collect();
            for (i, first) in names.iter().enumerate() {
                for second in &names[..i] {
                    let [a, b] = [first, second].map(|name| color(name).expect(name));
                    let (lightness, hue) =
                        ((a.lightness() - b.lightness()).abs(), (yellow_to_blue(a) - yellow_to_blue(b)).abs());
                    assert!(lightness > 0.08 || hue > 0.19, "{first} and {second}: {lightness:.3}, {hue:.3}");
                }
            }
        }
    }
}
