//! Tables and figures for delassus.
