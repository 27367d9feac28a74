//! Texts through the memory of a wasm instance.
//!
//! The page asks for `room`, writes its request there and calls `ask`, which returns where the
//! answer lies; `answer_length` tells how long it is. The page copies it before it asks again.
#![allow(unsafe_code)]

use std::cell::RefCell;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Memory for a request of `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(length, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request and returns where the answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> *const u8 {
    let request = REQUEST.with_borrow_mut(std::mem::take);
    let answer = crate::answer(&String::from_utf8_lossy(&request));
    ANSWER.with_borrow_mut(|kept| {
        *kept = answer;
        kept.as_ptr()
    })
}

/// The length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(String::len)
}
