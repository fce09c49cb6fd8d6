//! `crumple page`: serves the embedded page to this machine, and nothing else; or says how to build it.

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use support::{Scratch, crumple, refused};

/// Whether the page was built when the program was.
fn is_embedded() -> bool {
    let folder = Scratch::new();
    crumple(&["page", "--to", &folder.path("page")]).status.success()
}

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It has ended already if this fails.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve() -> (Server, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_crumple"))
        .args(["page", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line).expect("it says where");
    let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("an address");
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    (Server(child), address.to_owned())
}

/// Status line and body of an answer.
fn ask(address: &str, request: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    write!(stream, "{request} HTTP/1.1\r\nHost: {address}\r\n\r\n").expect("it can be asked");
    let mut reader = BufReader::new(stream);
    let (mut status, mut length) = (String::new(), 0);
    reader.read_line(&mut status).expect("a status");
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).expect("a header");
        if header == "\r\n" {
            break;
        }
        if let Some(n) = header.strip_prefix("Content-Length: ") {
            length = n.trim().parse().expect("a number");
        }
    }
    let mut body = vec![0; if request.starts_with("HEAD") { 0 } else { length }];
    reader.read_exact(&mut body).expect("the whole body");
    (status.trim().to_owned(), body)
}

#[test]
fn the_page_is_served_and_nothing_else() {
    if !is_embedded() {
        refused(&["page"], &["crates/crumple-web/build"]);
        return;
    }
    let (_server, address) = serve();
    let (status, body) = ask(&address, "GET /");
    assert_eq!(status, "HTTP/1.1 200 OK");
    assert!(String::from_utf8_lossy(&body).contains("<title>Crumple</title>"));
    assert!(ask(&address, "GET /simd/crumple_web_bg.wasm").1.starts_with(b"\0asm"));
    assert_eq!(ask(&address, "HEAD /app.js").0, "HTTP/1.1 200 OK");
    for outside in
        ["/Cargo.toml", "/../Cargo.toml", "//etc/passwd", "/%2e%2e/Cargo.toml", "/simd", "passwd", ""]
    {
        assert_eq!(ask(&address, &format!("GET {outside}")).0, "HTTP/1.1 404 Not Found", "{outside:?}");
    }
    assert_eq!(ask(&address, "POST /").0, "HTTP/1.1 405 Method Not Allowed");
}

#[test]
fn the_page_is_written_to_a_folder() {
    if !is_embedded() {
        return;
    }
    let folder = Scratch::new();
    let to = folder.path("page");
    assert!(crumple(&["page", "--to", &to]).status.success());
    for file in ["index.html", "worker.js", "simd/crumple_web_bg.wasm"] {
        assert!(Path::new(&to).join(file).is_file(), "{file}");
    }
    refused(&["page", "--out", "x.json"], &["--to FOLDER"]);

    // Over what is there; other files stay, and nothing is left lying about.
    let there = |name: &str| Path::new(&to).join(name);
    fs::write(there("index.html"), "old").expect("it can be written");
    fs::write(there("mine.txt"), "mine").expect("it can be written");
    let files = || fs::read_dir(&to).expect("a folder").count();
    let before = files();
    assert!(crumple(&["page", "--to", &to]).status.success());
    assert!(fs::metadata(there("index.html")).expect("it is there").len() > 100);
    assert!(there("mine.txt").is_file());
    assert_eq!(files(), before);

    // What cannot be whole is not begun.
    fs::write(there("app.js"), "old").expect("it can be written");
    fs::remove_file(there("worker.js")).expect("it was there");
    fs::create_dir(there("worker.js")).expect("a folder in the way");
    refused(&["page", "--to", &to], &["worker.js", "it is a folder"]);
    assert_eq!(fs::read_to_string(there("app.js")).expect("it is there"), "old");
    assert_eq!(files(), before);
}
