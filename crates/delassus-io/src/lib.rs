//! Problem and scenario files for delassus.
