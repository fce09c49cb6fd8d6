//! Sections of version 4.1: blocks, one for each entity of the geometry.

use crate::binary::Scalar;
use crate::elements::Elements;
use crate::numbers::Numbers;
use crate::text::Text;
use crate::{ReadError, Source};

use super::element_type::{MAX_NODES, element_type};
use super::nodes::Nodes;
use super::{Header, push};

/// What a section of blocks begins with; the smallest and largest tag that follow are of no use to us.
struct Announced {
    blocks: u64,
    items: u64,
}

fn read_announced(numbers: &mut Numbers<'_>, size: Scalar) -> Result<Announced, ReadError> {
    let blocks = numbers.integer(size, "the number of blocks")?;
    let items = numbers.integer(size, "the number of nodes or elements")?;
    numbers.skip(2, size, "the range of tags")?;
    Ok(Announced { blocks, items })
}

/// `$Nodes`: in each block `dimension entity parametric count`, then all tags, then all coordinates.
pub(super) fn read_nodes<'a>(
    source: &'a Source,
    text: Text<'a>,
    header: Header,
    nodes: &mut Nodes,
) -> Result<Text<'a>, ReadError> {
    nodes.has_section = true;
    let before = nodes.len();
    let size = header.size;
    let mut numbers = Numbers::new(source, text, header.storage);
    let announced = read_announced(&mut numbers, size)?;
    nodes.reserve(numbers.capacity(announced.items, 4, Scalar::F64));
    let mut tags: Vec<u64> = Vec::new();
    for _ in 0..announced.blocks {
        let dimension: i64 = numbers.integer(Scalar::I32, "the dimension of an entity")?;
        numbers.skip(1, Scalar::I32, "the number of an entity")?;
        let is_parametric = numbers.integer::<i64>(Scalar::I32, "the parametric flag")? != 0;
        let count: u64 = numbers.integer(size, "the number of nodes in a block")?;
        let parameters = if is_parametric { dimension.clamp(0, 3) as u64 } else { 0 };
        tags.clear();
        for _ in 0..count {
            tags.push(numbers.integer(size, "a node number")?);
        }
        for &tag in &tags {
            let position = numbers.position(source, Scalar::F64, nodes.len())?;
            nodes.push(tag, position);
            numbers.skip(parameters, Scalar::F64, "the parameters of a node")?;
        }
    }
    let found = (nodes.len() - before) as u64;
    if found != announced.items {
        let what = format!("{found} nodes where {} were announced", announced.items);
        return Err(source.error(numbers.place(), what));
    }
    Ok(numbers.into_text())
}

/// `$Elements`: in each block `dimension entity type count`, then `element nodes…` each.
pub(super) fn read_elements<'a>(
    source: &'a Source,
    text: Text<'a>,
    header: Header,
    nodes: &Nodes,
    elements: &mut Elements,
) -> Result<Text<'a>, ReadError> {
    let size = header.size;
    let mut numbers = Numbers::new(source, text, header.storage);
    let announced = read_announced(&mut numbers, size)?;
    let mut corners = [0; MAX_NODES];
    let mut found = 0u64;
    for _ in 0..announced.blocks {
        numbers.skip(2, Scalar::I32, "the dimension and number of an entity")?;
        let number: i64 = numbers.integer(Scalar::I32, "an element type")?;
        let count: u64 = numbers.integer(size, "the number of elements in a block")?;
        let known = element_type(number);
        if known.is_none() && !numbers.is_text() {
            let what = format!("element type {number} is not known, nor how many nodes it has");
            return Err(source.error(numbers.place(), what));
        }
        for _ in 0..count {
            let element = numbers.integer(size, "an element number")?;
            let Some((kind, nodes_each)) = known else {
                elements.skip("elements of unknown type", 1);
                numbers.skip_line();
                continue;
            };
            for corner in &mut corners[..nodes_each] {
                *corner = numbers.integer(size, "a node of an element")?;
            }
            push(source, &numbers, nodes, elements, (element, kind, &corners[..nodes_each]))?;
        }
        found = found.saturating_add(count);
    }
    if found != announced.items {
        let what = format!("{found} elements where {} were announced", announced.items);
        return Err(source.error(numbers.place(), what));
    }
    Ok(numbers.into_text())
}
