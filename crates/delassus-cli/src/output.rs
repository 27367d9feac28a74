//! Files that appear whole or not at all, and the width to write for.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use delassus_figure::{Figure, to_png, to_svg};

use crate::failure::Failure;

/// Columns of the terminal, or 100 where the output is none.
pub fn width() -> usize {
    terminal_size::terminal_size_of(std::io::stdout()).map_or(100, |(width, _)| usize::from(width.0)).max(40)
}

/// Writes a file beside its place and moves it there when it is complete.
/// An existing file is kept unless `force`.
pub fn write_whole(path: &Path, content: &[u8], force: bool) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::Input(format!("{}: cannot write: {e}", path.display()));
    refuse_file(path, force)?;
    let part = part(path, std::process::id());
    let written = fs::File::create_new(&part).and_then(|mut file| {
        file.write_all(content)?;
        file.sync_all()
    });
    let moved = written.and_then(|()| {
        if force {
            fs::rename(&part, path)
        } else {
            // Unlike renaming, linking fails if the name was taken meanwhile.
            fs::hard_link(&part, path).and_then(|()| fs::remove_file(&part))
        }
    });
    moved.map_err(|e| {
        let _ = fs::remove_file(&part);
        failed(e)
    })
}

/// As [`write_whole`], by way of a file whose name is always the same: what an attempt that was killed has left there is
/// taken away by the next one. A file with the same content is left as it is.
pub fn write_again(path: &Path, content: &[u8], force: bool) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::Input(format!("{}: cannot write: {e}", path.display()));
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    if !fs::read(path).is_ok_and(|there| there == content) {
        let written = fs::File::create(&part).and_then(|mut file| {
            file.write_all(content)?;
            file.sync_all()
        });
        written.map_err(failed)?;
        if force {
            return fs::rename(&part, path).map_err(failed);
        }
        fs::hard_link(&part, path).map_err(failed)?;
    }
    let _ = fs::remove_file(&part);
    Ok(())
}

/// The file that a process of this number writes before it is moved to its place.
pub fn part(path: &Path, process: u32) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{process}.part"));
    path.with_file_name(name)
}

/// An error where the file cannot be, or exists and may not be replaced.
pub fn refuse_file(path: &Path, force: bool) -> Result<(), Failure> {
    refuse_directory(path)?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        return Err(Failure::Input(format!(
            "{}: there is no directory {}; make it first",
            path.display(),
            folder.display()
        )));
    }
    refuse_existing(path, force)
}

/// An error where a directory is in the place of a file.
pub fn refuse_directory(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::Input(format!("{} is a directory; a file is to be written there", path.display())));
    }
    Ok(())
}

/// An error where something exists and may not be replaced.
pub fn refuse_existing(path: &Path, force: bool) -> Result<(), Failure> {
    if !force && path.exists() {
        return Err(Failure::Input(format!("{} exists already; --force replaces it", path.display())));
    }
    Ok(())
}

const PIXELS_PER_INCH: f64 = 200.0;

/// Whether a figure can be written there: an error where not.
pub fn check_figure(path: &Path, force: bool) -> Result<(), Failure> {
    is_png(path)?;
    refuse_file(path, force)
}

fn is_png(path: &Path) -> Result<bool, Failure> {
    match path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(false),
        Some("png") => Ok(true),
        _ => Err(Failure::Input(format!("--figure {}: must end in .svg or .png", path.display()))),
    }
}

/// Draws a figure.
pub fn write_figure(path: &Path, figure: &Figure, force: bool) -> Result<(), Failure> {
    write_whole(path, &figure_bytes(path, figure)?, force)
}

/// A figure as the name of its file wants it.
pub fn figure_bytes(path: &Path, figure: &Figure) -> Result<Vec<u8>, Failure> {
    match is_png(path)? {
        true => to_png(figure, PIXELS_PER_INCH).map_err(|e| Failure::Input(e.to_string())),
        false => Ok(to_svg(figure).into_bytes()),
    }
}
