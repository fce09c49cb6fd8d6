// What each paper says, in its words and in ours. Quotations are from the papers.

export const PAPERS = {
  volino: {
    short: 'Volino 1994: regularity',
    title: 'A smooth surface does not hit itself nearby',
    authors: 'P. Volino, N. Magnenat-Thalmann: Efficient self-collision detection on smoothly discretized surface animations using geometrical shape regularity. Eurographics 1994.',
    words: '“If we can find an area for which (a) there exists a vector that has positive dot product with the normals of every triangle of the area and if (b) the 2D projection of its contour along this direction does not intersect itself, then we need not look for self-intersections within that area.”',
    ours: [
      'Boxes of neighbours always overlap, so a tree of boxes wastes its time on triangles that merely hang together. The idea: look at a whole patch at once. If some direction sees all of its triangles from the front, the patch cannot have folded over. Only its outline could still run into itself; if that does not either, the patch is free, and none of its triangles is looked at.',
      'The paper then says that the outline hardly ever matters and proposes “to remove this contour collision test”. Here is a ramp where it matters: all its normals point up, and yet its second turn sinks through its first. Switch to the paper’s own rule and see what it does not see, in yellow.',
    ],
    legend: 'Painted: patches that are ruled out whole. Red: triangles that intersect. Yellow: missed by the rule without the outline test.',
    differs: 'The outline is tested, exactly, with bounds that make it cheap, so nothing is missed. Patches of about a dozen triangles are the leaves, directions are kept as masks, and what is left goes to exact signs.',
    time: 1.9, flatness: 0.15,
  },
  ganovelli: {
    short: 'Ganovelli 2000: bucket tree',
    title: 'Buckets for things that hang together in no way',
    authors: 'F. Ganovelli, J. Dingliana, C. O’Sullivan: BucketTree: Improving Collision Detection Between Deformable Objects. SCCG 2000.',
    words: '“Basically, we use an octree where the root is associated with the axis aligned bounding box of the object, and where each leaf contains the set of primitives which are inside the corresponding box (we use the term bucket to refer to the box associated with a leaf). At each time step the coordinates of the bounding box are updated and each primitive is placed in the right bucket.”',
    ours: [
      'A body that is cut, torn or melted has no lasting shape to build a tree on. So the tree is not built on the shape but on space: an octree over the body’s box, whose leaves are buckets. Each triangle drops into the bucket of one of its points, boxes are fitted round what the buckets hold, and two such trees are compared from the top.',
      'These two clouds of loose triangles share no vertex with anything. Nothing is known about neighbours, and nothing needs to be. In the paper a bucket’s box is its cell, so that what a triangle reaches outside of its cell can be missed. Switch to the paper’s own rule and see it, in yellow.',
    ],
    legend: 'Boxes: nodes and buckets, by level. Red: triangles that intersect. Yellow: missed by the paper’s rule.',
    differs: 'The octree adapts its depth, eight boxes to a node, refitted while that is good and rebuilt from Morton codes when it is not. The paper’s tree has a fixed depth.',
    time: 8.2, flatness: 1,
  },
  teschner: {
    short: 'Teschner 2003: spatial hashing',
    title: 'Endless space in a small table',
    authors: 'M. Teschner, B. Heidelberger, M. Müller, D. Pomeranets, M. Gross: Optimized Spatial Hashing for Collision Detection of Deformable Objects. VMV 2003.',
    words: '“The proposed algorithm employs a hash function for compressing a potentially infinite regular spatial grid. Although the hash function does not always provide a unique mapping of grid cells, it can be generated very efficiently and does not require complex data structures, such as octrees or BSPs.”',
    ours: [
      'Cut space into cells as large as an element. Throw every vertex into a pigeonhole that is computed from its cell. Then let every tetrahedron look into the pigeonholes of the cells that it covers, and ask of each vertex there: are you inside me?',
      'No tree, no neighbours, no box round the world. That a body hits itself is nothing special: a vertex is tested against every tet that does not own it.',
    ],
    legend: 'Boxes: cells that hold vertices. Red points: vertices inside a tet.',
    differs: 'Whether a vertex is inside is decided by exact signs rather than by barycentric coordinates in floating point, and eight tets search at a time.',
    time: 1.2, alpha: 0.45, flatness: 0.6,
  },
  heidelberger: {
    short: 'Heidelberger 2003: layered depth',
    title: 'How much of it is inside?',
    authors: 'B. Heidelberger, M. Teschner, M. Gross: Real-Time Volumetric Intersections of Deforming Objects. VMV 2003.',
    words: '“While many existing approaches consider object surfaces, our method is inherently volumetric. Rather than explicitly detecting surface intersections, the LDI provides a discrete representation of the intersection volume and allows for volume–based collision queries.”',
    ours: [
      'Shine parallel rays through the place where the boxes of two bodies overlap. Each ray notes where it enters a body and where it leaves: the layers. Put in order, they say which stretches of the ray lie in one body, and which in both. Added up, the stretches in both are the volume that the bodies share.',
      'It does not matter how the bodies deformed since the last frame, because nothing is kept from it.',
    ],
    legend: 'Points: where rays enter and leave. Red lines: stretches in both bodies.',
    differs: 'Rays follow the orientation of the surface instead of taking entries and exits by turns, so that bodies that overlap themselves come out right; and the volume comes with bounds that are proved.',
    time: 0.4, alpha: 0.35, flatness: 0.1,
  },
  madera: {
    short: 'Madera 2007: distance hierarchy',
    title: 'Ask the distance, and only where it is small',
    authors: 'F. A. Madera, A. M. Day, S. D. Laycock: A Distance Hierarchy to Detect Collisions Between Deformable Objects. 2007.',
    words: '“Having obtained the closest regions between two objects, we proceed to explore these regions by expanding them and detecting the closest sub-regions. […] The advantage of our algorithm is that we can follow the deformation of the surface with the representative vertices defined in the hierarchy.”',
    ours: [
      'Cut each surface into regions, and let one vertex speak for each. Being part of the mesh, it goes wherever the mesh goes; only the region’s radius has to be measured again. Two regions whose speakers are far apart, compared with their radii, are far apart. Where they are not, ask their parts.',
      'The paper calls two vertices that are close enough a collision. With its own rule switched on, see which pairs of regions it visits, and how many close ones it does not report.',
    ],
    legend: 'Circles: regions. Lines: distances that are compared, by level. Red: the shortest way.',
    differs: 'Speakers and radii give bounds that are proved, the search goes best first, and it ends at triangles, with the exact closest points. It continues from frame to frame where the last one ended.',
    time: 2.6, alpha: 0.55, flatness: 0.1,
  },
};
