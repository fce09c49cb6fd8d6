//! Random scenes: the same for the same seed, within their size, and varied enough to be worth running.

mod oracle;

use crumple_scenes::{
    Elements, LazyScene, Surface,
    random::{self, Mix},
};

#[test]
fn valid_and_repeatable() {
    for mix in [Mix::Anything, Mix::Surfaces, Mix::Closed, Mix::Solids] {
        for seed in 0..300 {
            let size = 12 + (seed as usize * 7) % 300;
            let s = random::scene_of(mix, seed, size);
            assert_eq!(s, random::scene_of(mix, seed, size));
            assert!((1..=4).contains(&s.frames()) && (1..=4).contains(&s.bodies.len()));
            for b in &s.bodies {
                let vertices = b.frames[0].len();
                assert!(
                    b.frames.iter().all(|f| f.len() == vertices && f.iter().flatten().all(|x| x.is_finite()))
                );
                let bound = size.max(48) + 3;
                assert!(b.elements.len() <= bound, "{mix:?} {seed}: {} of {size}", b.elements.len());
                assert!(b.elements.triangles().iter().flatten().all(|&v| (v as usize) < vertices));
                assert!(b.elements.tets().iter().flatten().all(|&v| (v as usize) < vertices));
                let kind_is_right = match mix {
                    Mix::Surfaces => matches!(b.elements, Elements::Triangles(_)),
                    Mix::Solids => matches!(b.elements, Elements::Tets(_)),
                    _ => true,
                };
                assert!(kind_is_right, "{mix:?} {seed}");
                if mix == Mix::Closed && b.elements != Elements::Points {
                    let positions = b.frames[0].clone();
                    let s = Surface { positions, triangles: b.elements.triangles().to_vec() };
                    assert!(s.is_closed() && s.is_consistently_oriented(), "{seed}");
                }
            }
        }
    }
}

#[test]
fn something_of_everything() {
    // Of 120 small scenes some have crossings within a body, with neighbours, between bodies, vertices in tets; some
    // have nothing at all.
    let mut seen = [0; 5];
    for seed in 0..120 {
        let c = oracle::count_frame(&LazyScene::from(random::scene(seed, 60)), 0);
        let none = c.self_pairs + c.neighbour_pairs + c.pairs + c.tets == 0;
        for (n, has) in
            seen.iter_mut().zip([c.self_pairs > 0, c.neighbour_pairs > 0, c.pairs > 0, c.tets > 0, none])
        {
            *n += usize::from(has);
        }
    }
    assert!(seen.iter().all(|&n| n >= 5), "{seen:?}");
}
