//! The narrow phase against exact rational arithmetic, ties first.

mod generate;
mod oracle;
mod tets;
mod tri_tri;
