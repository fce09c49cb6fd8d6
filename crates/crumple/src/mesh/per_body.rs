//! What a method keeps for each body, as long as the body stays the same version.

use std::collections::{HashMap, HashSet};
use std::ops::{Index, IndexMut};

use super::{Bodies, Mesh};
use crate::BodyId;

/// One value for each body, in the order of the bodies.
///
/// # Invariant
/// After [`PerBody::follow`] value i was built for, or edited to, the very version that is body i.
#[derive(Debug, Clone)]
pub(crate) struct PerBody<T> {
    meshes: Vec<Mesh>,
    values: Vec<T>,
}

impl<T> Default for PerBody<T> {
    fn default() -> Self {
        Self { meshes: Vec::new(), values: Vec::new() }
    }
}

impl<T> PerBody<T> {
    /// Keeps the values of meshes that are the same version as before, wherever they stand in the list now, and makes the
    /// others by `renew`, which is also handed the value and mesh of another version of the same body, if one was there and
    /// is not any more, to be edited or dropped. Says whether anything is different. O(n) for n bodies, and without memory when
    /// nothing is.
    pub fn follow(
        &mut self,
        bodies: &Bodies,
        mut renew: impl FnMut(BodyId, Option<T>, Option<&Mesh>, &Mesh) -> T,
    ) -> bool {
        let new = bodies.meshes();
        if self.meshes.len() == new.len() && self.meshes.iter().zip(new).all(|(old, new)| old.is_same(new)) {
            return false;
        }
        let meshes = std::mem::take(&mut self.meshes);
        let mut values: Vec<Option<T>> = self.values.drain(..).map(Some).collect();
        let mut source: Vec<Option<usize>> = vec![None; new.len()];
        let mut is_free = vec![true; meshes.len()];
        // In place first: one mesh may stand for several bodies.
        for (i, (old, new)) in meshes.iter().zip(new).enumerate() {
            if old.is_same(new) {
                (source[i], is_free[i]) = (Some(i), false);
            }
        }
        for key in [Mesh::identity, Mesh::lineage] {
            // Taken from the end, so that the first of equals goes to the first.
            let mut places: HashMap<usize, Vec<usize>> = HashMap::new();
            for i in (0..meshes.len()).rev().filter(|&i| is_free[i]) {
                places.entry(key(&meshes[i])).or_default().push(i);
            }
            for (source, mesh) in source.iter_mut().zip(new).filter(|(source, _)| source.is_none()) {
                *source = places.get_mut(&key(mesh)).and_then(Vec::pop);
                if let Some(i) = *source {
                    is_free[i] = false;
                }
            }
        }
        for ((id, mesh), source) in bodies.body_ids().zip(new).zip(source) {
            let (old, value) = (source.map(|i| &meshes[i]), source.and_then(|i| values[i].take()));
            self.values.push(match (old, value) {
                (Some(old), Some(value)) if old.is_same(mesh) => value,
                (old, value) => renew(id, value, old, mesh),
            });
        }
        self.meshes.extend_from_slice(new);
        true
    }

    /// Whether every body is in the place where it was, edited or not, so that [`PerBody::follow`] leaves every value in its place.
    pub fn are_in_place(&self, bodies: &Bodies) -> bool {
        let new = bodies.meshes();
        let edited = || self.meshes.iter().zip(new).filter(|(old, new)| !old.is_same(new));
        let gone: HashSet<usize> = edited().map(|(old, _)| old.identity()).collect();
        self.meshes.len() == new.len()
            && edited().all(|(old, new)| new.is_version_of(old) && !gone.contains(&new.identity()))
    }

    /// Triangles of the bodies of which no version is here.
    pub fn new_triangles(&self, bodies: &Bodies) -> usize {
        let is_known = |(n, mesh): (usize, &Mesh)| {
            self.meshes.get(n).is_some_and(|known| known.lineage() == mesh.lineage())
        };
        let meshes = bodies.meshes().iter().enumerate().filter(|pair| !is_known(*pair));
        meshes.map(|(_, mesh)| mesh.triangle_count()).sum()
    }

    /// Number of bodies.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The value of a body, if there is one of that number.
    #[cfg(feature = "published")]
    pub fn get(&self, body: BodyId) -> Option<&T> {
        self.values.get(body.index())
    }

    /// The values, body after body.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The values, body after body.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The versions that the values belong to.
    pub fn meshes(&self) -> &[Mesh] {
        &self.meshes
    }

    /// Versions and values.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Mesh, &mut T)> {
        self.meshes.iter().zip(&mut self.values)
    }
}

impl<T> Index<BodyId> for PerBody<T> {
    type Output = T;

    #[inline]
    fn index(&self, body: BodyId) -> &T {
        &self.values[body.index()]
    }
}

impl<T> IndexMut<BodyId> for PerBody<T> {
    #[inline]
    fn index_mut(&mut self, body: BodyId) -> &mut T {
        &mut self.values[body.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TriangleKey;
    use proptest::prelude::*;

    fn sheet(name: &str) -> Mesh {
        Mesh::from_triangles(name, 4, &[[0, 1, 2], [0, 2, 3]]).expect("sound")
    }

    fn edited(mesh: &Mesh) -> Mesh {
        let mut edit = mesh.edit();
        edit.remove_triangle(TriangleKey(0)).expect("there");
        edit.finish().0
    }

    #[test]
    fn values_move_with_their_meshes() {
        let [a, b, c] = ["a", "b", "c"].map(sheet);
        let mut kept = PerBody::default();
        let mut serial = 0..;
        let mut follow = |kept: &mut PerBody<usize>, list: &[&Mesh]| {
            let bodies = Bodies::new(list.iter().copied().cloned()).expect("few");
            let changed = kept.follow(&bodies, |_, _, _, _| serial.next().expect("endless"));
            (changed, kept.values().to_vec())
        };
        assert_eq!(follow(&mut kept, &[]), (false, vec![]));
        assert_eq!(follow(&mut kept, &[&a, &b, &c]), (true, vec![0, 1, 2]));
        assert_eq!(follow(&mut kept, &[&a, &b, &c]), (false, vec![0, 1, 2]));
        assert_eq!(follow(&mut kept, &[&b, &c]), (true, vec![1, 2]), "the first is removed");
        assert_eq!(follow(&mut kept, &[&c, &a, &b]), (true, vec![2, 3, 1]), "and comes back anew");
        let next = edited(&c);
        let in_place = |kept: &PerBody<usize>, list: [&Mesh; 3]| {
            kept.are_in_place(&Bodies::new(list.map(Mesh::clone)).expect("few"))
        };
        assert!(in_place(&kept, [&next, &a, &b]) && in_place(&kept, [&c, &a, &b]));
        assert!(!in_place(&kept, [&next, &b, &a]));
        assert_eq!(follow(&mut kept, &[&next, &a, &b]), (true, vec![4, 3, 1]), "an edit is another version");
        assert_eq!(follow(&mut kept, &[&b, &b, &a, &b]), (true, vec![1, 5, 3, 6]), "one mesh, many bodies");
        assert_eq!(follow(&mut kept, &[&b, &a, &b]), (true, vec![1, 3, 5]));
        assert_eq!((kept.len(), kept[BodyId(1)]), (3, 3));
    }

    #[test]
    fn an_edited_version_is_handed_its_predecessor() {
        let [a, b] = ["a", "b"].map(sheet);
        let list = |meshes: [&Mesh; 2]| Bodies::new(meshes.map(Mesh::clone)).expect("few");
        let mut kept = PerBody::default();
        kept.follow(&list([&a, &b]), |id, _, _, _| vec![id.0]);
        let (next, other) = (edited(&a), sheet("a"));
        assert!(next.is_version_of(&a) && !other.is_version_of(&a));
        kept.follow(&list([&b, &next]), |id, value, old, mesh| {
            assert!(id == BodyId(1) && old.is_some_and(|m| m.is_same(&a)) && mesh.is_same(&next));
            let mut value = value.expect("kept");
            value.push(9);
            value
        });
        assert_eq!(kept.values(), [vec![1], vec![0, 9]]);
        kept.follow(&list([&b, &other]), |_, value, old, _| {
            assert!(value.is_none() && old.is_none(), "of the same name, but another body");
            vec![]
        });
        assert_eq!(kept.values(), [vec![1], vec![]]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn every_value_belongs_to_its_version(
            lists in prop::collection::vec(prop::collection::vec(0usize..12, 0..8), 1..8),
        ) {
            let first: Vec<Mesh> = (0..6).map(|i| sheet(&i.to_string())).collect();
            let all: Vec<Mesh> = first.iter().cloned().chain(first.iter().map(edited)).collect();
            let mut kept = PerBody::default();
            let mut before: Vec<usize> = Vec::new();
            for list in lists {
                let bodies = Bodies::new(list.iter().map(|&i| all[i].clone())).expect("few");
                let mut built = Vec::new();
                let changed = kept.follow(&bodies, |id, old, _, _| {
                    built.push((list[id.index()], old));
                    list[id.index()]
                });
                prop_assert_eq!(changed, list != before);
                prop_assert_eq!(kept.values(), &list[..]);
                // As many were built as the list before could not serve, and no predecessor is of another body.
                let lacks = (0..12).map(|i| {
                    let count = |l: &[usize]| l.iter().filter(|&&j| j == i).count();
                    count(&list).saturating_sub(count(&before))
                });
                prop_assert_eq!(built.len(), lacks.sum::<usize>());
                prop_assert!(built.iter().all(|(new, old)| old.is_none_or(|old| old % 6 == new % 6 && old != *new)));
                before = list;
            }
        }
    }
}
