//! Scenes that are built in.
