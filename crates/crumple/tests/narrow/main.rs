//! The narrow phase against exact arithmetic, ties first.

mod boxes;
mod contacts;
mod data;
mod distances;
mod generate;
mod oracle;
mod signs;
mod tets;
mod tri_tri;
mod winding;
