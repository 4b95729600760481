//! Rows and vectors by key, each key once: what a store keeps that is gone with its process.

use super::store_keys::{StoreKey, StoreKeys};
use crate::error::Result;

/// Rows of bytes by key, and vectors by model and key; of a vector it has what stands for it.
///
/// ```
/// let (mut table, key) = (byheart_core::records::Table::default(), ["ada", "notes", "public", "tea"]);
/// table.put(key, b"green")?;
/// table.keep("model", key, 1.5)?;
/// assert_eq!((table.row(key), table.vector("model", key)), (Some(&b"green"[..]), Some(&1.5)));
/// # Ok::<(), byheart_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Table<V> {
    keys: StoreKeys,
    rows: Vec<Option<Box<[u8]>>>, // by place
    held: usize,                  // rows that are there
    vectors: Vec<(String, Vec<Option<V>>)>,
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Self { keys: StoreKeys::default(), rows: Vec::new(), held: 0, vectors: Vec::new() }
    }
}

impl<V> Table<V> {
    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.held
    }

    /// True if there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.held == 0
    }

    /// Puts a row, in place of the one that a key had.
    ///
    /// # Errors
    /// [`crate::Error::LimitExceeded`] for names that no record can have.
    pub fn put(&mut self, key: StoreKey<'_>, row: &[u8]) -> Result<()> {
        let place = self.keys.insert(key)?;
        let before = at(&mut self.rows, place).replace(row.into());
        self.held += usize::from(before.is_none());
        Ok(())
    }

    /// The row of a key.
    #[must_use]
    pub fn row(&self, key: StoreKey<'_>) -> Option<&[u8]> {
        self.rows.get(self.keys.place(key)? as usize)?.as_deref()
    }

    /// Forgets the row of a key; its vectors stay.
    pub fn remove(&mut self, key: StoreKey<'_>) {
        let Some(place) = self.keys.place(key) else { return };
        let before = self.rows.get_mut(place as usize).and_then(Option::take);
        self.held -= usize::from(before.is_some());
        self.leave(place);
    }

    /// The keys that have a row, and their rows.
    pub fn rows(&self) -> impl Iterator<Item = (u32, &[u8])> {
        (0..).zip(&self.rows).filter_map(|(place, row)| Some((place, row.as_deref()?)))
    }

    /// The keys, by place.
    #[must_use]
    pub fn keys(&self) -> &StoreKeys {
        &self.keys
    }

    /// Keeps the vector that a model made of what a key stands for, in place of the one it had.
    ///
    /// # Errors
    /// [`crate::Error::LimitExceeded`] for names that no record can have.
    pub fn keep(&mut self, model: &str, key: StoreKey<'_>, vector: V) -> Result<()> {
        let place = self.keys.insert(key)?;
        let known = self.vectors.iter().position(|(name, _)| name == model);
        let known = known.unwrap_or_else(|| {
            self.vectors.push((model.to_owned(), Vec::new()));
            self.vectors.len() - 1
        });
        *at(&mut self.vectors[known].1, place) = Some(vector);
        Ok(())
    }

    /// The vector that a model made of what a key stands for.
    #[must_use]
    pub fn vector(&self, model: &str, key: StoreKey<'_>) -> Option<&V> {
        let (_, vectors) = self.vectors.iter().find(|(name, _)| name == model)?;
        vectors.get(self.keys.place(key)? as usize)?.as_ref()
    }

    /// The vectors of a model and the places of their keys.
    pub fn vectors(&self, model: &str) -> impl Iterator<Item = (u32, &V)> {
        let own = self.vectors.iter().find(|(name, _)| name == model);
        let vectors = own.map_or(&[][..], |(_, vectors)| vectors);
        (0..).zip(vectors).filter_map(|(place, vector)| Some((place, vector.as_ref()?)))
    }

    /// Forgets the vectors of a key, of every model.
    pub fn remove_vectors(&mut self, key: StoreKey<'_>) {
        let Some(place) = self.keys.place(key) else { return };
        for (_, vectors) in &mut self.vectors {
            if let Some(vector) = vectors.get_mut(place as usize) {
                *vector = None;
            }
        }
        self.leave(place);
    }

    /// True if a vector of another model is kept.
    #[must_use]
    pub fn has_others(&self, model: &str) -> bool {
        self.vectors.iter().any(|(name, vectors)| name != model && vectors.iter().any(Option::is_some))
    }

    /// Forgets the vectors of every other model.
    pub fn keep_only(&mut self, model: &str) {
        self.vectors.retain(|(name, _)| name == model);
        for place in 0..self.keys.places() {
            self.leave(place);
        }
    }

    /// Forgets the key in a place where nothing is left of it.
    fn leave(&mut self, place: u32) {
        let at = place as usize;
        let is_left = |vectors: &Vec<Option<V>>| vectors.get(at).is_some_and(Option::is_some);
        if self.rows.get(at).is_none_or(Option::is_none) && !self.vectors.iter().any(|(_, own)| is_left(own)) {
            self.keys.remove(place);
        }
    }
}

/// What lies in a place, for which there is room then.
fn at<T>(places: &mut Vec<Option<T>>, place: u32) -> &mut Option<T> {
    let place = place as usize;
    if places.len() <= place {
        places.resize_with(place + 1, || None);
    }
    &mut places[place]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Names = [String; 4];

    fn names(key: &Names) -> StoreKey<'_> {
        key.each_ref().map(String::as_str)
    }

    proptest! {
        #[test]
        fn the_table_agrees_with_standard_maps(
            steps in prop::collection::vec((0_u8..8, [".{0,2}", "[a:1]{0,2}", "[a1]{0,2}", "[a-c]{1,2}"], "[mn]", 0_u8..9), 0..80)
        ) {
            let mut table = Table::default();
            let (mut rows, mut vectors) = (BTreeMap::<Names, u8>::new(), BTreeMap::<(String, Names), u8>::new());
            for (step, key, model, value) in steps {
                match step {
                    0..3 => {
                        table.put(names(&key), &[value]).unwrap();
                        rows.insert(key.clone(), value);
                    }
                    3 | 4 => {
                        table.keep(&model, names(&key), value).unwrap();
                        vectors.insert((model.clone(), key.clone()), value);
                    }
                    5 => {
                        table.remove(names(&key));
                        rows.remove(&key);
                    }
                    6 => {
                        table.remove_vectors(names(&key));
                        vectors.retain(|(_, of), _| *of != key);
                    }
                    _ => {
                        table.keep_only(&model);
                        vectors.retain(|(of, _), _| *of == model);
                    }
                }
                prop_assert_eq!(table.row(names(&key)), rows.get(&key).map(std::slice::from_ref));
                prop_assert_eq!(table.vector(&model, names(&key)), vectors.get(&(model.clone(), key.clone())));
                prop_assert_eq!((table.len(), table.is_empty()), (rows.len(), rows.is_empty()));
                prop_assert_eq!(table.has_others(&model), vectors.keys().any(|(of, _)| *of != model));
                let said = |place| table.keys().key(place).map(str::to_owned);
                let all: BTreeMap<_, _> = table.rows().map(|(place, row)| (said(place), row[0])).collect();
                prop_assert_eq!(&all, &rows);
                for of in ["m", "n"] {
                    let all: BTreeMap<_, _> =
                        table.vectors(of).map(|(place, &vector)| ((of.to_owned(), said(place)), vector)).collect();
                    let own = vectors.iter().filter(|((name, _), _)| name == of);
                    prop_assert_eq!(all, own.map(|(key, vector)| (key.clone(), *vector)).collect::<BTreeMap<_, _>>());
                }
                let held = rows.keys().chain(vectors.keys().map(|(_, key)| key));
                prop_assert_eq!(table.keys().len(), held.collect::<std::collections::BTreeSet<_>>().len());
            }
        }
    }
}
