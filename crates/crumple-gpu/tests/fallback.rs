//! Without a graphics processor everything works, and it is said why.

use crumple::methods::layered_depth::{LayeredDepth, Resolution};
use crumple::{Bodies, BodyId, Frame, Mesh, Positions};
use crumple_gpu::{GpuError, LayersOn, Wanted};
use crumple_scenes::shapes;

/// Draws a ball as told and as the engine does.
fn assert_draws(on: &mut LayersOn) {
    let ball = shapes::icosphere(6).outward();
    let mesh =
        Bodies::new([Mesh::from_triangles("ball", ball.positions.len(), &ball.triangles).unwrap()]).unwrap();
    let bodies = [Positions::from(&ball.positions)];
    let mut method = LayeredDepth::default();
    let mut volumes = method.update(&mesh, Frame::new(&bodies)).unwrap();
    let mut view = volumes.view_of(BodyId(0), Resolution::default()).unwrap().unwrap();
    let layers = on.layers(&mut view, 0);
    assert!(layers == view.layers(0) && layers.count() > 10_000);
}

#[test]
fn an_unknown_adapter_falls_back_to_the_engine() {
    let mut on = LayersOn::choose(&Wanted::Named("no such adapter".into()));
    assert!(matches!(on.why(), Some(GpuError::NoSuchAdapter { .. } | GpuError::NoAdapter { .. })), "{on}");
    assert!(on.to_string().starts_with("on the CPU: no "), "{on}");
    assert_draws(&mut on);
}

#[test]
fn the_engine_may_be_wished_for() {
    let mut on = LayersOn::cpu();
    assert!(on.why().is_none());
    assert_eq!(on.to_string(), "on the CPU");
    assert_draws(&mut on);
}

#[test]
fn whatever_there_is_draws() {
    for wanted in [Wanted::Hardware, Wanted::Any] {
        let mut on = LayersOn::choose(&wanted);
        eprintln!("{wanted:?}: {on}");
        assert_draws(&mut on);
    }
}

/// The part that runs where the Vulkan loader finds no driver.
#[test]
fn inner_no_driver() {
    if std::env::var_os("CRUMPLE_NO_DRIVER").is_none() {
        return;
    }
    for wanted in [Wanted::Hardware, Wanted::Any] {
        let mut on = LayersOn::choose(&wanted);
        assert!(matches!(on.why(), Some(GpuError::NoAdapter { .. })), "{on}");
        println!("{on}");
        assert_draws(&mut on);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_driver_the_engine_draws() {
    let test = std::env::current_exe().expect("a test has a file");
    let output = std::process::Command::new(test)
        .args(["--exact", "inner_no_driver", "--nocapture"])
        .env("CRUMPLE_NO_DRIVER", "1")
        .env("VK_ICD_FILENAMES", "/nonexistent")
        .env("VK_DRIVER_FILES", "/nonexistent")
        .output()
        .expect("a test can be run");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("on the CPU: no graphics adapter was found; is a driver for"), "{said}");
}
