//! Answers within a budget: what is found is exact, and what was not come to is told.

use std::time::Instant;

use super::bodies::lay_out;
use super::{Answer, Contact, Followed, Scene};
use crate::detector::Method;
use crate::methods::bucket_tree::{BucketTree, BucketTreeParams, Undecided};
use crate::{BodyId, Budget, Contacts, Distance, Error, Frame, Guarantee, Pairs, Stats};

/// Contacts that were found within a budget.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
pub struct BudgetedContacts {
    /// Contacts, exact and sorted; all of them when nothing is undecided.
    pub contacts: Answer<Contact>,
    /// Where the search did not come to: every contact that is missing is between two of these regions.
    pub undecided: Vec<Undecided>,
}

impl BudgetedContacts {
    /// Whether these are all contacts.
    pub fn is_complete(&self) -> bool {
        self.undecided.is_empty()
    }
}

/// The structure that answers within a budget, and how long it took to bring it to a frame.
#[derive(Default)]
pub(super) struct BudgetedSearch {
    pub tree: Followed<BucketTree>,
    /// Seconds for each triangle, at the last frame; the first is guessed.
    pace: Option<f64>,
}

/// Seconds for a triangle of which nothing is known: what building takes.
const FIRST_PACE: f64 = 100e-9;

impl Scene {
    /// The contacts that can be found within a budget, refit included; see [`Budget`]. An unlimited budget is
    /// [`Scene::contacts`].
    ///
    /// What is found is exact. Where the search did not come to is told as pairs of regions, with a bound on how many pairs
    /// of triangles can touch there. When there is not even time to bring the structure to this frame, bodies whose boxes
    /// overlap are the regions.
    ///
    /// ```
    /// use crumple::{Budget, Mesh, Scene};
    /// use std::time::Duration;
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let mut scene = Scene::new();
    /// # let body = scene.add(Mesh::from_triangles("one", 3, &[[0, 1, 2]])?, &at(0.0)[..])?;
    /// # let other = scene.add(Mesh::from_triangles("two", 3, &[[0, 1, 2]])?, &at(0.0)[..])?;
    /// let found = scene.contacts_budgeted(Budget::time(Duration::from_millis(100)))?;
    /// assert!(found.is_complete() && found.contacts.len() == 1);
    /// let found = scene.contacts_budgeted(Budget::visits(0))?;
    /// assert!(found.contacts.is_empty());
    /// assert!(found.undecided.iter().any(|u| u.bodies == [body, other] && u.most == 1));
    /// assert_eq!(found.contacts.guarantee, crumple::Guarantee::Partial);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn contacts_budgeted(&mut self, budget: Budget) -> Result<BudgetedContacts, Error> {
        if budget.is_unlimited() || self.contacts.is_some() {
            return Ok(BudgetedContacts { contacts: self.contacts()?, undecided: Vec::new() });
        }
        let start = Instant::now();
        let count: usize = self.meshes.iter().map(|m| m.triangle_count()).sum();
        let expected = self.budgeted.pace.unwrap_or(FIRST_PACE) * count as f64;
        if !self.budgeted.tree.is_current && budget.is_time_below(expected) {
            return Ok(self.all_undecided());
        }
        self.is_asked = true;
        let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
        let frame = Self::frame(&self.positions);
        let BudgetedSearch { tree, pace } = &mut self.budgeted;
        let was_current = tree.is_current;
        let build = || BucketTree::new(BucketTreeParams::default());
        let tree = tree.at(frame, build, |tree, frame| Method::follow(tree, bodies, frame))?;
        if !was_current {
            *pace = Some(start.elapsed().as_secs_f64() / count.max(1) as f64);
        }
        let (rest, frame) = (budget.less(start.elapsed()), frame.at_rest());
        let ended = tree.contacts_budgeted(bodies, frame, Pairs::All, rest, &mut self.found)?;
        let contacts = Self::named(bodies, frame, &mut self.found, self.fresh_cuts.surfaces.clone());
        let contacts: Vec<Contact> =
            contacts.into_iter().filter(|c| self.filter.allows(c.a.body, c.b.body)).collect();
        let mut undecided = ended.undecided;
        undecided.retain(|u| self.filter.allows(u.bodies[0], u.bodies[1]));
        let guarantee = if undecided.is_empty() { Guarantee::Proved } else { Guarantee::Partial };
        let contacts = Answer::new(contacts, "bucket-tree", guarantee, ended.stats);
        Ok(BudgetedContacts { contacts, undecided })
    }

    /// The distance of two bodies as far as it can be told within a budget: it lies between `lower` and `upper`, and the
    /// points are `upper` apart. `None` as for [`Scene::distance`].
    ///
    /// ```
    /// use crumple::{Budget, Mesh, Scene};
    /// # let at = |z: f64| [[0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]];
    /// # let triangle = |name: &str| Mesh::from_triangles(name, 3, &[[0, 1, 2]]);
    /// # let mut scene = Scene::new();
    /// # let low = scene.add(triangle("low")?, &at(0.0)[..])?;
    /// # let high = scene.add(triangle("high")?, &at(1.0)[..])?;
    /// let found = scene.distance_budgeted([low, high], Budget::visits(0))?.expect("both have triangles");
    /// assert!(found.lower <= 1.0 && 1.0 <= found.upper);
    /// # Ok::<(), crumple::Error>(())
    /// ```
    pub fn distance_budgeted(
        &mut self,
        bodies: [BodyId; 2],
        budget: Budget,
    ) -> Result<Option<Distance>, Error> {
        bodies.into_iter().try_for_each(|body| self.check_body(body))?;
        let start = Instant::now();
        let hierarchy = self.hierarchy()?;
        let found = hierarchy.budgeted(bodies, budget.less(start.elapsed()))?;
        Ok(found.map(|d| self.localised(d)))
    }

    /// Nothing is known but the boxes of bodies.
    fn all_undecided(&mut self) -> BudgetedContacts {
        let mut pairs = self.box_pairs(0.0);
        pairs.extend(self.ids().map(|id| [id, id]).filter(|[id, _]| self.filter.allows(*id, *id)));
        pairs.sort_unstable();
        let size = |id: BodyId| self.meshes[id.index()].triangle_count() as u64;
        let undecided = pairs.into_iter().map(|[a, b]| {
            let most = if a == b { size(a) * size(a).saturating_sub(1) / 2 } else { size(a) * size(b) };
            Undecided { bodies: [a, b], boxes: [a, b].map(|id| *self.box_of(id.index())), most }
        });
        let undecided: Vec<Undecided> = undecided.filter(|u| u.most > 0).collect();
        let guarantee = if undecided.is_empty() { Guarantee::Proved } else { Guarantee::Partial };
        let contacts = Answer::new(Vec::new(), "bucket-tree", guarantee, Stats::default());
        BudgetedContacts { contacts, undecided }
    }

    /// Contacts by the names of their bodies, without those that fresh cuts explain.
    fn named(
        bodies: &crate::Bodies,
        frame: Frame<'_>,
        found: &mut Contacts,
        mut fresh_cuts: crate::cut::FreshCuts,
    ) -> Vec<Contact> {
        fresh_cuts.filter(bodies, frame, found);
        found.triangle_pairs.iter().map(|&pair| Contact::new(bodies, pair)).collect()
    }
}
