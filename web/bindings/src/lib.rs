//! One door to delassus for a browser page: a request as JSON in, an answer as JSON out.
//!
//! The page sends `{"op": "impact", "text": "…"}` and gets what the program prints with `--json`,
//! with parts of pages drawn by `delassus-report`. [`answer`] is all there is; on wasm32 the module
//! `door` passes texts through the memory of the instance, so no generated code stands between.
//!
//! ```
//! let text = "mass = [2.0]\nvelocity = [-1.0]\n[[contact]]\nname = \"C\"\nnormal = [1.0]\nrestitution = 0.5\n";
//! let request = serde_json::json!({ "op": "impact", "text": text, "laws": ["newton"] });
//! let answer: serde_json::Value = serde_json::from_str(&delassus_web::answer(&request.to_string())).unwrap();
//! assert_eq!(answer["outcomes"][0]["velocity"][0], 0.5);
//! ```
//!
//! The features `impact`, `motion`, `space` and `papers` say what can be asked beside texts and their numbers. A module
//! with motions in the plane alone, or in space alone, names the other one where a text needs it.

// Modules for one page leave unused what only others need.
#![cfg_attr(not(all(feature = "impact", feature = "motion")), allow(dead_code, unused_imports))]

#[cfg(target_arch = "wasm32")]
mod door;
mod examples;
#[cfg(feature = "impact")]
mod impact;
#[cfg(feature = "impact")]
mod map;
#[cfg(any(feature = "motion", feature = "space"))]
mod motion;
#[cfg(feature = "papers")]
mod papers;
mod text;

use std::collections::BTreeMap;

use delassus::LawSpec;
use delassus_io::law_by_name;
use serde::Deserialize;
use serde_json::{Value, json};

/// What a page can ask.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    /// Texts to start from.
    Examples,
    /// The numbers of a text that a slider can move.
    Numbers(Input),
    /// An impact under laws.
    #[cfg(feature = "impact")]
    Impact(Input),
    /// A motion under laws.
    #[cfg(any(feature = "motion", feature = "space"))]
    Run(Input),
    /// The numbers of a text that a map can have as axes.
    #[cfg(feature = "impact")]
    Parameters(Input),
    /// Regimes over two numbers.
    #[cfg(feature = "impact")]
    Map(map::MapRequest),
    /// The studies of papers.
    #[cfg(feature = "papers")]
    Papers,
    /// One of them, computed.
    #[cfg(feature = "papers")]
    Study {
        /// Its id.
        id: String,
        /// Values of its parameters in place of the paper's, by their names.
        #[serde(default)]
        set: BTreeMap<String, f64>,
    },
    /// How often a law resolves an impact of the text: `count` times.
    #[cfg(feature = "impact")]
    Repeat {
        /// The problem.
        text: String,
        /// How often.
        count: usize,
    },
}

/// A problem or scenario as text, with numbers changed.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Input {
    /// TOML or JSON, as files have it.
    text: String,
    /// Numbers by their path that replace those of the text.
    set: BTreeMap<String, f64>,
    /// Names of laws; none: as the program chooses.
    laws: Vec<String>,
    /// Texts of record files by name; `*` stands for all others.
    records: BTreeMap<String, String>,
}

/// Answers a request. What cannot be answered is `{"error": "…"}` with the program's message.
pub fn answer(request: &str) -> String {
    let answered = match serde_json::from_str(request) {
        Ok(request) => dispatch(&request),
        Err(error) => Err(format!("request: {error}")),
    };
    answered.unwrap_or_else(|message| json!({ "error": message })).to_string()
}

fn dispatch(request: &Request) -> Result<Value, String> {
    match request {
        Request::Examples => Ok(examples::all()),
        Request::Numbers(input) => text::numbers(input),
        #[cfg(feature = "impact")]
        Request::Impact(input) => impact::answer(input),
        #[cfg(any(feature = "motion", feature = "space"))]
        Request::Run(input) => motion::answer(input),
        #[cfg(feature = "impact")]
        Request::Parameters(input) => map::parameters(input),
        #[cfg(feature = "impact")]
        Request::Map(request) => map::answer(request),
        #[cfg(feature = "papers")]
        Request::Papers => Ok(papers::all()),
        #[cfg(feature = "papers")]
        Request::Study { id, set } => papers::study(id, set),
        #[cfg(feature = "impact")]
        Request::Repeat { text, count } => impact::repeat(text, *count),
    }
}

/// The laws of these names.
fn laws(names: &[String]) -> Result<Vec<LawSpec>, String> {
    names.iter().map(|name| law_by_name(name).map_err(|e| format!("law: {e}"))).collect()
}

/// What a page of the laboratory says about how a result was made.
const VERSION: &str = concat!("delassus ", env!("CARGO_PKG_VERSION"));
