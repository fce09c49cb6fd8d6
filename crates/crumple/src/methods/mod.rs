//! The methods, and which to take when.
//!
//! | method | for | finds |
//! | --- | --- | --- |
//! | [`regularity`] | surfaces, best where triangles know their neighbours | intersecting triangles; in [`regularity::step`] what `swept_bvh` finds |
//! | [`bucket_tree`] | soups, and bodies that are cut, torn and fused | intersecting triangles, pairs of any primitives |
//! | [`spatial_hash`] | tetrahedral meshes | vertices inside tets, edges through them, depth |
//! | [`layered_depth`] | closed surfaces | shared volume with bounds, points inside |
//! | [`swept_bvh`] | a step between two frames, any triangles | vertices that hit triangles, edges that hit edges, and when |
//! | [`distance_hierarchy`] | surfaces | distance, closest features, pairs within a margin |
//! | [`brute_force`] | a few hundred elements, and doubt | everything, exactly |
//!
//! All are exact by default; [`Guarantee`](crate::Guarantee) says when an answer is not. A [`Scene`](crate::Scene)
//! chooses for you.
//!
//! Codes such as V13 or T-A5 on these pages cite the papers; [`guide::papers`](crate::guide::papers) has a line for each.

pub mod brute_force;
pub mod bucket_tree;
pub mod distance_hierarchy;
pub mod layered_depth;
pub mod regularity;
pub mod spatial_hash;
pub mod swept_bvh;
