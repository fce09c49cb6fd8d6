//! `crumple overlap`: the volume that two closed surfaces share.
