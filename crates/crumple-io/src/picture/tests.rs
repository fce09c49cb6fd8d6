//! What a picture must show, checked on its pixels.

use proptest::prelude::*;

use super::*;

const BLUE: Color = Color::hex(0x20_40_c0);
const GREEN: Color = Color::hex(0x20_b0_40);

/// A square of side 2 around the z axis at height `z`, facing +z.
fn square(z: f64) -> Vec<[f64; 3]> {
    vec![[-1.0, -1.0, z], [1.0, -1.0, z], [1.0, 1.0, z], [-1.0, 1.0, z]]
}

const SQUARE: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

/// A cube of side 2 around `center`; triangles 2 f and 2 f + 1 are face f of -x, +x, -y, +y, -z, +z.
fn cube(center: [f64; 3]) -> Vec<[f64; 3]> {
    (0..8).map(|c| std::array::from_fn(|k| center[k] + if c >> k & 1 == 0 { -1.0 } else { 1.0 })).collect()
}

const CUBE: [[u32; 3]; 12] = [
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
];

/// A ball of radius 1 with `n` rings.
fn ball(n: usize) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    for i in 0..=n {
        for j in 0..2 * n {
            let (a, b) =
                (std::f64::consts::PI * i as f64 / n as f64, std::f64::consts::PI * j as f64 / n as f64);
            positions.push([a.sin() * b.cos(), a.cos(), a.sin() * b.sin()]);
        }
    }
    let v = |i: usize, j: usize| (i * 2 * n + j % (2 * n)) as u32;
    let quads =
        (0..n).flat_map(|i| (0..2 * n).map(move |j| [v(i, j), v(i, j + 1), v(i + 1, j + 1), v(i + 1, j)]));
    (positions, quads.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

fn front() -> View {
    View::looking_from([0.0, 0.0, 1.0])
}

fn small<'a>() -> Picture<'a> {
    Picture::new(160, 120).floor(false)
}

fn middle(image: &Image) -> [u8; 3] {
    image.pixel(image.width() / 2, image.height() / 2).unwrap()
}

fn count(image: &Image, is: impl Fn([u8; 3]) -> bool) -> usize {
    image.pixels().chunks_exact(3).filter(|p| is([p[0], p[1], p[2]])).count()
}

fn is_blue([r, _, b]: [u8; 3]) -> bool {
    i32::from(b) > i32::from(r) + 60
}

fn is_green([r, g, b]: [u8; 3]) -> bool {
    i32::from(g) > i32::from(r) + 50 && i32::from(g) > i32::from(b) + 50
}

/// The vivid red of marks, not the tint of what shines through.
fn is_marked([r, g, b]: [u8; 3]) -> bool {
    r > 170 && i32::from(r) > i32::from(g) + 110 && i32::from(r) > i32::from(b) + 110
}

#[test]
fn the_nearer_square_hides_the_farther_in_any_order() {
    let (near, far) = (square(1.0), square(-1.0));
    let near = || Surface::new(&near, &SQUARE).color(BLUE);
    let far = || Surface::new(&far, &SQUARE).color(GREEN);
    for (a, b) in [(near(), far()), (far(), near())] {
        let image = small().surface(a).surface(b).view(front()).render();
        assert!(is_blue(middle(&image)), "{:?}", middle(&image));
        let image =
            small().surface(near()).surface(far()).view(View::looking_from([0.0, 0.0, -1.0])).render();
        assert!(is_green(middle(&image)), "{:?}", middle(&image));
    }
}

#[test]
fn both_sides_of_a_surface_are_drawn() {
    let (positions, turned) = (square(0.0), SQUARE.map(|[a, b, c]| [a, c, b]));
    for triangles in [&SQUARE, &turned] {
        let image = small().surface(Surface::new(&positions, triangles).color(BLUE)).view(front()).render();
        assert!(is_blue(middle(&image)));
    }
}

#[test]
fn the_scene_fills_its_frame_and_stays_inside() {
    let positions = cube([3.0, -2.0, 7.0]);
    for direction in [[0.0, 0.0, 1.0], [1.0, 2.0, -0.3], [0.0, 1.0, 0.0], [-5.0, 0.1, 0.1]] {
        let image = small()
            .surface(Surface::new(&positions, &CUBE).color(BLUE))
            .view(View::looking_from(direction))
            .render();
        let covered = count(&image, is_blue);
        assert!(covered > 160 * 120 / 6, "{covered} pixels from {direction:?}");
        let (w, h) = (image.width(), image.height());
        let border =
            (0..w).flat_map(|x| [(x, 0), (x, h - 1)]).chain((0..h).flat_map(|y| [(0, y), (w - 1, y)]));
        assert!(border.into_iter().all(|(x, y)| !is_blue(image.pixel(x, y).unwrap())));
    }
}

#[test]
fn a_marked_triangle_is_seen_and_an_unmarked_picture_has_none() {
    let positions = cube([0.0; 3]);
    let plain = small().surface(Surface::new(&positions, &CUBE)).view(front()).render();
    assert_eq!(count(&plain, is_marked), 0);
    let marked = small().surface(Surface::new(&positions, &CUBE).highlight(&[10])).view(front()).render();
    let share = count(&marked, is_marked) as f64 / (160.0 * 120.0);
    assert!(share > 0.1, "{share}");
}

#[test]
fn one_marked_triangle_among_many_is_found() {
    let (positions, triangles) = ball(90);
    let marks = [triangles.len() as u32 / 2 + 17];
    let plain = Picture::new(400, 300).surface(Surface::new(&positions, &triangles)).render();
    let marked =
        Picture::new(400, 300).surface(Surface::new(&positions, &triangles).highlight(&marks)).render();
    assert_eq!(count(&plain, is_marked), 0);
    // Less than a pixel by its own size; the dot and the ring make it dozens.
    assert!(count(&marked, is_marked) > 20, "{} pixels", count(&marked, is_marked));
}

#[test]
fn a_marked_needle_is_seen_along_its_length() {
    let (mut positions, mut triangles) = (square(0.0), SQUARE.to_vec());
    positions.extend([[-0.9, 0.0, 0.1], [0.9, 0.0, 0.1], [0.0, 0.0, 0.1]]);
    triangles.push([4, 5, 6]);
    let image = small().surface(Surface::new(&positions, &triangles).highlight(&[2])).view(front()).render();
    let columns = (0..160).filter(|x| (0..120).any(|y| is_marked(image.pixel(*x, y).unwrap()))).count();
    assert!(columns > 60, "{columns} columns");
}

#[test]
fn hidden_marks_shine_through_only_when_asked() {
    let (wall, behind) = (square(1.0), cube([0.0, 0.0, -1.0]).map_scaled(0.3));
    let scene = |strength: f32| {
        small()
            .surface(Surface::new(&wall, &SQUARE).color(GREEN))
            .surface(Surface::new(&behind, &CUBE).highlight(&[10, 11]))
            .view(front())
            .see_through(strength)
            .render()
    };
    let redder = |image: &Image| count(image, |[r, g, _]| i32::from(r) > i32::from(g) + 20);
    assert_eq!(redder(&scene(0.0)), 0);
    assert!(redder(&scene(0.9)) > 30, "{}", redder(&scene(0.9)));
}

/// Scales positions about the origin.
trait MapScaled {
    fn map_scaled(self, factor: f64) -> Vec<[f64; 3]>;
}

impl MapScaled for Vec<[f64; 3]> {
    fn map_scaled(self, factor: f64) -> Vec<[f64; 3]> {
        self.into_iter().map(|p| p.map(|x| x * factor)).collect()
    }
}

#[test]
fn the_automatic_view_turns_to_the_marks() {
    let positions = cube([0.0; 3]);
    // One face after the other, except the bottom, which needs a view from below and gets one too.
    for face in 0..6_u32 {
        let marks = [2 * face, 2 * face + 1];
        let image =
            small().surface(Surface::new(&positions, &CUBE).highlight(&marks)).see_through(0.0).render();
        assert!(count(&image, is_marked) > 400, "face {face}: {} pixels", count(&image, is_marked));
    }
}

#[test]
fn a_ghost_lets_through_what_is_behind() {
    let (near, far) = (square(1.0), square(-1.0));
    let scene = |opacity: f32| {
        let image = small()
            .surface(Surface::new(&near, &SQUARE).color(BLUE).opacity(opacity))
            .surface(Surface::new(&far, &SQUARE).color(GREEN))
            .view(front())
            .render();
        middle(&image)
    };
    let (clear, ghost, solid) = (scene(0.0), scene(0.5), scene(1.0));
    assert!(is_green(clear) && is_blue(solid));
    assert!(
        ghost[1] < clear[1] && ghost[1] > solid[1] && ghost[2] > clear[2],
        "{clear:?} {ghost:?} {solid:?}"
    );
}

#[test]
fn lines_are_hidden_unless_on_top() {
    let wall = square(1.0);
    let segments = [[[-0.8, 0.0, 0.0], [0.8, 0.0, 0.0]]];
    let scene = |lines: Lines<'_>| {
        let image =
            small().surface(Surface::new(&wall, &SQUARE).color(GREEN)).lines(lines).view(front()).render();
        count(&image, is_marked)
    };
    let lines = || Lines::new(&segments).color(palette::HIGHLIGHT).width(4.0);
    assert_eq!(scene(lines()), 0);
    assert!(scene(lines().on_top()) > 200);
}

#[test]
fn points_have_their_size_and_the_colours_of_their_values() {
    let positions = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let image = small()
        .points(Points::new(&positions).values(&[0.0, 1.0], ColorMap::CoolWarm, 0.0, 1.0).size(20.0))
        .view(front())
        .render();
    let (blue, red) = (count(&image, is_blue), count(&image, |[r, _, b]| i32::from(r) > i32::from(b) + 60));
    let disc = std::f64::consts::PI * 100.0;
    for n in [blue, red] {
        assert!((n as f64) > 0.6 * disc && (n as f64) < 1.1 * disc, "{n} pixels");
    }
}

#[test]
fn boxes_show_their_edges_and_tint_their_faces() {
    let boxes = [[[-1.0; 3], [1.0; 3]]];
    let wires = small().boxes(Boxes::new(&boxes).color(BLUE).width(2.0)).view(front()).render();
    let filled = small().boxes(Boxes::new(&boxes).color(BLUE).width(2.0).fill(0.5)).view(front()).render();
    assert!(count(&wires, is_blue) > 300 && !is_blue(middle(&wires)));
    assert!(is_blue(middle(&filled)));
}

#[test]
fn a_close_up_shows_more_of_the_marks() {
    let (positions, triangles) = ball(60);
    let marks = [3000, 3001, 3002, 3003];
    let scene = |view: View| {
        let image =
            small().surface(Surface::new(&positions, &triangles).highlight(&marks)).view(view).render();
        count(&image, is_marked)
    };
    let (whole, close) = (scene(View::auto()), scene(View::auto().close_up()));
    assert!(close > 3 * whole, "{whole} and {close} pixels");
}

#[test]
fn a_border_is_drawn_where_classes_meet() {
    let positions = square(0.0);
    let image = |classes: &[u32]| {
        let surface = Surface::new(&positions, &SQUARE).edges(Edges::Hidden).classes(classes);
        small().surface(surface).view(front()).render()
    };
    // Two classes that happen to have one colour: only the border tells them apart.
    let twin = (4..).find(|k| palette::class(*k as usize) == palette::class(3)).unwrap();
    let (one, two) = (image(&[3, 3]), image(&[3, twin]));
    let darker = (0..120)
        .flat_map(|y| (0..160).map(move |x| (x, y)))
        .filter(|(x, y)| two.pixel(*x, *y).unwrap()[1].saturating_add(20) < one.pixel(*x, *y).unwrap()[1])
        .count();
    // The diagonal is about 110 pixels long and a good pixel wide.
    assert!((100..400).contains(&darker), "{darker} pixels");
}

#[test]
fn nothing_or_next_to_nothing_is_still_a_picture() {
    for (width, height) in [(160, 120), (1, 1), (3, 200), (0, 0)] {
        let image = Picture::new(width, height).title("title").caption("caption").render();
        assert_eq!(image.pixels().len(), 3 * (width.max(1) * height.max(1)) as usize);
        assert_eq!(image.skipped(), Skipped::default());
    }
    let point = [[5.0, 5.0, 5.0]; 3];
    let line = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    for positions in [&point, &line] {
        let image = small().surface(Surface::new(positions, &[[0, 1, 2]]).highlight(&[0])).render();
        assert!(count(&image, is_marked) > 3, "a degenerate mark is seen");
    }
}

#[test]
fn what_cannot_be_drawn_is_left_out_and_counted() {
    let good = cube([0.0; 3]);
    let mut positions = good.clone();
    positions.extend([[f64::NAN, 0.0, 0.0], [0.0, f64::INFINITY, 0.0], [1e9, 1e9, 1e9]]);
    let mut triangles = CUBE.to_vec();
    triangles.extend([[0, 1, 8], [9, 2, 3], [0, 1, 99]]);
    let clean = small().surface(Surface::new(&good, &CUBE).highlight(&[4])).render();
    // The vertex at 1e9 is used by nothing and must not move the camera.
    let dirty = small()
        .surface(Surface::new(&positions, &triangles).highlight(&[4, 77]))
        .points(Points::new(&[[f64::NAN; 3]]))
        .lines(Lines::new(&[[[0.0; 3], [0.0, 0.0, f64::NEG_INFINITY]]]))
        .boxes(Boxes::new(&[[[f64::NAN; 3], [1.0; 3]]]).fill(0.1))
        .render();
    assert_eq!(dirty.pixels(), clean.pixels());
    assert_eq!(dirty.skipped(), Skipped { not_finite: 5, out_of_range: 2 });
}

/// Mean difference of two images in levels of 255.
fn difference(a: &Image, b: &Image) -> f64 {
    let sum: i32 =
        a.pixels().iter().zip(b.pixels()).map(|(a, b)| (i32::from(*a) - i32::from(*b)).abs()).sum();
    f64::from(sum) / a.pixels().len() as f64
}

#[test]
fn place_and_size_of_a_scene_do_not_change_its_picture() {
    let (positions, triangles) = ball(12);
    // Rounded to multiples of 2^-10, so that moving by 2^40 is exact.
    let positions: Vec<_> = positions.iter().map(|p| p.map(|x| (x * 1024.0).round() / 1024.0)).collect();
    let image = |positions: &[[f64; 3]]| {
        small().surface(Surface::new(positions, &triangles).highlight(&[40])).render()
    };
    let plain = image(&positions);
    let moved: Vec<_> = positions.iter().map(|p| p.map(|x| x + 2.0_f64.powi(40))).collect();
    assert!(difference(&image(&moved), &plain) < 0.01);
    for scale in [1e-300, 1e-9, 1e9, 1e300, f64::MAX] {
        assert!(difference(&image(&positions.clone().map_scaled(scale)), &plain) < 0.01, "scale {scale:e}");
    }
}

#[test]
fn the_same_picture_has_the_same_bytes() {
    let (positions, triangles) = ball(10);
    let picture = Picture::new(200, 150)
        .surface(Surface::new(&positions, &triangles).highlight(&[1, 70]).opacity(0.5))
        .points(Points::new(&positions))
        .title("title")
        .legend(Legend::bar("depth", ColorMap::Viridis, 0.0, 1.0))
        .legend(Legend::keys([(BLUE, "blue")]));
    assert_eq!(picture.render(), picture.render());
}

#[test]
fn text_and_legends_are_written() {
    let blank = Picture::new(400, 300).render();
    let with = |picture: Picture<'_>| difference(&picture.render(), &blank);
    assert!(with(Picture::new(400, 300).title("A title")) > 0.02);
    assert!(with(Picture::new(400, 300).caption("a caption")) > 0.02);
    assert!(with(Picture::new(400, 300).legend(Legend::bar("depth", ColorMap::Ember, 0.0, 2.0))) > 0.2);
    let keys = Picture::new(400, 300).legend(Legend::keys([(palette::HIGHLIGHT, "colliding")])).render();
    assert!(count(&keys, is_marked) > 4);
}

#[test]
fn a_png_holds_the_pixels() {
    let positions = cube([0.0; 3]);
    let image = small().surface(Surface::new(&positions, &CUBE)).render();
    let mut reader = png::Decoder::new(std::io::Cursor::new(image.to_png())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (160, 120));
    assert_eq!(&pixels[..info.buffer_size()], image.pixels());
}

#[test]
fn colour_maps_rise_in_lightness() {
    let lightness = |c: Color| c.linear().dot(glam::Vec3::new(0.2126, 0.7152, 0.0722));
    for map in [ColorMap::Viridis, ColorMap::Ember] {
        let steps: Vec<_> = (0..=50).map(|i| lightness(map.at(f64::from(i) / 50.0))).collect();
        assert!(steps.windows(2).all(|w| w[1] > w[0] - 1e-3), "{map:?}");
    }
    assert_eq!(ColorMap::Viridis.of(f64::NAN, 0.0, 1.0), ColorMap::Viridis.at(f64::NAN));
    assert_eq!(ColorMap::Viridis.of(7.0, 3.0, 3.0), ColorMap::Viridis.at(0.5));
    assert_eq!(ColorMap::Ember.of(1e308, -1e308, 1e308), ColorMap::Ember.at(1.0));
}

fn wild() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => -2.0..2.0_f64,
        1 => Just(f64::NAN),
        1 => Just(f64::INFINITY),
        1 => Just(0.0),
        1 => prop_oneof![Just(1e300), Just(-1e300), Just(1e-300), Just(f64::MAX), Just(1e12)],
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_input_breaks_the_renderer(
        positions in prop::collection::vec([wild(), wild(), wild()], 1..12),
        triangles in prop::collection::vec([0..13_u32, 0..13_u32, 0..13_u32], 0..12),
        marks in prop::collection::vec(0..14_u32, 0..4),
        opacity in 0.0..1.2_f32,
        direction in prop::option::of([wild(), wild(), wild()]),
        up in [wild(), wild(), wild()],
        focus in prop::option::of(([wild(), wild(), wild()], [wild(), wild(), wild()])),
    ) {
        let segments: Vec<_> = positions.windows(2).map(|w| [w[0], w[1]]).collect();
        let mut view = direction.map_or(View::auto(), View::looking_from).up(up);
        if let Some((low, high)) = focus {
            view = view.focus(low, high);
        }
        let image = Picture::new(48, 36)
            .surface(Surface::new(&positions, &triangles).highlight(&marks).opacity(opacity))
            .points(Points::new(&positions))
            .lines(Lines::new(&segments).see_through(0.5))
            .boxes(Boxes::new(&segments).fill(0.2))
            .view(view)
            .title("any")
            .render();
        prop_assert_eq!(image.pixels().len(), 48 * 36 * 3);
    }
}
