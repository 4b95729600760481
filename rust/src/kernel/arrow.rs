//! A table as an Arrow stream of the C stream interface: one batch, whose columns live until they are let go of.
//!
//! The layouts are those of <https://arrow.apache.org/docs/format/CDataInterface.html> and `CStreamInterface.html`. No
//! function here calls into Python, so that a consumer may call each on any thread, and while an error is on its way.
#![allow(unsafe_code)] // the interface is one of C: structures are reached by their addresses

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

const NULLABLE: i64 = 2;

/// A column of the table, and its name.
#[derive(Debug)]
pub struct Column {
    name: CString,
    format: &'static CStr,
    buffers: Vec<Buffer>,
    nulls: i64,
}

/// Bytes of an array: never empty, since an empty one has no address.
#[derive(Debug)]
enum Buffer {
    Bytes(Vec<u8>),
    Integers(Vec<i64>),
    Floats(Vec<f64>),
}

impl Buffer {
    fn address(&self) -> *const c_void {
        match self {
            Self::Bytes(bytes) => bytes.as_ptr().cast(),
            Self::Integers(numbers) => numbers.as_ptr().cast(),
            Self::Floats(numbers) => numbers.as_ptr().cast(),
        }
    }
}

impl Column {
    /// Texts.
    #[must_use]
    pub fn of_texts(name: CString, values: &[Option<String>]) -> Self {
        let mut ends = vec![0i64];
        let mut bytes = Vec::new();
        for value in values {
            bytes.extend_from_slice(value.as_deref().unwrap_or_default().as_bytes());
            ends.push(counted(bytes.len()));
        }
        bytes.push(0);
        Self::of(name, c"U", values, vec![Buffer::Integers(ends), Buffer::Bytes(bytes)])
    }

    /// Numbers.
    #[must_use]
    pub fn of_floats(name: CString, values: &[Option<f64>]) -> Self {
        let numbers = values.iter().map(|value| value.unwrap_or_default()).chain([0.0]).collect();
        Self::of(name, c"g", values, vec![Buffer::Floats(numbers)])
    }

    /// Times, in microseconds since 1970, in UTC.
    #[must_use]
    pub fn of_times(name: CString, values: &[Option<i64>]) -> Self {
        let numbers = values.iter().map(|value| value.unwrap_or_default()).chain([0]).collect();
        Self::of(name, c"tsu:UTC", values, vec![Buffer::Integers(numbers)])
    }

    fn of<T>(name: CString, format: &'static CStr, values: &[Option<T>], data: Vec<Buffer>) -> Self {
        let mut there = vec![0u8; values.len() / 8 + 1];
        for (place, _) in values.iter().enumerate().filter(|(_, value)| value.is_some()) {
            there[place / 8] |= 1 << (place % 8);
        }
        let nulls = counted(values.iter().filter(|value| value.is_none()).count());
        Self { name, format, buffers: std::iter::once(Buffer::Bytes(there)).chain(data).collect(), nulls }
    }
}

fn counted(number: usize) -> i64 {
    i64::try_from(number).expect("no allocation is that large")
}

/// `struct ArrowSchema`.
#[repr(C)]
#[derive(Debug)]
pub struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// `struct ArrowArray`.
#[repr(C)]
#[derive(Debug)]
pub struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// `struct ArrowArrayStream`: let go of when it is dropped, unless a consumer has taken it, who says so in it.
#[repr(C)]
#[derive(Debug)]
pub struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

// SAFETY: what it points to is owned by it alone, and any thread may let go of it.
unsafe impl Send for Stream {}

/// What a stream points to.
struct HeldStream {
    columns: Vec<(CString, &'static CStr)>,
    batch: Option<(i64, Vec<Column>)>, // until it is given
}

/// What a schema points to.
struct HeldSchema {
    name: CString,
    children: Vec<*mut Schema>,
}

/// What an array points to.
struct HeldArray {
    _buffers: Vec<Buffer>,
    addresses: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

impl Stream {
    /// A stream that gives columns of so many rows as one batch.
    #[must_use]
    pub fn of(columns: Vec<Column>, rows: i64) -> Self {
        let named = columns.iter().map(|column| (column.name.clone(), column.format)).collect();
        let held = Box::new(HeldStream { columns: named, batch: Some((rows, columns)) });
        Self {
            get_schema: Some(get_schema),
            get_next: Some(get_next),
            get_last_error: Some(get_last_error),
            release: Some(release_stream),
            private_data: Box::into_raw(held).cast(),
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: nobody has let go of it yet.
            unsafe { release(&raw mut *self) };
        }
    }
}

impl Schema {
    fn of(format: &'static CStr, name: CString, children: Vec<Self>) -> Self {
        let flags = if format == c"+s" { 0 } else { NULLABLE }; // a row of the table is never null
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let mut held = Box::new(HeldSchema { name, children });
        Self {
            format: format.as_ptr(),
            name: held.name.as_ptr(),
            metadata: ptr::null(),
            flags,
            n_children: counted(held.children.len()),
            children: held.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_schema),
            private_data: Box::into_raw(held).cast(),
        }
    }
}

impl Array {
    fn of(length: i64, nulls: i64, buffers: Vec<Buffer>, children: Vec<Self>) -> Self {
        let addresses =
            if buffers.is_empty() { vec![ptr::null()] } else { buffers.iter().map(Buffer::address).collect() };
        let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
        let mut held = Box::new(HeldArray { _buffers: buffers, addresses, children });
        Self {
            length,
            null_count: nulls,
            offset: 0,
            n_buffers: counted(held.addresses.len()),
            n_children: counted(held.children.len()),
            buffers: held.addresses.as_mut_ptr(),
            children: held.children.as_mut_ptr(),
            dictionary: ptr::null_mut(),
            release: Some(release_array),
            private_data: Box::into_raw(held).cast(),
        }
    }

    /// What says that there is no batch any more.
    fn end() -> Self {
        let none = ptr::null_mut();
        Self {
            length: 0,
            null_count: 0,
            offset: 0,
            n_buffers: 0,
            n_children: 0,
            buffers: ptr::null_mut(),
            children: ptr::null_mut(),
            dictionary: ptr::null_mut(),
            release: None,
            private_data: none,
        }
    }
}

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: a consumer calls it with a stream of ours that is not let go of, and with room for a schema.
    unsafe {
        let held = &*(*stream).private_data.cast::<HeldStream>();
        let children = held.columns.iter().map(|(name, format)| Schema::of(format, name.clone(), Vec::new())).collect();
        out.write(Schema::of(c"+s", CString::default(), children));
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: as above, with room for an array; no two threads ask one stream at a time, by the interface.
    unsafe {
        let held = &mut *(*stream).private_data.cast::<HeldStream>();
        let next = held.batch.take().map(|(rows, columns)| {
            let children =
                columns.into_iter().map(|each| Array::of(rows, each.nulls, each.buffers, Vec::new())).collect();
            Array::of(rows, 0, Vec::new(), children)
        });
        out.write(next.unwrap_or_else(Array::end));
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut Stream) -> *const c_char {
    ptr::null() // nothing here fails
}

unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: it is a stream of ours, which says when it was let go of, and is asked once.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<HeldStream>()));
        (*stream).private_data = ptr::null_mut();
        (*stream).release = None;
    }
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: likewise; a child that a consumer has taken says so in the place where it stood.
    unsafe {
        let held = Box::from_raw((*schema).private_data.cast::<HeldSchema>());
        for &child in &held.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*schema).private_data = ptr::null_mut();
        (*schema).release = None;
    }
}

unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: likewise.
    unsafe {
        let held = Box::from_raw((*array).private_data.cast::<HeldArray>());
        for &child in &held.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*array).private_data = ptr::null_mut();
        (*array).release = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> CString {
        CString::new(text).expect("a name without NUL")
    }

    fn stream() -> Stream {
        let texts = [Some("tea".to_owned()), None, Some(String::new())];
        let columns = vec![
            Column::of_texts(name("text"), &texts),
            Column::of_floats(name("score"), &[Some(0.5), None, Some(-0.0)]),
            Column::of_times(name("made"), &[None, Some(-1), Some(7)]),
        ];
        Stream::of(columns, 3)
    }

    #[test]
    fn a_stream_gives_its_schema_one_batch_and_the_end() {
        let mut stream = stream();
        let (mut schema, mut batch, mut end) = (Schema::of(c"n", name(""), Vec::new()), Array::end(), Array::end());
        // SAFETY: the stream is ours, and there is room.
        unsafe {
            release_schema(&raw mut schema);
            assert_eq!(get_schema(&raw mut stream, &raw mut schema), 0);
            assert_eq!(get_next(&raw mut stream, &raw mut batch), 0);
            assert_eq!(get_next(&raw mut stream, &raw mut end), 0);
            assert!(end.release.is_none() && get_last_error(&raw mut stream).is_null());
            let formats: Vec<_> = (0..3)
                .map(|at| CStr::from_ptr((**schema.children.add(at)).format).to_str().expect("ASCII").to_owned())
                .collect();
            assert_eq!(formats, ["U", "g", "tsu:UTC"]);
            let texts = &**batch.children;
            let ends = std::slice::from_raw_parts((*texts.buffers.add(1)).cast::<i64>(), 4);
            assert_eq!((batch.length, batch.n_children, texts.null_count, ends), (3, 3, 1, &[0i64, 3, 3, 3][..]));
            assert_eq!(*(*texts.buffers).cast::<u8>(), 0b101);
        }
        drop(stream); // what was given outlives it
        // SAFETY: both are ours, and nobody has let go of them.
        unsafe {
            let taken = ptr::read(*batch.children.add(1)); // a consumer takes a column and says so
            (**batch.children.add(1)).release = None;
            release_array(&raw mut batch);
            assert!(batch.release.is_none());
            let numbers = std::slice::from_raw_parts((*taken.buffers.add(1)).cast::<f64>(), 3);
            assert_eq!(numbers, [0.5, 0.0, 0.0]);
            let mut taken = taken;
            release_array(&raw mut taken);
            release_schema(&raw mut schema);
            assert!(schema.release.is_none());
        }
    }

    #[test]
    fn a_stream_that_nobody_takes_is_let_go_of() {
        drop(stream());
        drop(Stream::of(Vec::new(), 0));
    }
}
