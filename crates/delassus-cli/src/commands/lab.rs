//! `delassus lab`.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use crate::failure::Failure;

/// Open the laboratory in the browser: impacts and motions that compute in the page
///
/// Serves the site to this machine alone, on a free port, until Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Folder of the built site [default: the one within the program, else web/dist here]
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
The site is built by web/build.sh; a program compiled after that with --features lab holds it.
Any web server can serve it as well: python3 -m http.server --directory web/dist

Examples:
  bash web/build.sh && delassus lab
  delassus lab --port 8000 --no-open";

/// Where the site is built.
const BUILT: &str = "web/dist";

/// A file of the site: its name and its bytes.
type File = (String, Vec<u8>);

macro_rules! embedded {
    ($($name:literal),*) => {
        /// The files of the site, all in one folder.
        const FILES: &[&str] = &[$($name),*];

        /// The site within the program.
        #[cfg(feature = "lab")]
        fn within() -> Option<Vec<File>> {
            Some(vec![$(($name.to_owned(), include_bytes!(concat!("../../../../web/dist/", $name)).to_vec())),*])
        }
    };
}

embedded!(
    "index.html",
    "lab.css",
    "page.css",
    "lab.js",
    "engine.js",
    "worker.js",
    "parts.js",
    "state.js",
    "impact.js",
    "motion.js",
    "papers.js",
    "player.js",
    "delassus.wasm"
);

#[cfg(not(feature = "lab"))]
fn within() -> Option<Vec<File>> {
    None
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let site = match (&args.site, within()) {
        (Some(folder), _) => read(folder)?,
        (None, Some(site)) => site,
        (None, None) => read(Path::new(BUILT))?,
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port))
        .map_err(|e| Failure::Input(format!("--port {}: cannot be opened: {e}", args.port)))?;
    let address = format!("http://{}/", listener.local_addr()?);
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
                let _ = serve(stream, &site);
            });
        }
    });
    Ok(ExitCode::SUCCESS)
}

fn read(folder: &Path) -> Result<Vec<File>, Failure> {
    let read = |name: &&str| {
        fs::read(folder.join(name)).map(|bytes| ((*name).to_owned(), bytes)).map_err(|e| {
            let place = folder.join(name);
            Failure::Input(format!("{}: cannot read: {e}; web/build.sh builds the site", place.display()))
        })
    };
    FILES.iter().map(read).collect()
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

/// Answers one request and closes the connection.
fn serve(mut stream: TcpStream, site: &[File]) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(stream.try_clone()?.take(MOST_HEAD));
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut line = String::new();
    // The rest of the head says nothing that matters here.
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let mut words = first.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let name = match target.split('?').next().unwrap_or_default().trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    // Names are looked up, never joined to a path.
    let (status, kind, bytes): (_, _, &[u8]) = match site.iter().find(|(file, _)| file == name) {
        _ if method != "GET" && method != "HEAD" => ("405 Method Not Allowed", "text/plain", b"GET only\n"),
        Some((_, bytes)) => ("200 OK", media_type(name), bytes),
        None => ("404 Not Found", "text/plain", b"not found\n"),
    };
    let length = bytes.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
    )?;
    if method != "HEAD" {
        stream.write_all(bytes)?;
    }
    stream.flush()
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
    fn the_site_has_these_files_and_no_others() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let listed = |folder: &str| {
            let names = fs::read_dir(root.join(folder)).unwrap().map(|e| e.unwrap().file_name());
            names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>()
        };
        let mut files = listed("web/site");
        files.extend(["page.css", "player.js", "delassus.wasm"].map(str::to_owned));
        files.sort();
        let mut own: Vec<String> = FILES.iter().map(|name| (*name).to_owned()).collect();
        own.sort();
        assert_eq!(files, own);
    }

    #[test]
    fn files_of_the_site_and_nothing_else_are_served() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let site = vec![("index.html".to_owned(), b"<p>lab</p>".to_vec())];
        let server = std::thread::spawn(move || {
            for stream in listener.incoming().take(4) {
                let _ = serve(stream.unwrap(), &site);
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
        server.join().unwrap();
    }
}
