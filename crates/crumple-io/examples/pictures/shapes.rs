//! Shapes for the gallery: plain functions, no engine needed.

/// Positions and triangles.
pub struct Mesh {
    pub positions: Vec<[f64; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

/// A grid of `nu` x `nv` quads over the unit square, optionally closed along either axis.
pub fn grid(nu: usize, nv: usize, close: [bool; 2], at: impl Fn(f64, f64) -> [f64; 3]) -> Mesh {
    let (cu, cv) = (if close[0] { nu } else { nu + 1 }, if close[1] { nv } else { nv + 1 });
    let positions =
        (0..cu * cv).map(|i| at((i % cu) as f64 / nu as f64, (i / cu) as f64 / nv as f64)).collect();
    let vertex = |u: usize, v: usize| ((v % cv) * cu + u % cu) as u32;
    let triangles = (0..nu * nv).flat_map(|q| {
        let (u, v) = (q % nu, q / nu);
        let [a, b, c, d] = [vertex(u, v), vertex(u + 1, v), vertex(u + 1, v + 1), vertex(u, v + 1)];
        if (u + v) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    });
    Mesh { positions, triangles: triangles.collect() }
}

/// A ball of about `n * n * 12` triangles, from the faces of a cube, moved by `radius`.
pub fn ball(n: usize, radius: impl Fn([f64; 3]) -> f64) -> Mesh {
    let mut mesh = Mesh { positions: Vec::new(), triangles: Vec::new() };
    let mut known = std::collections::HashMap::new();
    for face in 0..6 {
        let (axis, sign) = (face / 2, if face % 2 == 0 { 1.0 } else { -1.0 });
        let mut ids = Vec::new();
        for i in 0..=n {
            for j in 0..=n {
                let angle = |k: usize| ((k as f64 / n as f64 - 0.5) * std::f64::consts::FRAC_PI_2).tan();
                let mut p = [0.0; 3];
                p[axis] = sign;
                p[(axis + 1) % 3] = angle(i) * sign;
                p[(axis + 2) % 3] = angle(j);
                let key = p.map(|x| (x * 1e6).round() as i64);
                let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
                let d = p.map(|x| x / length);
                ids.push(*known.entry(key).or_insert_with(|| {
                    mesh.positions.push(d.map(|x| x * radius(d)));
                    mesh.positions.len() as u32 - 1
                }));
            }
        }
        for i in 0..n {
            for j in 0..n {
                let v = |i: usize, j: usize| ids[i * (n + 1) + j];
                let [a, b, c, d] = [v(i, j), v(i + 1, j), v(i + 1, j + 1), v(i, j + 1)];
                mesh.triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    mesh
}

/// A tube of radius `thick` around a closed curve.
pub fn tube(along: usize, around: usize, thick: f64, curve: impl Fn(f64) -> [f64; 3]) -> Mesh {
    let sub = |a: [f64; 3], b: [f64; 3]| std::array::from_fn::<f64, 3, _>(|k| a[k] - b[k]);
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let unit = |a: [f64; 3]| {
        let l = a.iter().map(|x| x * x).sum::<f64>().sqrt();
        a.map(|x| x / l)
    };
    grid(along, around, [true, true], |u, v| {
        let h = 1e-3;
        let (p, before, after) = (curve(u), curve(u - h), curve(u + h));
        let t = unit(sub(after, before));
        let n = unit(cross(t, [0.0, 1.0, 0.0]));
        let b = cross(t, n);
        let (s, c) = (v * std::f64::consts::TAU).sin_cos();
        std::array::from_fn(|k| p[k] + thick * (n[k] * c + b[k] * s))
    })
}

/// The torus knot (2, 3).
pub fn knot(u: f64) -> [f64; 3] {
    let t = u * std::f64::consts::TAU;
    let r = 2.0 + (3.0 * t).cos();
    [r * (2.0 * t).cos(), 0.62 * (3.0 * t).sin(), r * (2.0 * t).sin()]
}

/// Triangles of which some corners have the property and some have not.
pub fn crossing(mesh: &Mesh, is_in: impl Fn([f64; 3]) -> bool) -> Vec<u32> {
    let flags: Vec<_> = mesh.positions.iter().map(|p| is_in(*p)).collect();
    let mixed = |t: &[u32; 3]| {
        let n = t.iter().filter(|v| flags[**v as usize]).count();
        n > 0 && n < 3
    };
    (0..mesh.triangles.len() as u32).filter(|t| mixed(&mesh.triangles[*t as usize])).collect()
}
