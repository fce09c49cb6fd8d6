//! A ball that is shot through the cloth between two frames: neither frame shows it, the step does.

use anyhow::Result;
use crumple::{BodyId, Element, Impacts, Mesh, Scene, VertexId};
use crumple_io::picture::{Image, Lines, Picture, Points, Surface, View, palette};
use crumple_scenes::shapes;

use super::stage::{CLOTH, FRAMES, Stage};
use crate::views::corners;

/// What was found.
pub struct Tunnel {
    /// Contacts of the ball and the cloth before and after the step.
    pub contacts: [usize; 2],
    /// What hit in between.
    pub impacts: Impacts,
    /// The cloth, the ball before and after, and the paths of its vertices.
    pub picture: Image,
}

impl Tunnel {
    /// One step with the cloth as it is in the last frame.
    pub fn new(stage: &Stage) -> Result<Self> {
        let cloth = &stage.pose(FRAMES - 1).0[CLOTH.index()];
        let shape = shapes::icosphere(6);
        let at = |x: f64, y: f64, z: f64| -> Vec<[f64; 3]> {
            shape.positions.iter().map(|p| [0.12 * p[0] + x, 0.12 * p[1] + y, 0.12 * p[2] + z]).collect()
        };
        // Through a corner of the cloth, which hangs free.
        let (before, after) = (at(1.5, 1.1, -0.9), at(0.3, 0.1, -0.9));
        let mut scene = Scene::new();
        let hanging = scene.add(stage.mesh.mesh(CLOTH).clone(), cloth)?;
        let ball =
            scene.add(Mesh::from_triangles("ball", shape.positions.len(), &shape.triangles)?, &before)?;
        scene.ignore([hanging; 2], true)?;
        let first = scene.contacts()?.len();
        scene.set_positions(ball, &after)?;
        let contacts = [first, scene.contacts()?.len()];
        let impacts = scene.impacts()?;
        let picture = draw(&scene, hanging, [&before, &after], &impacts, ball, &shape.triangles);
        Ok(Self { contacts, impacts, picture })
    }
}

impl Tunnel {
    /// What was found, in a sentence.
    pub fn text(&self) -> String {
        let [before, after] = self.contacts;
        let count = self.impacts.vertex_triangles.len() + self.impacts.edge_edges.len();
        let time =
            self.impacts.first.map_or_else(String::new, |t| format!(", the first at t = {:.4}", t.after));
        format!(
            "A ball is shot through the cloth in one step: {before} contacts before it, {after} after it, {count} impacts in between{time}."
        )
    }
}

fn draw(
    scene: &Scene,
    cloth: BodyId,
    [before, after]: [&[[f64; 3]]; 2],
    impacts: &Impacts,
    ball: BodyId,
    triangles: &[[u32; 3]],
) -> Image {
    let paths: Vec<[[f64; 3]; 2]> = before.iter().zip(after).map(|(p, q)| [*p, *q]).step_by(9).collect();
    let vertices = scene.positions(cloth).expect("it is there");
    let hit: Vec<u32> = (impacts.vertex_triangles.iter())
        .filter(|i| i.triangle.body == cloth)
        .map(|i| i.triangle.id.0)
        .collect();
    let struck = |v: Element<VertexId>| (v.body == cloth).then(|| vertices[v.id.index()]);
    let points: Vec<[f64; 3]> = impacts.vertex_triangles.iter().filter_map(|i| struck(i.vertex)).collect();
    let mesh = scene.mesh(cloth).expect("it is there");
    Picture::new(1200, 800)
        .view(View::auto().up([0.0, 0.0, 1.0]))
        .surface(Surface::new(vertices, corners(mesh)).color(palette::body(0)).opacity(0.75).highlight(&hit))
        .surface(Surface::new(before, triangles).color(palette::body(ball.index() + 1)))
        .surface(Surface::new(after, triangles).color(palette::body(ball.index() + 1)))
        .lines(Lines::new(&paths).color(palette::STRUCTURE).see_through(0.4))
        .points(Points::new(&points).color(palette::HIGHLIGHT).see_through(1.0))
        .render()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_step_shows_it() {
        let tunnel = Tunnel::new(&Stage::new().unwrap()).unwrap();
        assert_eq!(tunnel.contacts, [0, 0]);
        assert!(tunnel.impacts.vertex_triangles.len() > 10 && tunnel.impacts.edge_edges.len() > 10);
        let first = tunnel.impacts.first.unwrap();
        assert!(0.0 < first.after && first.by < 1.0, "{first:?}");
    }
}
