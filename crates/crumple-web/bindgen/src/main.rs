//! `crumple-web-bindgen IN.wasm OUT_FOLDER NAME`: writes `NAME.js`, `NAME.d.ts` and `NAME_bg.wasm` for web pages.
//!
//! What `wasm-bindgen --target web` does. As a member of this workspace it has, by the common lock file, the very release
//! that the macros have, which is what wasm-bindgen asks for; and it needs a third of the packages of the whole tool.

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder, name] = args.as_slice() else {
        bail!("three arguments: the .wasm file, the folder to write to, the name of the module");
    };
    let mut bindgen = Bindgen::new();
    bindgen.web(true)?.typescript(true).input_path(input).out_name(name).omit_default_module_path(true);
    bindgen.generate(folder).with_context(|| format!("cannot make a module of {input}"))
}
