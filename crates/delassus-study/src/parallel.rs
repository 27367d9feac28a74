//! Work shared among threads with the feature `parallel`, one item after the other without it.
//! Results are kept by their index, so that they do not depend on the number of threads.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// The results of `0..count`, in order.
pub(crate) fn in_order<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    #[cfg(feature = "parallel")]
    return (0..count).into_par_iter().map(work).collect();
    #[cfg(not(feature = "parallel"))]
    return (0..count).map(work).collect();
}

/// The results of `from..to`, in order, each computed with a state that its thread reuses; `None`
/// as soon as one of them is.
pub(crate) fn with_state<S, R: Send>(
    range: std::ops::Range<usize>,
    state: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize) -> Option<R> + Sync + Send,
) -> Option<Vec<R>> {
    #[cfg(feature = "parallel")]
    return range.into_par_iter().map_init(state, work).collect();
    #[cfg(not(feature = "parallel"))]
    {
        let mut state = state();
        range.map(|i| work(&mut state, i)).collect()
    }
}

/// The first of the results of `0..count` that there is. Threads take at least `chunk` at once.
pub(crate) fn find_first<R: Send>(
    count: usize,
    chunk: usize,
    work: impl Fn(usize) -> Option<R> + Sync + Send,
) -> Option<R> {
    #[cfg(feature = "parallel")]
    return (0..count).into_par_iter().with_min_len(chunk).find_map_first(work);
    #[cfg(not(feature = "parallel"))]
    {
        let _ = chunk;
        (0..count).find_map(work)
    }
}
