//! Answers within a budget: what is found is exact, and what was not come to is told.

use super::bodies::lay_out;
use super::{Answer, Contact, Scene, SurfaceMethod};
use crate::budget::{Budgeted, Undecided};
use crate::detector::Method;
use crate::methods::bucket_tree::{BucketTree, BucketTreeParams};
use crate::{BodyId, Budget, Distance, Error, Frame, Guarantee, Pairs, Stats};

/// Contacts that were found within a budget.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[must_use]
#[non_exhaustive]
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

impl Scene {
    /// The contacts that can be found within a budget, refit included; see [`Budget`]. An unlimited budget is
    /// [`Scene::contacts`].
    ///
    /// What is found is exact. Where the search did not come to is told as pairs of regions, with a bound on how many pairs
    /// of triangles can touch there. When there is not even time to bring the structure to this frame, bodies whose boxes
    /// overlap are the regions. A structure is only built when that is expected to fit into the time: [`Scene::prepare`]
    /// builds it while there is enough.
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
        let mut meter = budget.start();
        let clock = meter.clock();
        if clock.is_set() {
            // The least that can be told; found now, it does not come on top of a time that is over.
            for n in 0..self.meshes.len() {
                let _ = self.box_of(n);
            }
        }
        // What cannot stop is not asked.
        let is_other =
            matches!(self.forced.surfaces, Some(SurfaceMethod::SpatialHash | SurfaceMethod::BruteForce));
        let is_followed = if is_other {
            self.is_asked = true;
            let bodies = self.laid_out.get_or_init(|| lay_out(&self.meshes));
            let build = || BucketTree::new(BucketTreeParams::default());
            let follow = |tree: &mut BucketTree, frame: Frame<'_>| tree.follow_until(bodies, frame, clock);
            self.stoppable
                .at_until(Self::frame(&self.positions, &self.boxes, &self.near), build, follow)?
                .is_some()
        } else {
            self.follow_surfaces_until(clock)?
        };
        if !is_followed {
            return Ok(self.all_undecided());
        }
        let bodies = self.laid_out.get().expect("laid out to follow");
        let frame = Self::frame(&self.positions, &self.boxes, &self.near);
        let method: &mut dyn Method = match &mut self.stoppable.method {
            Some(tree) if is_other => tree,
            _ => self.surfaces.current_mut().expect("it follows").as_mut(),
        };
        method.limit(self.limit.unwrap_or(usize::MAX));
        self.found.clear();
        let name = method.name();
        let ended = method.contacts_budgeted(bodies, frame, Pairs::All, &mut meter, &mut self.found);
        let Budgeted { stats, mut undecided } = ended.expect("these methods can stop");
        self.check_rows(self.found.triangle_pairs.len())?;
        // Of a cut some contacts may be missing, so what they say of it holds for this answer only.
        self.fresh_cuts.surfaces.clone().filter(bodies, frame, &mut self.found);
        let contacts = self.found.triangle_pairs.iter().map(|&pair| Contact::new(bodies, pair));
        let contacts = contacts.filter(|c| self.filter.allows(c.a.body, c.b.body)).collect();
        undecided.retain(|u| self.filter.allows(u.bodies[0], u.bodies[1]));
        let guarantee = if undecided.is_empty() { Guarantee::Proved } else { Guarantee::Partial };
        Ok(BudgetedContacts { contacts: Answer::new(contacts, name, guarantee, stats), undecided })
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
        let meter = budget.start();
        let found = match self.hierarchy_until(meter.clock())? {
            Some(hierarchy) => hierarchy.metered(bodies, &meter)?,
            None => return self.distance_unknown(bodies),
        };
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
}
