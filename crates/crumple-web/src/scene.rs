//! `Scene`: bodies from files or arrays, and every question about them.

use crumple::{BodyId, Containment, Mesh, Question, Resolution, SurfaceMethod, UntangleOptions};
use wasm_bindgen::prelude::*;

use crate::buffers::Buffers;
use crate::drawing::Drawing;
use crate::{mesh, told};

/// Bodies, and what is known about them. Ids of bodies count from 0; a removed body keeps its id.
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Scene {
    scene: crumple::Scene,
    notes: Vec<String>,
    buffers: Buffers,
}

#[wasm_bindgen]
impl Scene {
    /// Nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the body of a file that lies in memory; its name says the format. An error is the reader's own message, with
    /// line or byte.
    #[wasm_bindgen(js_name = addFile)]
    pub fn add_file(&mut self, name: &str, bytes: Vec<u8>) -> Result<u32, JsError> {
        let data = mesh::read(name, bytes).map_err(told)?;
        let mesh = mesh::of(name, &data).map_err(|e| told(format!("{name}: {e}")))?;
        let id = self.add(mesh, &data.positions)?;
        self.notes[id as usize] = data.notes.join("\n");
        Ok(id)
    }

    /// Adds a surface: three numbers a vertex, three indices a triangle.
    #[wasm_bindgen(js_name = addTriangles)]
    pub fn add_triangles(
        &mut self,
        name: &str,
        positions: &[f64],
        triangles: &[u32],
    ) -> Result<u32, JsError> {
        let positions = mesh::rows("positions", positions).map_err(told)?;
        let triangles = mesh::rows("triangles", triangles).map_err(told)?;
        self.add(Mesh::from_triangles(name, positions.len(), triangles).map_err(told)?, positions)
    }

    /// Adds a body of tets: three numbers a vertex, four indices a tet.
    #[wasm_bindgen(js_name = addTets)]
    pub fn add_tets(&mut self, name: &str, positions: &[f64], tets: &[u32]) -> Result<u32, JsError> {
        let positions = mesh::rows("positions", positions).map_err(told)?;
        let tets = mesh::rows("tets", tets).map_err(told)?;
        self.add(Mesh::from_tets(name, positions.len(), tets).map_err(told)?, positions)
    }

    fn add(&mut self, mesh: Mesh, positions: &[[f64; 3]]) -> Result<u32, JsError> {
        let id = self.scene.add(mesh, positions).map_err(told)?;
        self.notes.push(String::new());
        Ok(id.0)
    }

    /// Moves a body: the next frame.
    #[wasm_bindgen(js_name = setPositions)]
    pub fn set_positions(&mut self, body: u32, positions: &[f64]) -> Result<(), JsError> {
        let positions: &[[f64; 3]] = mesh::rows("positions", positions).map_err(told)?;
        self.scene.set_positions(BodyId(body), positions).map_err(told)
    }

    /// Takes a body out.
    pub fn remove(&mut self, body: u32) -> Result<(), JsError> {
        self.scene.remove(BodyId(body)).map(drop).map_err(told)
    }

    /// How many bodies were ever added.
    #[wasm_bindgen(getter, js_name = bodyCount)]
    pub fn body_count(&self) -> u32 {
        self.notes.len() as u32
    }

    /// A body's name.
    pub fn name(&self, body: u32) -> Result<String, JsError> {
        Ok(self.mesh(body)?.name().to_owned())
    }

    /// What the reader skipped or repaired, a sentence a line.
    pub fn notes(&self, body: u32) -> Result<String, JsError> {
        self.mesh(body)?;
        Ok(self.notes[body as usize].clone())
    }

    /// How many vertices, triangles and tets a body has, and whether its surface is closed (1) or not (0).
    pub fn counts(&self, body: u32) -> Result<Vec<u32>, JsError> {
        let mesh = self.mesh(body)?;
        let closed = !mesh.triangles().is_empty() && mesh.topology().is_closed();
        let sizes = [mesh.vertex_count(), mesh.triangles().len(), mesh.tets().len()];
        Ok(sizes.iter().map(|&n| n as u32).chain([u32::from(closed)]).collect())
    }

    /// Where a body's positions lie in memory: three `f64` a vertex. `crumple.js` makes a view of it.
    #[wasm_bindgen(js_name = positionsAt)]
    pub fn positions_at(&self, body: u32) -> Result<usize, JsError> {
        Ok(self.scene.positions(BodyId(body)).map_err(told)?.as_ptr() as usize)
    }

    /// Where a body's triangles lie in memory: three `u32` each.
    #[wasm_bindgen(js_name = trianglesAt)]
    pub fn triangles_at(&self, body: u32) -> Result<usize, JsError> {
        Ok(self.mesh(body)?.triangles().as_ptr() as usize)
    }

    /// Another method for contacts: `regularity`, `bucket-tree`, `brute-force`, or nothing for the engine's own choice.
    #[wasm_bindgen(js_name = useMethod)]
    pub fn use_method(&mut self, name: Option<String>) -> Result<(), JsError> {
        let all = [SurfaceMethod::Regularity, SurfaceMethod::BucketTree, SurfaceMethod::BruteForce];
        let chosen =
            match &name {
                None => None,
                Some(name) => Some(all.into_iter().find(|m| m.name() == name).ok_or_else(|| {
                    told(format!("{name:?} is none of regularity, bucket-tree, brute-force"))
                })?),
            };
        self.scene.use_surface_method(chosen);
        Ok(())
    }

    /// Pairs of triangles that intersect, four numbers each: body, triangle, body, triangle; sorted.
    pub fn contacts(&mut self) -> Result<Vec<u32>, JsError> {
        let rows = self.scene.contacts().map_err(told)?;
        Ok(rows.iter().flat_map(|c| [c.a.body.0, c.a.id.0, c.b.body.0, c.b.id.0]).collect())
    }

    /// Vertices inside tets, four numbers each: body, vertex, body, tet; sorted.
    pub fn penetrations(&mut self) -> Result<Vec<u32>, JsError> {
        let rows = self.scene.vertices_in_tets().map_err(told)?;
        Ok(rows.iter().flat_map(|r| [r.vertex.body.0, r.vertex.id.0, r.tet.body.0, r.tet.id.0]).collect())
    }

    /// Connected contacts as places, the longest crossing first, eight numbers each: two bodies, pairs, length, centre,
    /// size.
    pub fn places(&mut self) -> Result<Vec<f64>, JsError> {
        let places = self.scene.places().map_err(told)?;
        let row = |p: &crumple::Place| {
            let [x, y, z] = p.centre;
            let [a, b] = p.bodies.map(|b| f64::from(b.0));
            [a, b, p.contacts as f64, p.length, x, y, z, p.size]
        };
        Ok(places.iter().flat_map(row).collect())
    }

    /// The curves along which contacts cross, as segments of six numbers, relative to the origin of the drawing.
    pub fn crossings(&mut self) -> Result<Vec<f32>, JsError> {
        let contacts = self.scene.contacts().map_err(told)?;
        let mut out = Vec::new();
        for contact in &contacts {
            if let Some(crossing) = self.scene.intersection(contact).map_err(told)? {
                let points = crossing.points();
                let sides = if points.len() > 2 { points.len() } else { points.len().saturating_sub(1) };
                for i in 0..sides {
                    out.extend(self.buffers.relative(&points[i]));
                    out.extend(self.buffers.relative(&points[(i + 1) % points.len()]));
                }
            }
        }
        Ok(out)
    }

    /// How close two bodies are: distance, lower and upper bound, the two closest points, and who holds the other (0
    /// nobody, 1 the first, 2 the second). Nothing where one has no triangle.
    pub fn distance(&mut self, a: u32, b: u32) -> Result<Option<Vec<f64>>, JsError> {
        let found = self.scene.distance([BodyId(a), BodyId(b)]).map_err(told)?;
        Ok(found.map(|d| {
            let holder = match d.contains {
                None => 0.0,
                Some(Containment::A) => 1.0,
                Some(Containment::B) => 2.0,
            };
            let ends = d.a.point.into_iter().chain(d.b.point);
            [d.distance, d.lower, d.upper].into_iter().chain(ends).chain([holder]).collect()
        }))
    }

    /// The volume that two closed bodies share: best estimate, lower and upper bound, with so many rays across.
    pub fn overlap(&mut self, a: u32, b: u32, rays: u32) -> Result<Vec<f64>, JsError> {
        let pair = [BodyId(a), BodyId(b)];
        let found = self.scene.overlap(pair, Resolution::rays(rays.clamp(1, 2048))).map_err(told)?;
        Ok(vec![found.volume, found.lower, found.upper])
    }

    /// For each point (three numbers): 1 if it is inside a closed body, else 0.
    pub fn inside(&mut self, body: u32, points: &[f64]) -> Result<Vec<u8>, JsError> {
        let points: &[[f64; 3]] = mesh::rows("points", points).map_err(told)?;
        let flags = self.scene.inside(BodyId(body), points).map_err(told)?;
        Ok(flags.iter().map(|&f| u8::from(f)).collect())
    }

    /// How many vertices of one body are inside another, closed one.
    #[wasm_bindgen(js_name = countInside)]
    pub fn count_inside(&mut self, of: u32, within: u32) -> Result<u32, JsError> {
        let points = self.scene.positions(BodyId(of)).map_err(told)?.to_vec();
        let flags = self.scene.inside(BodyId(within), &points).map_err(told)?;
        Ok(flags.iter().filter(|f| **f).count() as u32)
    }

    /// Moves what crosses apart, in so many rounds at most: pairs before, pairs after, vertices that were moved, the largest
    /// way of one.
    pub fn untangle(&mut self, rounds: usize) -> Result<Vec<f64>, JsError> {
        let mut options = UntangleOptions::default();
        options.rounds = rounds;
        let done = self.scene.untangle(&options).map_err(told)?;
        Ok(vec![done.before as f64, done.after as f64, done.moved as f64, done.largest])
    }

    /// Which method answers what, and why, a sentence a line; contacts first.
    pub fn explain(&self) -> String {
        let choices = self.scene.explain();
        let mut lines: Vec<String> =
            choices.iter().filter(|c| c.question == Question::Contacts).map(ToString::to_string).collect();
        lines.extend(choices.iter().filter(|c| c.question != Question::Contacts).map(ToString::to_string));
        lines.join("\n")
    }

    /// What the last search for contacts cost: visits, cheap tests, proofs, candidates, contacts.
    pub fn stats(&mut self) -> Result<Vec<f64>, JsError> {
        let s = self.scene.contacts().map_err(told)?.stats;
        Ok([s.visits, s.tests, s.certified, s.candidates, s.contacts].map(|n| n as f64).to_vec())
    }

    /// The structure that answers about contacts, with what its last search looked at.
    pub fn drawing(&mut self) -> Result<Drawing, JsError> {
        let drawing = self.scene.draw().map_err(told)?;
        Ok(Drawing::new(&drawing, &self.buffers))
    }

    /// Lays everything out for drawing, round the middle of all bodies.
    #[wasm_bindgen(js_name = layOut)]
    pub fn lay_out(&mut self) -> Result<(), JsError> {
        let ids: Vec<BodyId> = (0..self.notes.len() as u32).map(BodyId).collect();
        // A removed body is an empty one in between, so that ids are places in the arrays.
        let empty = Mesh::from_points("", 0).map_err(told)?;
        let scene = &self.scene;
        let meshes: Vec<&Mesh> = ids.iter().map(|&id| scene.mesh(id).unwrap_or(&empty)).collect();
        let positions = || ids.iter().map(|&id| scene.positions(id).unwrap_or(&[]));
        self.buffers.lay_out(&meshes);
        self.buffers.centre(positions());
        self.buffers.place(positions());
        Ok(())
    }

    /// The origin of the drawing.
    #[wasm_bindgen(getter)]
    pub fn origin(&self) -> Vec<f64> {
        self.buffers.origin.to_vec()
    }

    /// Where the arrays for drawing lie, and how long they are: positions, normals (`f32`), triangles, ranges (`u32`).
    #[wasm_bindgen(js_name = buffersAt)]
    pub fn buffers_at(&self) -> Vec<usize> {
        self.buffers.places()
    }

    fn mesh(&self, body: u32) -> Result<&Mesh, JsError> {
        self.scene.mesh(BodyId(body)).map_err(told)
    }
}
