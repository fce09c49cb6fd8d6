//! What the paper considers and leaves aside (H6, H20).

use anyhow::{Context, Result};
use crumple::methods::layered_depth::image::Layers;
use crumple::methods::layered_depth::published::Published;
use crumple::methods::layered_depth::{LayeredDepth, Resolution};
use crumple::{BodyId, Frame, Positions};

use crate::reproduce::claim::Claim;
use crate::reproduce::finding::Finding;
use crate::reproduce::lab::{Extent, Stage, in_turn, ratio, smallest};
use crate::reproduce::limits;
use crate::reproduce::measure::{least, most, sum};
use crate::reproduce::sheet::{Sheet, Value, row};

/// Repetitions in turn.
const ROUNDS: usize = 5;
/// Sweeps of Jacobi's method: five or so are enough, since errors are squared.
const SWEEPS: usize = 12;
/// The body of a scene with one.
const BODY: BodyId = BodyId(0);
/// The paper's resolution.
const RAYS: Resolution = Resolution::rays(128);

/// The box of points along three directions.
fn size_along(points: &[[f64; 3]], axes: &[[f64; 3]; 3]) -> [f64; 3] {
    axes.map(|axis| {
        let at = points.iter().map(|p| p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2]);
        let (low, high) = at.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        high - low
    })
}

/// The directions of least and greatest spread: the covariance, turned by Jacobi's method until it is diagonal.
fn principal_axes(points: &[[f64; 3]]) -> [[f64; 3]; 3] {
    let n = points.len() as f64;
    let mean: [f64; 3] = std::array::from_fn(|k| points.iter().map(|p| p[k]).sum::<f64>() / n);
    let mut m = [[0.0f64; 3]; 3];
    for p in points {
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] += (p[i] - mean[i]) * (p[j] - mean[j]);
            }
        }
    }
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..SWEEPS {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let angle = 0.5 * (2.0 * m[i][j]).atan2(m[i][i] - m[j][j]);
            let (sin, cos) = angle.sin_cos();
            for row in &mut m {
                (row[i], row[j]) = (cos * row[i] + sin * row[j], cos * row[j] - sin * row[i]);
            }
            for k in 0..3 {
                (m[i][k], m[j][k]) = (cos * m[i][k] + sin * m[j][k], cos * m[j][k] - sin * m[i][k]);
            }
            for k in 0..3 {
                (axes[i][k], axes[j][k]) =
                    (cos * axes[i][k] + sin * axes[j][k], cos * axes[j][k] - sin * axes[i][k]);
            }
        }
    }
    axes
}

/// H6: boxes along the axes against boxes along the object.
pub fn oriented(_: Extent) -> Result<Finding> {
    let mut sheet =
        Sheet::new(["object", "vertices", "box along the axes", "oriented box", "time", "volume kept"]);
    for name in ["H21", "H22", "H23"] {
        let stage = Stage::named(name)?;
        let points = &stage.pose(1).0[1];
        let still = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let [plain, turned] = in_turn(
            ROUNDS,
            [
                &mut || {
                    std::hint::black_box(size_along(points, &still));
                    Ok(())
                },
                &mut || {
                    std::hint::black_box(size_along(points, &principal_axes(points)));
                    Ok(())
                },
            ],
        )?;
        let volume = |axes: &[[f64; 3]; 3]| size_along(points, axes).iter().product::<f64>();
        let kept = volume(&principal_axes(points)) / volume(&still);
        let name = stage.mesh.meshes()[1].name().to_owned();
        let [a, b] = [&plain, &turned].map(|t| Value::Seconds(smallest(t)));
        row!(sheet, name, points.len(), a, b, Value::times(ratio(&turned, &plain)), Value::Share(kept));
    }
    let how = format!(
        "the second object of each pair. Oriented boxes lie along the principal axes of the vertices, and are computed \
         afresh, as every frame of a deforming object needs; {ROUNDS} repetitions in turn."
    );
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "the computation of these representations is more involved",
            "Section 3.1",
            "an oriented box takes {} × the time of a plain one, at least",
            least("time"),
            &limits::MORE,
        ))
        .claim(Claim::new(
            "Alternative BVs, such as oriented bounding boxes or discrete–oriented polytopes, provide tighter fitting object \
             approximations.",
            "Section 3.1",
            "an oriented box has {} × the volume of a plain one, at most",
            most("volume kept"),
            &limits::LESS,
        ).because(
            "Principal axes follow the vertices, not the outline: for an object that already lies along the axes, or is as \
             wide as long, the turned box is larger.",
            "of the three objects the least has {} × the volume",
            least("volume kept"),
            &limits::LESS,
        )))
}

/// Layers by depth peeling: pass after pass, the lowest fragment of each pixel that lies above the last one.
fn peel(layers: &Layers, all: &[(usize, i32)]) -> Vec<Vec<i32>> {
    let columns = layers.lattice().columns();
    let mut last = vec![(i32::MIN, 0u32); columns];
    let mut peeled = vec![Vec::new(); columns];
    loop {
        // Equal depths are told apart by how many of them were seen, which no depth buffer can.
        let mut next: Vec<Option<(i32, u32)>> = vec![None; columns];
        let mut seen = vec![0u32; columns];
        let mut is_done = true;
        for &(column, depth) in all {
            let rank = if depth == last[column].0 {
                seen[column] += 1;
                seen[column]
            } else {
                1
            };
            if (depth, rank) > last[column] && next[column].is_none_or(|n| (depth, rank) < n) {
                next[column] = Some((depth, rank));
                is_done = false;
            }
        }
        if is_done {
            return peeled;
        }
        for (column, found) in next.iter().enumerate() {
            if let Some(found) = *found {
                last[column] = found;
                peeled[column].push(found.0);
            }
        }
    }
}

/// H20: one pass, one pass per layer, and depth peeling.
pub fn peeling(_: Extent) -> Result<Finding> {
    let mut sheet = Sheet::new([
        "object",
        "faces",
        "layers",
        "one pass",
        "a pass per layer",
        "per layer / one",
        "passes",
        "pixels that differ when peeled",
    ]);
    for name in ["H25-knot", "H25-rabbit", "H25-reptile"] {
        let stage = Stage::named(name)?;
        let pose = stage.pose(0);
        let slices: Vec<Positions<'_>> = pose.slices();
        let frame = Frame::new(&slices);
        let (mut method, mut published) = (LayeredDepth::default(), Published::default());
        let [once, often] = in_turn(
            ROUNDS,
            [
                &mut || {
                    std::hint::black_box(method.update(&stage.mesh, frame)?.layers_of(BODY, RAYS)?);
                    Ok(())
                },
                &mut || {
                    std::hint::black_box(published.update(&stage.mesh, frame)?.image(BODY, RAYS)?);
                    Ok(())
                },
            ],
        )?;
        let mut volumes = method.update(&stage.mesh, frame)?;
        let layers = volumes.layers_of(BODY, RAYS)?.context("a box without volume")?;
        let image =
            published.update(&stage.mesh, frame)?.image(BODY, RAYS)?.context("a box without volume")?;
        // The fragments in the order of their triangles, as a renderer has them.
        let view = volumes.view_of(BODY, RAYS)?.context("a box without volume")?;
        let mut all = Vec::new();
        for t in 0..view.triangles(0).len() as u32 {
            view.cross(0, t.into(), |column, layer| all.push((column, layer.depth)));
        }
        let peeled = peel(&layers, &all);
        let [nx, ny] = layers.lattice().resolution;
        let pixels = (0..ny).flat_map(|y| (0..nx).map(move |x| [x, y]));
        let differ = pixels
            .zip(&peeled)
            .filter(|(pixel, peeled)| !layers.of(*pixel).iter().map(|l| l.depth).eq(peeled.iter().copied()))
            .count();
        let [a, b] = [&once, &often].map(|t| Value::Seconds(smallest(t)));
        let times = Value::times(ratio(&often, &once));
        row!(sheet, name, view.triangles(0).len(), layers.count(), a, b, times, image.passes(), differ);
    }
    let how = "whole objects at 128 × 128. One pass notes every crossing where it falls; the paper renders once per \
               layer because a depth buffer holds one; peeling renders once per layer too, nearest first.";
    Ok(Finding::new(how, sheet)
        .claim(Claim::new(
            "A method for generating LDIs is presented, for instance, in the depth-peeling approach to order-independent \
             transparency.",
            "Section 2",
            "{} pixels have other layers when they are peeled",
            sum("pixels that differ when peeled"),
            &limits::NONE,
        ))
        .claim(Claim::new(
            "Objects are rendered n_max times for LDI generation",
            "Section 3.2",
            "what 2003 needed costs: a pass per layer takes {} × one pass, at least",
            least("per layer / one"),
            &limits::MORE,
        )))
}
