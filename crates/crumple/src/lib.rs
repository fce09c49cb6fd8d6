//! Collision detection for meshes that change shape.
