//! Draws a few scenes and a sample report into a directory: `cargo run --release --example pictures -- DIR [SCENE…]`.

mod sample;
mod shapes;

use std::path::Path;
use std::time::Instant;

use crumple_io::picture::{
    Boxes, ColorMap, Image, Legend, Lines, Picture, Points, Shading, Surface, Theme, View, palette,
};
use shapes::{Mesh, ball, crossing, grid, knot, tube};

/// Draws one scene.
type Scene = fn() -> Image;

fn main() -> std::io::Result<()> {
    let dir = std::env::args().nth(1).unwrap_or_else(|| "gallery".into());
    let dir = Path::new(&dir);
    std::fs::create_dir_all(dir)?;
    let scenes: [(&str, Scene); 9] = [
        ("drape", drape),
        ("drape-close", drape_close),
        ("knot", torus_knot),
        ("ghost", ghost),
        ("buckets", buckets),
        ("distance", distance),
        ("regions", regions),
        ("small", small),
        ("large", large),
    ];
    let wanted: Vec<_> = std::env::args().skip(2).collect();
    let mut drawn = Vec::new();
    for (name, scene) in scenes.into_iter().filter(|s| wanted.is_empty() || wanted.iter().any(|w| w == s.0)) {
        let start = Instant::now();
        let image = scene();
        let seconds = start.elapsed().as_secs_f64();
        let png = image.to_png();
        println!("{name:12} {:5.0} ms, {} kB", seconds * 1e3, png.len() / 1000);
        std::fs::write(dir.join(format!("{name}.png")), &png)?;
        drawn.push(sample::Drawn { name, image, seconds, png_bytes: png.len() });
    }
    sample::report(&drawn).save(dir.join("report.html"))
}

/// The radius of a lumpy body in a direction.
fn lumpy(d: [f64; 3]) -> f64 {
    1.0 + 0.13 * (3.0 * d[0] + 1.0).sin() * (2.5 * d[1]).cos()
        + 0.1 * (4.0 * d[2] + 0.5).sin() * (3.0 * d[0]).cos()
}

fn is_inside_lumpy(p: [f64; 3]) -> bool {
    let r = p.iter().map(|x| x * x).sum::<f64>().sqrt();
    r < lumpy(p.map(|x| x / r))
}

/// The height of a cloth that was dropped on the lumpy body, and sinks into it in places.
fn cloth_height(x: f64, z: f64) -> f64 {
    let (r, angle) = ((x * x + z * z).sqrt(), z.atan2(x));
    let larger = |a: f64, b: f64| 0.5 * (a + b + ((a - b).powi(2) + 0.02).sqrt());
    let folds = 0.3 * (r - 0.5).max(0.0).powf(1.5) * (9.0 * angle + 1.2 * r).sin();
    let hanging = 0.99 - 0.5 * r * r + folds + 0.015 * (5.0 * x + 3.0 * z).sin();
    larger(hanging, -1.0 + 0.03 * (7.0 * x).sin() * (6.0 * z).cos())
}

fn cloth_and_body(n: usize) -> (Mesh, Mesh, Vec<u32>, Vec<u32>) {
    let cloth = grid(n, n, [false, false], |u, v| {
        let (x, z) = (3.9 * (u - 0.5), 3.9 * (v - 0.5));
        [x, cloth_height(x, z), z]
    });
    let body = ball(n * 2 / 5, lumpy);
    let cloth_hits = crossing(&cloth, is_inside_lumpy);
    let body_hits = crossing(&body, |p| p[1] > cloth_height(p[0], p[2]));
    (cloth, body, cloth_hits, body_hits)
}

fn drape() -> Image {
    let (cloth, body, cloth_hits, body_hits) = cloth_and_body(150);
    let hits = cloth_hits.len() + body_hits.len();
    Picture::new(1200, 900)
        .title("Cloth over a body")
        .surface(
            Surface::new(&cloth.positions, &cloth.triangles).color(palette::body(0)).highlight(&cloth_hits),
        )
        .surface(
            Surface::new(&body.positions, &body.triangles)
                .color(palette::body(1))
                .highlight_in(palette::HIGHLIGHT_B, &body_hits),
        )
        .legend(Legend::keys([
            (palette::body(0), "cloth"),
            (palette::body(1), "body"),
            (palette::HIGHLIGHT, "colliding, cloth"),
            (palette::HIGHLIGHT_B, "colliding, body"),
        ]))
        .caption(format!(
            "{} triangles, {hits} of them colliding",
            cloth.triangles.len() + body.triangles.len()
        ))
        .render()
}

fn drape_close() -> Image {
    let (cloth, body, cloth_hits, body_hits) = cloth_and_body(50);
    Picture::new(1200, 900)
        .title("Where cloth and body meet")
        .surface(Surface::new(&cloth.positions, &cloth.triangles).opacity(0.35).highlight(&cloth_hits))
        .surface(
            Surface::new(&body.positions, &body.triangles)
                .color(palette::body(1))
                .highlight_in(palette::HIGHLIGHT_B, &body_hits),
        )
        .view(View::auto().close_up())
        .caption("cloth ghosted")
        .render()
}

fn torus_knot() -> Image {
    let thick = 0.66;
    let mesh = tube(520, 56, thick, knot);
    let curve: Vec<_> = (0..400).map(|i| knot(i as f64 / 400.0)).collect();
    let tube_of = |i: usize| (i % 520) as f64 / 520.0;
    let inside: Vec<bool> = mesh
        .positions
        .iter()
        .enumerate()
        .map(|(i, p)| {
            curve.iter().enumerate().any(|(k, c)| {
                let gap = (k as f64 / 400.0 - tube_of(i)).abs();
                let far = gap.min(1.0 - gap) > 0.12;
                far && (0..3).map(|a| (p[a] - c[a]).powi(2)).sum::<f64>() < thick * thick
            })
        })
        .collect();
    let hits: Vec<u32> = (0..mesh.triangles.len() as u32)
        .filter(|t| {
            let n = mesh.triangles[*t as usize].iter().filter(|v| inside[**v as usize]).count();
            n > 0 && n < 3
        })
        .collect();
    Picture::new(1200, 900)
        .theme(Theme::Dark)
        .title("A torus knot that runs through itself")
        .surface(Surface::new(&mesh.positions, &mesh.triangles).color(palette::body(5)).highlight(&hits))
        .caption(format!("{} triangles, {} colliding", mesh.triangles.len(), hits.len()))
        .render()
}

fn ghost() -> Image {
    let body = ball(60, lumpy);
    let mut other = ball(22, |d| 0.8 + 0.08 * (5.0 * d[1]).sin());
    other.positions.iter_mut().for_each(|p| *p = [p[0] + 1.0, p[1] + 0.35, p[2] + 0.35]);
    let depth = |p: [f64; 3]| {
        let r = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        lumpy(p.map(|x| x / r)) - r
    };
    let (points, depths): (Vec<_>, Vec<_>) =
        other.positions.iter().map(|p| (*p, depth(*p))).filter(|(_, d)| *d > 0.0).unzip();
    let deepest = depths.iter().copied().fold(0.0, f64::max);
    Picture::new(1200, 900)
        .title("Penetrating vertices")
        .surface(Surface::new(&body.positions, &body.triangles).color(palette::body(0)).opacity(0.38))
        .surface(Surface::new(&other.positions, &other.triangles).color(palette::body(1)).opacity(0.22))
        .points(Points::new(&points).values(&depths, ColorMap::Ember, 0.0, deepest).size(9.0))
        .legend(Legend::bar("penetration depth (m)", ColorMap::Ember, 0.0, deepest))
        .caption(format!("{} vertices inside the other body", points.len()))
        .render()
}

fn buckets() -> Image {
    let mesh = tube(300, 30, 0.42, knot);
    let cell = 0.75;
    let cells: std::collections::BTreeSet<[i64; 3]> =
        mesh.positions.iter().map(|p| p.map(|x| (x / cell).floor() as i64)).collect();
    let (hot, cold): (Vec<_>, Vec<_>) = cells
        .into_iter()
        .map(|c| [c.map(|k| k as f64 * cell), c.map(|k| (k + 1) as f64 * cell)])
        .partition(|b: &[[f64; 3]; 2]| b[0][0] > 0.5 && b[0][1].abs() < 0.8 && b[0][2].abs() < 0.8);
    Picture::new(1200, 900)
        .title("Occupied buckets")
        .surface(Surface::new(&mesh.positions, &mesh.triangles).color(palette::body(3)))
        .boxes(Boxes::new(&cold).color(palette::STRUCTURE).width(1.0).see_through(0.15))
        .boxes(Boxes::new(&hot).color(palette::HIGHLIGHT).width(2.2).fill(0.16).see_through(0.6))
        .legend(Legend::keys([(palette::STRUCTURE, "occupied"), (palette::HIGHLIGHT, "colliding")]))
        .caption(format!("{} buckets of side {cell}", hot.len() + cold.len()))
        .render()
}

fn distance() -> Image {
    let left = ball(34, lumpy);
    let mut right = ball(34, |d| lumpy([d[2], d[0], d[1]]));
    right.positions.iter_mut().for_each(|p| *p = [p[0] + 2.6, p[1] + 0.3, p[2] - 0.2]);
    let gap = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>();
    let mut pairs: Vec<_> = left
        .positions
        .iter()
        .step_by(11)
        .filter_map(|a| {
            let b = right.positions.iter().step_by(11).min_by(|b, c| gap(a, b).total_cmp(&gap(a, c)))?;
            Some((gap(a, b), [*a, *b]))
        })
        .collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let part = |low: usize, high: usize| pairs[low..high].iter().map(|p| p.1).collect::<Vec<_>>();
    let (near, middle, far) = (part(0, 8), part(8, 40), part(40, 110));
    let ends: Vec<_> = pairs[0].1.to_vec();
    Picture::new(1200, 900)
        .title("How close, and where")
        .surface(Surface::new(&left.positions, &left.triangles).color(palette::body(0)))
        .surface(Surface::new(&right.positions, &right.triangles).color(palette::body(2)))
        .lines(Lines::new(&far).color(palette::NEAR).width(1.2))
        .lines(Lines::new(&middle).color(palette::CLEAR).width(1.6))
        .lines(Lines::new(&near).color(palette::HIGHLIGHT).width(2.6))
        .points(Points::new(&ends).size(15.0).on_top())
        .legend(Legend::keys([
            (palette::NEAR, "level 1"),
            (palette::CLEAR, "level 2"),
            (palette::HIGHLIGHT, "level 3, closest"),
        ]))
        .caption("lines between regions that may be closest")
        .render()
}

fn regions() -> Image {
    let mesh = ball(100, lumpy);
    let seeds: Vec<[f64; 3]> = (0..120)
        .map(|i| {
            let y = 1.0 - 2.0 * (i as f64 + 0.5) / 120.0;
            let (s, c) = (i as f64 * 2.399_963).sin_cos();
            let r = (1.0 - y * y).sqrt();
            [r * c, y, r * s]
        })
        .collect();
    let class = |t: &[u32; 3]| {
        let p: [f64; 3] = std::array::from_fn(|k| t.iter().map(|v| mesh.positions[*v as usize][k]).sum());
        let dot = |s: &[f64; 3]| (0..3).map(|k| s[k] * p[k]).sum::<f64>();
        (0..seeds.len()).max_by(|a, b| dot(&seeds[*a]).total_cmp(&dot(&seeds[*b]))).unwrap_or(0)
    };
    let classes: Vec<u32> = mesh.triangles.iter().map(|t| class(t) as u32).collect();
    Picture::new(1200, 900)
        .title("Regions, level 7")
        .surface(Surface::new(&mesh.positions, &mesh.triangles).classes(&classes))
        .render()
}

fn small() -> Image {
    let cube = |o: f64| -> Vec<[f64; 3]> {
        (0..8).map(|c| std::array::from_fn(|k| o + f64::from(c >> k & 1))).collect()
    };
    let faces = [
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
    ];
    let (a, b) = (cube(0.0), cube(0.6));
    Picture::new(1200, 900)
        .title("Two cubes")
        .surface(Surface::new(&a, &faces).shading(Shading::Flat).highlight(&[2, 10]))
        .surface(Surface::new(&b, &faces).color(palette::body(1)).highlight(&[1]))
        .caption("12 triangles each")
        .render()
}

fn large() -> Image {
    let mesh =
        ball(158, |d| lumpy(d) + 0.03 * (40.0 * d[0]).sin() * (35.0 * d[1]).cos() * (30.0 * d[2]).sin());
    let hits: Vec<u32> = vec![150_000];
    Picture::new(1200, 900)
        .title("One colliding triangle among 300,000")
        .surface(Surface::new(&mesh.positions, &mesh.triangles).color(palette::body(4)).highlight(&hits))
        .caption(format!("{} triangles", mesh.triangles.len()))
        .render()
}
