//! A batch spread over threads that end with the call, so nothing is left for a fork to break.

/// Applies `work` to every item; the answers are in the order of the items, whatever the number of threads.
pub fn map<T: Sync, R: Send>(items: &[T], threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads.min(items.len());
    if threads <= 1 {
        return items.iter().map(work).collect();
    }
    std::thread::scope(|scope| {
        let share = |part| {
            let work = &work;
            scope.spawn(move || <[T]>::iter(part).map(work).collect::<Vec<R>>())
        };
        let handles: Vec<_> = items.chunks(items.len().div_ceil(threads)).map(share).collect();
        handles.into_iter().flat_map(|handle| handle.join().expect("a search does not panic")).collect()
    })
}
