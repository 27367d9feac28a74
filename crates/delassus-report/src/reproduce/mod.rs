//! The studies of papers as files and as one page.

mod files;
mod page;

pub use files::{StudyFile, files};
pub use page::{is_page, page, study_html};
