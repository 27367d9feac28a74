//! The modules of the library use each other as the table in ARCHITECTURE.md says, and in no cycle.

#[path = "common/sources.rs"]
mod sources;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The module of each public name that lib.rs lifts to the root, and all modules.
fn root(lib: &str) -> (BTreeMap<String, String>, BTreeSet<String>) {
    let (mut lifted, mut modules) = (BTreeMap::new(), BTreeSet::new());
    for line in lib.lines() {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        if let Some(name) = line.strip_prefix("mod ").and_then(|l| l.strip_suffix(';')) {
            modules.insert(name.to_owned());
        }
    }
    for statement in lib.split("pub use ").skip(1) {
        let statement = statement.split(';').next().unwrap();
        let (module, names) = statement.split_once("::").unwrap();
        for name in words(names) {
            lifted.insert(name, module.to_owned());
        }
    }
    (lifted, modules)
}

fn words(text: &str) -> Vec<String> {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !letter(c)).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// The code of a file without comments and without its tests.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// The names that follow `crate::`, one or several in braces.
fn after_crate(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            // Of each part in braces the first word: `crate::{a::{b, c}, d}`.
            Some(inner) => {
                let (mut depth, mut part) = (0, String::new());
                for c in inner.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => names.extend(words(&std::mem::take(&mut part)).first().cloned()),
                        _ => {}
                    }
                    if depth == 0 && c != ',' {
                        part.push(c);
                    }
                }
                names.extend(words(&part).first().cloned());
            }
            None => names
                .extend(words(&rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())])),
        }
    }
    names
}

/// Which module uses which, by `crate::` paths.
fn arrows(source: &Path) -> (Arrows, BTreeSet<String>) {
    let (lifted, modules) = root(&fs::read_to_string(source.join("lib.rs")).unwrap());
    let mut arrows = Arrows::new();
    sources::walk(source, &mut |path| {
        let place = path.strip_prefix(source).unwrap();
        if place == Path::new("lib.rs") || path.ends_with("tests.rs") {
            return;
        }
        let first = place.components().next().unwrap().as_os_str().to_string_lossy();
        let module = first.trim_end_matches(".rs").to_owned();
        for name in after_crate(&code(&fs::read_to_string(path).unwrap())) {
            let target = if modules.contains(&name) {
                &name
            } else {
                lifted.get(&name).unwrap_or_else(|| panic!("{name} in {}", place.display()))
            };
            if *target != module {
                arrows.entry(module.clone()).or_default().insert(target.clone());
            }
        }
    });
    (arrows, modules)
}

/// The table of modules: the words in backticks of its third column.
fn table(text: &str) -> Arrows {
    let text = text.split("## The library").nth(1).expect("a section on the library");
    let rows = text.lines().skip_while(|l| !l.starts_with('|')).take_while(|l| l.starts_with('|')).skip(2);
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let module = quoted(cells[0]).remove(0);
        (module, quoted(cells[2]).into_iter().collect())
    })
    .collect()
}

/// A module that uses itself through others.
fn cycle(arrows: &Arrows) -> Option<Vec<String>> {
    let mut rest = arrows.clone();
    loop {
        // What uses nothing that is left is in no cycle.
        let done: Vec<String> =
            rest.iter().filter(|(_, to)| !to.iter().any(|t| rest.contains_key(t))).map(|(m, _)| m.clone()).collect();
        if done.is_empty() {
            return (!rest.is_empty()).then(|| rest.into_keys().collect());
        }
        done.iter().for_each(|module| drop(rest.remove(module)));
    }
}

#[test]
fn modules_are_as_the_table_says() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (arrows, modules) = arrows(&library.join("src"));
    let table = table(&fs::read_to_string(library.join("../../ARCHITECTURE.md")).unwrap());
    assert!(arrows.len() > 10, "only {} modules use others: are paths still written with crate::?", arrows.len());
    assert_eq!(table.keys().collect::<Vec<_>>(), modules.iter().collect::<Vec<_>>(), "one row per module");
    for module in &modules {
        let used = arrows.get(module).cloned().unwrap_or_default();
        assert_eq!(used, table[module], "what `{module}` uses (left) and what the table says (right)");
    }
    assert_eq!(cycle(&arrows), None, "these modules use each other in a cycle");
}

/// Functions of the standard library that are the platform's: they differ in the last digit between machines, and
/// between a program and a page in a browser. `elementary` has them with the same bits everywhere.
const OF_PLATFORMS: [&str; 24] = [
    "sin", "cos", "sin_cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "exp_m1",
    "ln", "ln_1p", "log", "log2", "log10", "powf", "cbrt", "hypot", "asinh", "acosh",
];

#[test]
fn elementary_functions_have_the_same_bits_everywhere() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    sources::walk(&source, &mut |path| {
        if path.ends_with("tests.rs") || path.ends_with("elementary.rs") {
            return;
        }
        let code = code(&fs::read_to_string(path).unwrap());
        let called = OF_PLATFORMS.iter().filter(|name| code.contains(&format!(".{name}(")));
        found.extend(called.map(|name| format!("{}: .{name}()", path.strip_prefix(&source).unwrap().display())));
    });
    assert_eq!(found, Vec::<String>::new(), "take these from `crate::elementary::Elementary`");
}

/// The test itself finds what it looks for.
#[test]
fn paths_and_cycles_are_found() {
    let text = "use crate::{a::{b, c}, d};\n// crate::x\nfn f() { crate::e::g(crate::H); }\n#[cfg(test)]\nmod tests {\nuse crate::t;";
    assert_eq!(after_crate(&code(text)), ["a", "d", "e", "H"]);
    let arrows = |list: &[(&str, &str)]| {
        let mut arrows = Arrows::new();
        for (a, b) in list {
            arrows.entry((*a).into()).or_default().insert((*b).into());
        }
        arrows
    };
    assert_eq!(cycle(&arrows(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    assert_eq!(cycle(&arrows(&[("a", "b"), ("b", "c"), ("c", "b")])).unwrap(), ["a", "b", "c"]);
}
