//! `crumple reproduce`: documents, reports and refusals, on experiments that take a moment; and verdicts that follow from
//! the numbers beside them.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn crumple(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crumple"));
    command.current_dir(folder).arg("reproduce").args(args).output().expect("the program starts")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn json(args: &[&str]) -> Value {
    let output = crumple(folder().path(), &[args, &["--json"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {stderr}");
    assert!(stderr.is_empty(), "{args:?} says {stderr}");
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

/// A number with its range: least, middle, most.
type Span = [f64; 3];

fn number(cell: &Value) -> Option<Span> {
    match cell {
        Value::Number(n) => n.as_f64().map(|x| [x; 3]),
        Value::Object(o) => Some(["low", "mid", "high"].map(|k| o[k].as_f64().expect("a number"))),
        _ => None,
    }
}

fn is(cell: &Value, wanted: &str) -> bool {
    match cell {
        Value::String(text) => text == wanted,
        other => number(other).is_some_and(|n| wanted.parse() == Ok(n[1])),
    }
}

/// The numbers of a column in the rows that are meant.
fn column(rows: &[Value], name: &Value, keys: &Value) -> Option<Vec<Span>> {
    let meant = |row: &&Value| {
        list(keys).iter().all(|k| is(&row[k[0].as_str().expect("a column")], k[1].as_str().expect("a value")))
    };
    rows.iter().filter(meant).map(|row| number(&row[name.as_str().expect("a column")])).collect()
}

/// An expression of the document, computed again from the rows of the document alone.
fn evaluated(measure: &Value, rows: &[Value]) -> Option<Span> {
    let (kind, of) = measure.as_object().expect("one kind").iter().next().expect("one kind");
    let both = || Some([evaluated(&of[0], rows)?, evaluated(&of[1], rows)?]);
    let corners = |f: fn(f64, f64) -> f64| {
        let [a, b] = both()?;
        let all = [f(a[0], b[0]), f(a[0], b[2]), f(a[2], b[0]), f(a[2], b[2])];
        let fold = |g: fn(f64, f64) -> f64| all.iter().copied().reduce(g).expect("four");
        Some([fold(f64::min), f(a[1], b[1]), fold(f64::max)])
    };
    match kind.as_str() {
        "paper" => of.as_f64().map(|x| [x; 3]),
        "over" => corners(|a, b| a / b),
        "minus" => corners(|a, b| a - b),
        "plus" => corners(|a, b| a + b),
        "off" => {
            let [low, mid, high] = evaluated(of, rows)?;
            let f = |x: f64| x.max(1.0 / x);
            let least = if low < 1.0 && high > 1.0 { 1.0 } else { f(low).min(f(high)) };
            Some([least, f(mid), f(low).max(f(high))])
        }
        "exponent" => {
            let [xs, ys] = ["x", "y"].map(|k| column(rows, &of[k], &of["rows"]));
            let logs: Vec<(f64, f64)> = xs?.iter().zip(&ys?).map(|(x, y)| (x[1].ln(), y[1].ln())).collect();
            let n = logs.len() as f64;
            let (mx, my) =
                (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
            let top: f64 = logs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
            let bottom: f64 = logs.iter().map(|(x, _)| (x - mx) * (x - mx)).sum();
            Some([top / bottom; 3])
        }
        "column" => folded(of["fold"].as_str().expect("a fold"), &column(rows, &of["column"], &of["rows"])?),
        other => panic!("no measure {other}"),
    }
}

fn folded(fold: &str, values: &[Span]) -> Option<Span> {
    let n = values.len() as f64;
    let each = |f: fn(f64, f64) -> f64| {
        values.iter().copied().reduce(|a, b| [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2])])
    };
    match fold {
        "rows" => Some([n; 3]),
        "only" => (values.len() == 1).then(|| values[0]),
        "most" => each(f64::max),
        "least" => each(f64::min),
        "sum" => each(|a, b| a + b),
        "mean" => each(|a, b| a + b).map(|s| s.map(|x| x / n)),
        other => panic!("no fold {other}"),
    }
}

fn admits(bound: &Value, x: f64) -> bool {
    let (kind, of) = bound.as_object().expect("one bound").iter().next().expect("one bound");
    let y = of.as_f64().unwrap_or(f64::NAN);
    match kind.as_str() {
        "at_most" => x <= y,
        "at_least" => x >= y,
        "above" => x > y,
        "below" => x < y,
        "within" => of[0].as_f64().expect("low") <= x && x <= of[1].as_f64().expect("high"),
        other => panic!("no bound {other}"),
    }
}

/// What the rows and the limit say, without the program's help.
fn verdict(measure: &Value, limit: &Value, rows: &[Value]) -> &'static str {
    let Some(span) = evaluated(measure, rows).filter(|s| s.iter().all(|x| x.is_finite())) else {
        return "cannot be judged";
    };
    match span.map(|x| admits(&limit["bound"], x)) {
        [true, true, true] => "holds",
        [false, false, false] => "does not hold",
        _ => "cannot be judged",
    }
}

/// Digits as they stand in a quotation.
fn stands_in(quote: &str, x: f64) -> bool {
    quote.split(|c: char| !(c.is_ascii_digit() || c == '.')).any(|w| w.trim_end_matches('.').parse() == Ok(x))
}

fn papers_numbers(measure: &Value, out: &mut Vec<f64>) {
    let (kind, of) = measure.as_object().expect("one kind").iter().next().expect("one kind");
    match kind.as_str() {
        "paper" => out.extend(of.as_f64()),
        "over" | "minus" | "plus" => list(of).iter().for_each(|m| papers_numbers(m, out)),
        "off" => papers_numbers(of, out),
        _ => {}
    }
}

/// Every verdict of a document follows from its table; returns how many there are.
fn verdicts_follow(document: &Value) -> usize {
    let mut count = 0;
    for e in list(&document["experiments"]) {
        let rows = list(&e["rows"]);
        let mut verdicts = Vec::new();
        for c in list(&e["claims"]) {
            let id = &e["id"];
            let said = c["verdict"].as_str().expect("a verdict");
            verdicts.push(said);
            count += 1;
            assert!(c["quote"].as_str().is_some_and(|q| q.len() > 10), "{id}");
            assert!(c["why"].as_str().is_some_and(|w| !w.is_empty()), "{id}: {c}");
            if c["measure"].is_null() {
                assert_eq!(said, "cannot be judged", "{id}: nothing was measured");
                continue;
            }
            assert_eq!(said, verdict(&c["measure"], &c["limit"], rows), "{id}: {}", c["quote"]);
            // The number in the document is the one that its rows give, to the last digits.
            let given = number(&c["value"]).filter(|v| v.iter().all(|x| x.is_finite()));
            let again = evaluated(&c["measure"], rows).filter(|v| v.iter().all(|x| x.is_finite()));
            match (given, again) {
                (Some(a), Some(b)) => {
                    let near = a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1e-300));
                    assert!(near, "{id}: {a:?} is said, {b:?} is in the table");
                }
                (given, again) => assert_eq!(given, again, "{id}: {}", c["quote"]),
            }
            let mut numbers = Vec::new();
            papers_numbers(&c["measure"], &mut numbers);
            let quote = c["quote"].as_str().expect("a quotation");
            assert!(numbers.iter().all(|x| stands_in(quote, *x)), "{id}: {numbers:?} are not in “{quote}”");
            let cause = &c["cause"];
            assert_eq!(
                cause.is_null(),
                said != "does not hold",
                "{id}: a cause where something fails, and only there"
            );
            if !cause["measure"].is_null() {
                assert_eq!(
                    verdict(&cause["measure"], &cause["limit"], rows),
                    "holds",
                    "{id}: {}",
                    cause["text"]
                );
            }
        }
        let strict =
            ["does not hold", "cannot be judged", "holds"].into_iter().find(|v| verdicts.contains(v));
        assert_eq!(e["verdict"].as_str(), Some(strict.unwrap_or("nothing claimed")), "{}", e["id"]);
    }
    count
}

#[test]
fn an_experiment_gives_rows_verdicts_and_reasons() {
    let document = json(&["M18", "v24"]);
    assert_eq!(document["schema"], "crumple.reproduce/3");
    for key in ["version", "laboratory", "engine", "compiler", "processor", "date", "steps", "seeds"] {
        assert!(document["setting"][key].as_str().is_some_and(|s| !s.is_empty()), "{key}");
    }
    assert!(document["setting"]["compiler"].as_str().unwrap().starts_with("rustc "));
    let experiments = list(&document["experiments"]);
    assert_eq!(experiments.iter().map(|e| &e["id"]).collect::<Vec<_>>(), ["M18", "V24"]);
    for e in experiments {
        for key in ["title", "claim", "why", "paper", "source", "how"] {
            assert!(!e[key].as_str().expect(key).is_empty(), "{key}");
        }
        assert!(!list(&e["rows"]).is_empty());
        assert!(e["seconds"].as_f64().unwrap() >= 0.0);
    }
    assert!(verdicts_follow(&document) >= 3);
}

/// The recorded run, from which docs/reproduction.md was written.
fn recorded() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reproduction.json");
    serde_json::from_str(&std::fs::read_to_string(path).expect("the recorded run"))
        .expect("one JSON document")
}

#[test]
fn every_verdict_of_the_recorded_run_follows_from_its_numbers() {
    let document = recorded();
    assert!(verdicts_follow(&document) > 120);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reproduction.md");
    let page = std::fs::read_to_string(page).expect("the page of the recorded run");
    for e in list(&document["experiments"]) {
        for c in list(&e["claims"]) {
            // A cause that was tested, for everything that does not hold.
            let is_lost = c["verdict"] == "does not hold";
            assert!(
                !is_lost || !c["cause"]["measure"].is_null(),
                "{}: {} has no tested cause",
                e["id"],
                c["quote"]
            );
            let row = format!(
                "| {} | “{}” ({}) | {} |",
                text(&e["id"]),
                text(&c["quote"]),
                text(&c["place"]),
                text(&c["verdict"])
            );
            assert!(page.contains(&row.replace("\\|", "|")), "the page does not have: {row}");
            assert!(page.contains(text(&c["why"])), "the page does not have: {}", c["why"]);
        }
    }
    for key in ["version", "laboratory", "engine", "compiler", "processor", "date"] {
        assert!(page.contains(text(&document["setting"][key])), "{key}");
    }
}

#[test]
fn the_recorded_run_is_of_a_laboratory_in_the_history() {
    const FOLDER: &str = "crates/crumple-cli/src/reproduce";
    let git = |args: &[&str]| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let output = std::process::Command::new("git").current_dir(root).args(args).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    // Without a history, or with a part of it, nothing can be found.
    if git(&["rev-parse", "--is-shallow-repository"]).as_deref() != Some("false") {
        return;
    }
    let document = recorded();
    let tree = text(&document["setting"]["laboratory"]);
    assert!(!tree.contains("changes"), "recorded by a program with uncommitted changes: {tree}");
    let commits = git(&["log", "--format=%H", "--", FOLDER]).expect("commits");
    let is_of = |c: &str| git(&["rev-parse", &format!("{c}:{FOLDER}")]).is_some_and(|t| t.starts_with(tree));
    assert!(tree.len() >= 12 && commits.lines().any(is_of), "no commit has the laboratory {tree}");
}

fn text(value: &Value) -> &str {
    value.as_str().expect("words")
}

/// All numbers of a row, as places in the document.
fn numeric_cells(document: &Value) -> Vec<(usize, usize, String)> {
    let mut out = Vec::new();
    for (e, experiment) in list(&document["experiments"]).iter().enumerate() {
        for (r, row) in list(&experiment["rows"]).iter().enumerate() {
            let cells = row.as_object().expect("a row").iter();
            out.extend(cells.filter(|(_, v)| number(v).is_some()).map(|(k, _)| (e, r, k.clone())));
        }
    }
    out
}

/// The columns that an expression reads.
fn columns<'a>(measure: &'a Value, out: &mut Vec<&'a str>) {
    let (kind, of) = measure.as_object().expect("one kind").iter().next().expect("one kind");
    match kind.as_str() {
        "over" | "minus" | "plus" => list(of).iter().for_each(|m| columns(m, out)),
        "off" => columns(of, out),
        "exponent" => out.extend([text(&of["x"]), text(&of["y"])]),
        "column" if of["fold"] == "only" || of["fold"] == "sum" => out.push(text(&of["column"])),
        _ => {}
    }
}

#[test]
fn a_changed_number_is_noticed() {
    // Every cell that a verdict reads by itself or in a sum, one at a time, larger by a thousandth of its value.
    let document = recorded();
    let mut count = 0;
    for (e, experiment) in list(&document["experiments"]).iter().enumerate() {
        let mut read = Vec::new();
        list(&experiment["claims"]).iter().for_each(|c| {
            if !c["measure"].is_null() {
                columns(&c["measure"], &mut read);
            }
        });
        let one = serde_json::json!({"experiments": [experiment]});
        let before = verdicts_follow(&one);
        for (_, r, key) in numeric_cells(&one).into_iter().filter(|c| read.contains(&c.2.as_str())) {
            let mut changed = one.clone();
            let cell = &mut changed["experiments"][0]["rows"][r][&key];
            let [low, mid, high] = number(cell).expect("a number").map(|x| 1.001 * x + 1e-3);
            *cell = serde_json::json!({"low": low, "mid": mid, "high": high});
            count += usize::from(std::panic::catch_unwind(|| verdicts_follow(&changed)).is_err());
        }
        assert!(before > 0 || read.is_empty(), "{e}");
    }
    assert!(count > 150, "{count}");
}

#[test]
fn a_verdict_that_does_not_follow_is_noticed() {
    let mut document = json(&["M18"]);
    let claim = &mut document["experiments"][0]["claims"][0];
    assert_eq!(claim["verdict"], "holds");
    claim["verdict"] = "does not hold".into();
    assert!(std::panic::catch_unwind(|| verdicts_follow(&document)).is_err());
}

#[test]
fn numbers_are_counted_and_not_copied_from_the_paper() {
    let document = json(&["M18"]);
    let e = &document["experiments"][0];
    let human = list(&e["rows"]).iter().find(|r| r["model"] == "Human").expect("the human");
    // The table prints 40 edges; a closed surface of 1888 triangles has 2832, and a remark says so.
    assert_eq!((&human["paper: edges"], &human["edges"]), (&Value::from(40), &Value::from(2832)));
    assert!(e["remarks"][0].as_str().unwrap().contains("2832"));
}

#[test]
fn a_second_id_of_an_experiment_is_answered_under_its_own_name() {
    let known = json(&["--list"]);
    let known: Vec<&Value> = list(&known).iter().flat_map(|e| list(&e["ids"])).collect();
    for id in ["T25", "T37", "M20", "M25", "H21", "H28", "B13", "B18", "V18", "V24", "X1"] {
        assert!(known.contains(&&Value::from(id)), "{id}");
    }
    let document = json(&["M24"]);
    let e = &document["experiments"][0];
    assert_eq!((&e["id"], &e["ids"]), (&Value::from("M24"), &serde_json::json!(["M23", "M24"])));
}

#[test]
fn a_report_holds_everything_and_refers_to_nothing() {
    let folder = folder();
    let output = crumple(folder.path(), &["V24", "B17", "--out", "part.html", "--picture", "first.png"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let html = std::fs::read_to_string(folder.path().join("part.html")).expect("a report");
    for part in ["V24 · ", "B17 · ", "data:image/png;base64,", "download=\"V24.csv\"", "Limits", "rustc "] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("http://") && !html.contains("https://"));
    let png = std::fs::read(folder.path().join("first.png")).expect("a picture");
    assert!(png.starts_with(b"\x89PNG"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("The paper: “") && text.contains("holds"), "{text}");
}

#[test]
fn no_criterion_has_a_limit_of_its_own() {
    // Limits are made in limits.rs alone, which the page prints; the compiler keeps their fields private there.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/reproduce");
    let mut waiting = vec![folder];
    let mut files = 0;
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(path).expect("a folder").map(|e| e.expect("an entry").path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("source");
        let is_limits = path.ends_with("limits.rs");
        assert_eq!(
            text.contains("Limit {"),
            is_limits || text.contains("&'static Limit {"),
            "{}",
            path.display()
        );
        assert!(!text.contains(".check("), "{}: a verdict that is not computed from cells", path.display());
        files += 1;
    }
    assert!(files > 25, "{files}");
}

#[test]
fn unknown_ids_are_refused_with_the_known_ones() {
    for id in ["T99", "", "teschner"] {
        let output = crumple(folder().path(), &[id]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{id}: {stderr}");
        assert!(output.stdout.is_empty());
        assert!(stderr.contains("T25") && stderr.contains("V24"), "{stderr}");
    }
    // Nothing is run when one of several is wrong.
    let output = crumple(folder().path(), &["M18", "T99"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}
