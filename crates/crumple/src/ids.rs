//! Typed ids: a vertex cannot be taken for a triangle.
//!
//! In a [`Mesh`](crate::Mesh) ids count from 0 within the body. In a [`Bodies`](crate::Bodies) the ids of body after
//! body follow each other, so that every body owns one contiguous range; [`Bodies`](crate::Bodies) converts both ways.

// The derives write `unsafe impl Pod`, which is sound: each id is a transparent `u32`.
#![allow(unsafe_code)]

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, bytemuck::Pod, bytemuck::Zeroable)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// As a place in an array.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<u32> for $name {
            #[inline]
            fn from(id: u32) -> Self {
                Self(id)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// A vertex.
    VertexId
);
id!(
    /// An edge of a surface, or of a tetrahedral mesh where that is said.
    EdgeId
);
id!(
    /// A triangle of a surface, or of the boundary of a tetrahedral mesh.
    TriangleId
);
id!(
    /// A polygon as it was given, before it was split into triangles.
    PolygonId
);
id!(
    /// A tetrahedron.
    TetId
);
id!(
    /// A body of a mesh, in the order in which bodies were given.
    BodyId
);
id!(
    /// Stable key of a triangle: edits change [`TriangleId`]s, never keys.
    TriangleKey
);
id!(
    /// Stable key of a tetrahedron: edits change [`TetId`]s, never keys.
    TetKey
);
