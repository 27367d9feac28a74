//! `delassus lab`.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use delassus_report::{PLAYER, STYLE};

use super::examples::records;
use crate::failure::Failure;

/// Open the laboratory in the browser: impacts and motions that compute in the page
///
/// Serves the site to this machine alone, on a free port, until Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Folder of a built site [default: the pages within the program]
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,
    /// Port; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Only print the address
    #[arg(long)]
    no_open: bool,
}

const AFTER_HELP: &str = "\
The pages are within the program. Where web/build.sh has built the modules for browsers (in web/dist here, or within a
program compiled after that with --features lab), the page computes by itself; else it asks this program, with the
same numbers. A built site needs no program: python3 -m http.server --directory web/dist serves it as well.

Examples:
  delassus lab
  delassus lab --port 8000 --no-open
  bash web/build.sh && delassus lab --site web/dist";

/// The modules that compute in the pages, where they are built.
const MODULES: [&str; 4] = ["impact.wasm", "motion.wasm", "space.wasm", "papers.wasm"];
/// Where it is built.
const BUILT: &str = "web/dist";

/// Encodings in which files may lie beside a file, the smallest first, and the ends of their names.
const ENCODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// A file of the site.
struct File {
    name: String,
    bytes: Vec<u8>,
    /// The same compressed, by the name of the encoding.
    packed: Vec<(&'static str, Vec<u8>)>,
}

impl File {
    fn new(name: &str, bytes: &[u8]) -> File {
        File { name: name.to_owned(), bytes: bytes.to_vec(), packed: Vec::new() }
    }

    /// The file of a folder, with what `web/build.sh` has compressed of it.
    fn read(folder: &Path, name: &str) -> io::Result<File> {
        let bytes = fs::read(folder.join(name))?;
        let packed = |(encoding, end): &(&'static str, &str)| {
            Some((*encoding, fs::read(folder.join(format!("{name}.{end}"))).ok()?))
        };
        Ok(File { name: name.to_owned(), bytes, packed: ENCODINGS.iter().filter_map(packed).collect() })
    }

    /// What is sent to a browser that takes these encodings.
    fn sent(&self, accepted: &str) -> (Option<&'static str>, &[u8]) {
        let takes = |encoding: &str| {
            accepted.split(',').any(|one| {
                let mut parts = one.split(';').map(str::trim);
                parts.next() == Some(encoding) && !parts.any(|part| part == "q=0")
            })
        };
        match self.packed.iter().find(|(encoding, _)| takes(encoding)) {
            Some((encoding, bytes)) => (Some(encoding), bytes),
            None => (None, &self.bytes),
        }
    }
}

macro_rules! embedded {
    ($($name:literal),*) => {
        /// The pages within the program.
        const PAGES: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("../../../../web/site/", $name)))),*];
    };
}

embedded!(
    "index.html",
    "lab.css",
    "lab.js",
    "engine.js",
    "worker.js",
    "busy.js",
    "parts.js",
    "editor.js",
    "exports.js",
    "numbertext.js",
    "record.js",
    "recordtext.js",
    "state.js",
    "impact.js",
    "map.js",
    "motion.js",
    "papers.js",
    "picture.js",
    "shapes.js",
    "systems.js"
);

/// The modules within the program.
#[cfg(feature = "lab")]
fn modules() -> Vec<File> {
    let bytes: [&[u8]; 4] = [
        include_bytes!("../../../../web/dist/impact.wasm"),
        include_bytes!("../../../../web/dist/motion.wasm"),
        include_bytes!("../../../../web/dist/space.wasm"),
        include_bytes!("../../../../web/dist/papers.wasm"),
    ];
    MODULES.iter().zip(bytes).map(|(name, bytes)| File::new(name, bytes)).collect()
}

#[cfg(not(feature = "lab"))]
fn modules() -> Vec<File> {
    MODULES.iter().filter_map(|name| File::read(Path::new(BUILT), name).ok()).collect()
}

/// All files of the site but the modules.
fn pages() -> Vec<File> {
    let own = PAGES.iter().map(|(name, bytes)| File::new(name, bytes));
    let player = PLAYER.iter().map(|(name, text)| File::new(name, text.as_bytes()));
    let records = records().map(|(name, text)| File::new(name, text.as_bytes()));
    own.chain(player).chain(records).chain([File::new("page.css", STYLE.as_bytes())]).collect()
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let site = match &args.site {
        Some(folder) => read(folder)?,
        None => pages().into_iter().chain(modules()).collect(),
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port))
        .map_err(|e| Failure::Input(format!("--port {}: cannot be opened: {e}", args.port)))?;
    let host = listener.local_addr()?.to_string();
    let address = format!("http://{host}/");
    let mut out = io::stdout();
    writeln!(out, "{address}")?;
    out.flush()?;
    if !args.no_open {
        open(&address);
        anstream::eprintln!("Ctrl-C ends it.");
    }
    // Threads, since a browser holds connections open before it uses them.
    std::thread::scope(|scope| {
        for stream in listener.incoming().filter_map(Result::ok) {
            scope.spawn(|| {
                // Whoever goes away early has what they wanted.
                let _ = serve(stream, &site, &host);
            });
        }
    });
    Ok(ExitCode::SUCCESS)
}

fn read(folder: &Path) -> Result<Vec<File>, Failure> {
    let read = |name: String| {
        let wrong = |e| format!("{}: cannot read: {e}; web/build.sh builds the site", folder.join(&name).display());
        File::read(folder, &name).map_err(|e| Failure::Input(wrong(e)))
    };
    pages().into_iter().map(|file| file.name).chain(MODULES.map(str::to_owned)).map(read).collect()
}

/// Shows the address in the user's browser, if there is one.
fn open(address: &str) {
    let programs: &[&[&str]] = match std::env::consts::OS {
        "macos" => &[&["open"]],
        "windows" => &[&["cmd", "/C", "start", ""]],
        _ => &[&["xdg-open"]],
    };
    for words in programs {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if command.spawn().is_ok() {
            return;
        }
    }
}

/// The longest head of a request that is read.
const MOST_HEAD: u64 = 16 * 1024;
/// The longest question that is read: a record dropped on the page is part of it.
const MOST_BODY: u64 = 64 * 1024 * 1024;

/// What the head of a request says.
#[derive(Default)]
struct Head {
    method: String,
    target: String,
    length: u64,
    host: String,
    /// The encodings that the browser takes.
    encodings: String,
    /// Whose page asks; none where the browser does not tell.
    origin: Option<String>,
}

fn head(reader: &mut impl BufRead) -> io::Result<Head> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split(' ').map(str::to_owned);
    let mut head =
        Head { method: words.next().unwrap_or_default(), target: words.next().unwrap_or_default(), ..Head::default() };
    loop {
        line.clear();
        if reader.read_line(&mut line)? <= 2 {
            return Ok(head);
        }
        let Some((name, value)) = line.split_once(':') else { continue };
        match (name.to_ascii_lowercase().as_str(), value.trim()) {
            ("content-length", value) => head.length = value.parse().unwrap_or(u64::MAX),
            ("host", value) => head.host = value.to_owned(),
            ("accept-encoding", value) => head.encodings = value.to_ascii_lowercase(),
            ("origin", value) => head.origin = Some(value.to_owned()),
            _ => {}
        }
    }
}

/// Answers one request and closes the connection. `host` is the address at which the site is served.
fn serve(mut stream: TcpStream, site: &[File], host: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(stream.try_clone()?).take(MOST_HEAD);
    let head = head(&mut reader)?;
    let name = match head.target.split('?').next().unwrap_or_default().trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    if (head.method.as_str(), name) == ("POST", "ask") {
        // Pages of others may not make this program compute.
        let own = head.host == host && head.origin.is_none_or(|origin| origin == format!("http://{host}"));
        if !own {
            return reply(&mut stream, "403 Forbidden", "text/plain", b"asked by another page\n");
        }
        if head.length > MOST_BODY {
            return reply(&mut stream, "413 Content Too Large", "text/plain", b"too long\n");
        }
        reader.set_limit(head.length);
        let mut question = Vec::new();
        reader.read_to_end(&mut question)?;
        let answer = delassus_web::answer(&String::from_utf8_lossy(&question));
        return reply(&mut stream, "200 OK", "application/json", answer.as_bytes());
    }
    // Names are looked up, never joined to a path.
    match site.iter().find(|file| file.name == name) {
        _ if head.method != "GET" && head.method != "HEAD" => {
            reply(&mut stream, "405 Method Not Allowed", "text/plain", b"GET only\n")
        }
        Some(file) => {
            let (encoding, bytes) = file.sent(&head.encodings);
            reply_head(&mut stream, "200 OK", media_type(name), encoding, bytes.len())?;
            stream.write_all(if head.method == "HEAD" { &[] } else { bytes })?;
            stream.flush()
        }
        None => reply(&mut stream, "404 Not Found", "text/plain", b"not found\n"),
    }
}

fn reply(stream: &mut TcpStream, status: &str, kind: &str, bytes: &[u8]) -> io::Result<()> {
    reply_head(stream, status, kind, None, bytes.len())?;
    stream.write_all(bytes)?;
    stream.flush()
}

fn reply_head(
    stream: &mut TcpStream,
    status: &str,
    kind: &str,
    encoding: Option<&str>,
    length: usize,
) -> io::Result<()> {
    let encoding = encoding.map(|name| format!("Content-Encoding: {name}\r\n")).unwrap_or_default();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{encoding}Content-Length: {length}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )
}

fn media_type(name: &str) -> &'static str {
    match Path::new(name).extension().and_then(|e| e.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_are_those_of_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/site");
        let names = fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned());
        let mut files: Vec<String> = names.collect();
        files.sort();
        let mut own: Vec<String> = PAGES.iter().map(|(name, _)| (*name).to_owned()).collect();
        own.sort();
        assert_eq!(files, own);
    }

    #[test]
    fn files_of_the_site_and_answers_are_served_and_nothing_else() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let host = address.to_string();
        let packed = vec![("br", b"brotli".to_vec()), ("gzip", b"zipped".to_vec())];
        let module = File { packed, ..File::new("motion.wasm", b"module") };
        let site = vec![File::new("index.html", b"<p>lab</p>"), module];
        let server = std::thread::spawn(move || {
            for stream in listener.incoming().take(10) {
                let _ = serve(stream.unwrap(), &site, &host);
            }
        });
        let ask = |request: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        let page = ask("GET /?x=1 HTTP/1.1\r\nHost: here\r\n\r\n");
        assert!(page.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html") && page.ends_with("\r\n\r\n<p>lab</p>"));
        assert!(ask("GET /../Cargo.toml HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
        assert!(ask("POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405"));
        assert!(ask("HEAD /index.html HTTP/1.1\r\n\r\n").ends_with("close\r\n\r\n"));
        let module = |takes: &str| ask(&format!("GET /motion.wasm HTTP/1.1\r\nAccept-Encoding: {takes}\r\n\r\n"));
        let zipped = module("gzip, deflate, br;q=0");
        assert!(zipped.contains("\r\nContent-Encoding: gzip\r\nContent-Length: 6\r\n") && zipped.ends_with("zipped"));
        assert!(module("gzip, br").ends_with("brotli"));
        let plain = module("identity");
        assert!(plain.ends_with("module") && !plain.contains("Content-Encoding"));
        let question = "{\"op\":\"papers\"}";
        let asked = |host: &str, more: &str| {
            let length = question.len();
            ask(&format!("POST /ask HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n{more}\r\n{question}"))
        };
        let answer = asked(&address.to_string(), "");
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("\"studies\":["), "{answer}");
        assert!(asked("elsewhere.example", "").starts_with("HTTP/1.1 403"));
        let foreign = asked(&address.to_string(), "Origin: http://elsewhere.example\r\n");
        assert!(foreign.starts_with("HTTP/1.1 403"), "{foreign}");
        server.join().unwrap();
    }
}
