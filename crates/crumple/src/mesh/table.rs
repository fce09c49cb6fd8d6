//! The elements of one kind: corners, keys that last, and where each key is.

use std::sync::OnceLock;

use super::rows::Rows;

/// No element has this key any more.
const GONE: u32 = u32::MAX;

/// Elements of N corners. An element that is removed leaves its id to the last one.
#[derive(Debug)]
pub(super) struct Table<const N: usize> {
    pub corners: Rows<[u32; N]>,
    /// The corners in one array, once that is asked for.
    flat: OnceLock<Vec<[u32; N]>>,
    /// `None` while keys equal ids.
    keys: Option<Keys>,
    /// The next key to give out.
    pub next_key: u32,
}

#[derive(Debug, Clone)]
struct Keys {
    /// The key of each id.
    of: Rows<u32>,
    /// The id of each key.
    ids: Rows<u32>,
}

impl<const N: usize> Clone for Table<N> {
    fn clone(&self) -> Self {
        Self {
            corners: self.corners.clone(),
            flat: OnceLock::new(),
            keys: self.keys.clone(),
            next_key: self.next_key,
        }
    }
}

impl<const N: usize> From<Vec<[u32; N]>> for Table<N> {
    fn from(corners: Vec<[u32; N]>) -> Self {
        let next_key = corners.len() as u32;
        Self { corners: corners.into(), flat: OnceLock::new(), keys: None, next_key }
    }
}

impl<const N: usize> Table<N> {
    pub fn len(&self) -> usize {
        self.corners.len()
    }

    /// All corners in one array, when there is one.
    pub fn known_flat(&self) -> Option<&[[u32; N]]> {
        self.corners.as_slice().or_else(|| Some(self.flat.get()?))
    }

    /// All corners in one array. After an edit that array is made when it is first asked for.
    pub fn flat(&self) -> &[[u32; N]] {
        match self.corners.as_slice() {
            Some(all) => all,
            None => self.flat.get_or_init(|| self.corners.to_vec()),
        }
    }

    pub fn key(&self, id: u32) -> u32 {
        assert!((id as usize) < self.len(), "element {id} of {}", self.len());
        self.keys.as_ref().map_or(id, |keys| keys.of.get(id as usize))
    }

    pub fn id_of(&self, key: u32) -> Option<u32> {
        match &self.keys {
            None => ((key as usize) < self.len()).then_some(key),
            Some(keys) if (key as usize) < keys.ids.len() => {
                Some(keys.ids.get(key as usize)).filter(|&id| id != GONE)
            }
            Some(_) => None,
        }
    }

    /// Appends an element under the next key; returns its id and key.
    pub fn push(&mut self, corners: [u32; N]) -> (u32, u32) {
        let (id, key) = (self.len() as u32, self.next_key);
        let keys = self.keys();
        keys.of.push(key);
        while keys.ids.len() <= key as usize {
            keys.ids.push(GONE);
        }
        keys.ids.set(key as usize, id);
        self.corners.push(corners);
        self.next_key += 1;
        (id, key)
    }

    /// Removes an element. Its id goes to the last one, whose corners are returned, unless it was the last itself.
    pub fn remove(&mut self, id: u32) -> Option<[u32; N]> {
        let key = self.key(id);
        let last = self.corners.pop().expect("an element is there");
        let at = self.len();
        let keys = self.keys();
        let last_key = keys.of.pop().expect("as many keys as elements");
        keys.ids.set(key as usize, GONE);
        if id as usize == at {
            return None;
        }
        keys.of.set(id as usize, last_key);
        keys.ids.set(last_key as usize, id);
        self.corners.set(id as usize, last);
        Some(last)
    }

    fn keys(&mut self) -> &mut Keys {
        let (len, next) = (self.corners.len() as u32, self.next_key);
        self.keys.get_or_insert_with(|| {
            let all = |n: u32| Rows::from((0..n).collect::<Vec<u32>>());
            // Without keys of their own, elements were never removed; one that is on its way out counts still.
            Keys { of: all(len.max(next)), ids: all(next) }
        })
    }
}
