//! The frame of a page that stands alone: style and script within, nothing loaded from elsewhere.

use delassus_figure::{Figure, escape, places, to_svg};
use serde_json::json;

/// The style of all pages.
pub const STYLE: &str = include_str!("assets/page.css");

/// The player of scenes: modules without other dependencies than each other, in the order in which they use what came
/// before. The laboratory has the same files.
pub const PLAYER: [(&str, &str); 4] = [
    ("stage.js", include_str!("assets/stage.js")),
    ("plane.js", include_str!("assets/plane.js")),
    ("space.js", include_str!("assets/space.js")),
    ("player.js", include_str!("assets/player.js")),
];

const BOOT: &str = include_str!("assets/boot.js");

/// A page of one `body` with players where it has any.
pub(crate) fn document(title: &str, lede: &str, body: &str) -> String {
    let title = escape(title);
    let lede = if lede.is_empty() { String::new() } else { format!("<p class=\"lede\">{}</p>\n", escape(lede)) };
    let script = match body.contains("class=\"player\"") {
        true => format!("<script type=\"module\">\n{}{BOOT}</script>\n", script()),
        false => String::new(),
    };
    // The policy makes requests impossible, whatever a file's names contain.
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; img-src data:\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body class=\"broad\">\n<main>\n\
         <h1>{title}</h1>\n{lede}{body}</main>\n{script}</body>\n</html>\n"
    )
}

/// The modules of the player as one script: in one file nothing is imported or exported.
fn script() -> String {
    let mut out = String::new();
    for line in PLAYER.iter().flat_map(|(_, text)| text.lines()).filter(|line| !line.starts_with("import ")) {
        out += line.strip_prefix("export ").unwrap_or(line);
        out.push('\n');
    }
    out
}

/// A figure within a page, whose headings say what it is; those who do not see it are told.
pub(crate) fn svg(figure: &Figure, description: &str) -> String {
    let drawn = to_svg(figure);
    let (Some(start), Some(end)) = (drawn.find("<title>"), drawn.find("</title>")) else { return drawn };
    format!("{}<title>{}{}", &drawn[..start], escape(description), &drawn[end..])
}

/// A figure whose panels have time as their horizontal axis, with what a player needs to point into it.
pub(crate) fn timed_figure(figure: &Figure, caption: &str) -> String {
    let (size, panels) = places(figure);
    let panels: Vec<_> = panels.iter().map(|p| json!({ "frame": p.frame, "x": p.x })).collect();
    let places = json!({ "size": size, "panels": panels }).to_string();
    format!(
        "<figure tabindex=\"0\" data-places=\"{}\">\n{}<figcaption>{}</figcaption>\n</figure>\n",
        escape(&places),
        svg(figure, "quantities and energies over time"),
        escape(caption)
    )
}

/// Data within a script element: no text in it can end the element.
pub(crate) fn data(value: &impl serde::Serialize) -> String {
    // What is serialized are our own structures of numbers and text, which cannot fail.
    let text = serde_json::to_string(value).unwrap_or_default();
    format!("<script type=\"application/json\">{}</script>\n", text.replace('<', "\\u003c"))
}

/// How to get the same results again.
#[derive(Debug, Clone, Default)]
pub struct Repeat {
    /// Name and version of the program.
    pub version: String,
    /// The command, as typed.
    pub command: String,
    /// The input file's name and its content.
    pub input: Vec<(String, String)>,
}

impl Repeat {
    /// The section of a page.
    pub(crate) fn section(&self) -> String {
        let mut out = format!(
            "<section>\n<h2>Repeat this</h2>\n<p>{}, SI units.</p>\n<pre tabindex=\"0\"><code>{}</code></pre>\n",
            escape(&self.version),
            escape(&self.command)
        );
        for (name, text) in &self.input {
            out += &format!(
                "<details>\n<summary>{}</summary>\n<pre tabindex=\"0\"><code>{}</code></pre>\n</details>\n",
                escape(name),
                escape(text)
            );
        }
        out + "</section>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_of_a_page_imports_nothing() {
        let script = script();
        assert!(!script.contains("import ") && !script.contains("export "));
        // What is imported is exported by the module before, and no two modules use a name twice.
        let name = |line: &str| {
            let rest = line.strip_prefix("function ").or_else(|| line.strip_prefix("const "))?;
            Some(rest.split(|c: char| !c.is_alphanumeric()).next()?.to_owned())
        };
        let mut names: Vec<String> = script.lines().filter_map(name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "{names:?}");
    }
}
