//! Sections of version 2: a count in words, then one record per node or element.

use crate::binary::Scalar;
use crate::elements::Elements;
use crate::numbers::Numbers;
use crate::text::Text;
use crate::{ReadError, Source};

use super::element_type::{MAX_NODES, element_type};
use super::nodes::Nodes;
use super::{Header, push};

/// `$Nodes`: tag x y z.
pub(super) fn read_nodes<'a>(
    source: &'a Source,
    mut text: Text<'a>,
    header: Header,
    nodes: &mut Nodes,
) -> Result<Text<'a>, ReadError> {
    nodes.has_section = true;
    let count: u64 = text.integer("the node count")?;
    let mut numbers = Numbers::new(source, text, header.storage);
    nodes.reserve(numbers.capacity(count, 4, Scalar::I32));
    for _ in 0..count {
        let tag = numbers.integer(Scalar::I32, "a node number")?;
        let position = numbers.position(source, Scalar::F64, nodes.len())?;
        nodes.push(tag, position);
    }
    Ok(numbers.into_text())
}

/// `$Elements`: as words `element type tag-count tags… nodes…` on a line each; as binary data in blocks of
/// `type count tag-count` and then `element tags… nodes…` each.
pub(super) fn read_elements<'a>(
    source: &'a Source,
    mut text: Text<'a>,
    header: Header,
    nodes: &Nodes,
    elements: &mut Elements,
) -> Result<Text<'a>, ReadError> {
    const INT: Scalar = Scalar::I32;
    let count: u64 = text.integer("the element count")?;
    let mut numbers = Numbers::new(source, text, header.storage);
    let mut corners = [0; MAX_NODES];
    let mut done = 0;
    while done < count {
        let mut element = 0;
        if numbers.is_text() {
            element = numbers.integer(INT, "an element number")?;
        }
        let number: i64 = numbers.integer(INT, "an element type")?;
        let mut in_block = 1;
        if !numbers.is_text() {
            in_block = numbers.integer::<u64>(INT, "the number of elements in a block")?;
        }
        if in_block > count - done {
            let what = format!("more elements than the {count} that were announced");
            return Err(source.error(numbers.place(), what));
        }
        done += in_block;
        let tags: u64 = numbers.integer(INT, "the number of tags")?;
        let Some((kind, size)) = element_type(number) else {
            if !numbers.is_text() {
                let what = format!("element type {number} is not known, nor how many nodes it has");
                return Err(source.error(numbers.place(), what));
            }
            elements.skip("elements of unknown type", 1);
            numbers.skip_line();
            continue;
        };
        for _ in 0..in_block {
            if !numbers.is_text() {
                element = numbers.integer(INT, "an element number")?;
            }
            numbers.skip(tags, INT, "the tags of an element")?;
            for corner in &mut corners[..size] {
                *corner = numbers.integer(INT, "a node of an element")?;
            }
            push(source, &numbers, nodes, elements, (element, kind, &corners[..size]))?;
        }
    }
    Ok(numbers.into_text())
}
