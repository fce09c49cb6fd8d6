//! The nodes of a Gmsh file, and the way from a tag to a vertex.

/// Nodes in file order.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    /// Whether a `$Nodes` section was there, even an empty one.
    pub has_section: bool,
    pub positions: Vec<[f64; 3]>,
    /// Tag of each node.
    tags: Vec<u64>,
    index: Option<Index>,
}

/// From tags to vertices.
#[derive(Debug)]
enum Index {
    /// `vertices[tag]`, `u32::MAX` where no node has that tag.
    Dense(Vec<u32>),
    /// Pairs of tag and vertex, sorted.
    Sorted(Vec<(u64, u32)>),
}

impl Nodes {
    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Makes room for nodes that are about to come.
    pub fn reserve(&mut self, count: usize) {
        self.positions.reserve(count);
        self.tags.reserve(count);
    }

    /// Appends the next node.
    #[inline]
    pub fn push(&mut self, tag: u64, position: [f64; 3]) {
        self.positions.push(position);
        self.tags.push(tag);
    }

    /// Prepares [`Nodes::vertex`]; the error is a tag that two nodes share.
    pub fn make_index(&mut self) -> Result<(), String> {
        const NONE: u32 = u32::MAX;
        if self.len() >= NONE as usize {
            return Err("more than 2^32 - 2 nodes".into());
        }
        let max = self.tags.iter().copied().max().unwrap_or(0);
        // A table is about ten times faster than a search; at four entries a node it takes 16 bytes of each.
        if max <= 4 * self.len() as u64 + 1024 {
            let mut vertices = vec![NONE; max as usize + 1];
            for (vertex, &tag) in self.tags.iter().enumerate() {
                if vertices[tag as usize] != NONE {
                    return Err(format!("node {tag} appears twice"));
                }
                vertices[tag as usize] = vertex as u32;
            }
            self.index = Some(Index::Dense(vertices));
        } else {
            let mut pairs: Vec<_> =
                self.tags.iter().enumerate().map(|(vertex, &tag)| (tag, vertex as u32)).collect();
            pairs.sort_unstable();
            if let Some(pair) = pairs.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(format!("node {} appears twice", pair[0].0));
            }
            self.index = Some(Index::Sorted(pairs));
        }
        Ok(())
    }

    /// Whether the index was made; no node may be added then.
    pub fn has_index(&self) -> bool {
        self.index.is_some()
    }

    /// The vertex with this tag.
    #[inline]
    pub fn vertex(&self, tag: u64) -> Option<u32> {
        match self.index.as_ref()? {
            Index::Dense(vertices) => {
                vertices.get(usize::try_from(tag).ok()?).copied().filter(|&vertex| vertex != u32::MAX)
            }
            Index::Sorted(pairs) => {
                pairs.binary_search_by_key(&tag, |pair| pair.0).ok().map(|found| pairs[found].1)
            }
        }
    }

    /// The vertices of element `element` from its node tags, written to `vertices`.
    pub fn vertices(&self, element: u64, tags: &[u64], vertices: &mut [u32]) -> Result<(), String> {
        for (vertex, &tag) in vertices.iter_mut().zip(tags) {
            *vertex = self
                .vertex(tag)
                .ok_or_else(|| format!("element {element} uses node {tag}, which the file does not have"))?;
        }
        Ok(())
    }
}
