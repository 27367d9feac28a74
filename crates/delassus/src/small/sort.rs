//! Sorts. Those of the standard library are made for long lists and take some four kilobytes of code for each kind of
//! entry, in a module for a browser a thirtieth of all; there lists are sorted by one function, over the places of their
//! entries. The order is the same: equal entries keep theirs, or cannot be told apart.

use std::cmp::Ordering;

/// Sorts entries of which equal ones cannot be told apart.
pub fn sort<T: Copy + Ord>(list: &mut [T]) {
    #[cfg(target_arch = "wasm32")]
    by_places(list, T::cmp);
    #[cfg(not(target_arch = "wasm32"))]
    list.sort_unstable();
}

/// Sorts a list; equal entries keep their order.
pub fn sort_by<T: Copy>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    #[cfg(target_arch = "wasm32")]
    by_places(list, compare);
    #[cfg(not(target_arch = "wasm32"))]
    list.sort_by(compare);
}

/// Sorts entries that all differ, without taking memory but in a browser.
pub fn sort_different<T: Copy>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    #[cfg(target_arch = "wasm32")]
    by_places(list, compare);
    #[cfg(not(target_arch = "wasm32"))]
    list.sort_unstable_by(compare);
}

/// Sorts entries by a number each; equal ones keep their order.
pub fn sort_by_number<T>(list: &mut [T], number: impl Fn(&T) -> f64) {
    let mut places: Vec<(f64, usize)> = list.iter().map(number).zip(0..).collect();
    sort_by(&mut places, |a, b| a.0.total_cmp(&b.0));
    for k in 0..list.len() {
        // Entries before k have left their places: they are where the entry that took the place was.
        let mut from = places[k].1;
        while from < k {
            from = places[from].1;
        }
        list.swap(k, from);
    }
}

/// Sorts a list of few entries in place, by insertion; equal ones keep their order.
pub fn sort_few<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    for end in 1..list.len() {
        let mut place = end;
        while place > 0 && compare(&list[place - 1], &list[place]).is_gt() {
            list.swap(place - 1, place);
            place -= 1;
        }
    }
}

#[cfg(any(test, target_arch = "wasm32"))]
fn by_places<T: Copy>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if list.is_sorted_by(|a, b| compare(a, b).is_le()) {
        return;
    }
    let old = list.to_vec();
    let places = merge(list.len(), &|a, b| compare(&old[a], &old[b]).is_gt());
    list.iter_mut().zip(places).for_each(|(entry, place)| *entry = old[place]);
}

/// The places 0, 1, … of entries in their order: runs are merged, each twice as long as those before.
#[cfg(any(test, target_arch = "wasm32"))]
#[inline(never)]
fn merge(count: usize, after: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut from: Vec<usize> = (0..count).collect();
    let mut to = Vec::with_capacity(count);
    let mut run = 1;
    while run < count {
        to.clear();
        for pair in from.chunks(2 * run) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let ([a, later_left @ ..], [b, later_right @ ..]) = (left, right) {
                if after(*a, *b) {
                    to.push(*b);
                    right = later_right;
                } else {
                    to.push(*a);
                    left = later_left;
                }
            }
            to.extend_from_slice(left);
            to.extend_from_slice(right);
        }
        std::mem::swap(&mut from, &mut to);
        run *= 2;
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_as_the_standard_library_does() {
        let mut seed = 7u32;
        for count in 0..70 {
            let mut next = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                seed >> 29
            };
            // Places beside few different keys: of equal ones the order can be seen.
            let list: Vec<(u32, usize)> = (0..count).map(|k| (next(), k)).collect();
            let [mut few, mut places, mut own, mut theirs] = [list.clone(), list.clone(), list.clone(), list];
            let by_key = |a: &(u32, usize), b: &(u32, usize)| a.0.cmp(&b.0);
            theirs.sort_by_key(|entry| entry.0);
            sort_few(&mut few, by_key);
            by_places(&mut places, by_key);
            sort_by(&mut own, by_key);
            assert_eq!([&few, &places, &own], [&theirs; 3]);
            few.reverse();
            few.sort_by_key(|entry| entry.1);
            sort_by_number(&mut few, |entry| f64::from(entry.0));
            assert_eq!(few, theirs);
            few.reverse();
            sort_different(&mut few, |a, b| a.0.cmp(&b.0).then(a.1.cmp(&b.1)));
            assert_eq!(few, theirs);
            places.reverse();
            by_places(&mut places, Ord::cmp);
            own.reverse();
            sort(&mut own);
            assert_eq!([&places, &own], [&theirs; 2]);
        }
    }
}
