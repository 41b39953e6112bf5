// SPDX-License-Identifier: Apache-2.0
//! Finds the C library: in the build folder that PARENMATCH_BUILD names; installed, by pkg-config; or built by CMake
//! from the sources of this tree.
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-env-changed=PARENMATCH_BUILD");
    if let Some(folder) = env::var_os("PARENMATCH_BUILD") {
        link_static(Path::new(&folder));
    } else if let Some(flags) = installed() {
        link(&flags);
    } else {
        link_static(&built());
    }
}

/// Links libparenmatch.a of a build folder, and what it needs.
fn link_static(folder: &Path) {
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static=parenmatch");
    println!("cargo:rerun-if-changed={}", folder.join("libparenmatch.a").display());
    let description = folder.join("parenmatch.pc");
    let text = fs::read_to_string(&description).unwrap_or_else(|error| panic!("{}: {error}", description.display()));
    let private = text.lines().find_map(|line| line.strip_prefix("Libs.private:"));
    link(private.unwrap_or_default());
}

/// Passes on flags such as "-L/usr/lib -lparenmatch".
fn link(flags: &str) {
    for flag in flags.split_whitespace() {
        if let Some(folder) = flag.strip_prefix("-L") {
            println!("cargo:rustc-link-search=native={folder}");
        } else if let Some(name) = flag.strip_prefix("-l") {
            println!("cargo:rustc-link-lib={name}");
        }
    }
}

/// The flags of an installed library that is no older than this crate.
fn installed() -> Option<String> {
    let wanted = format!("parenmatch >= {}", env!("CARGO_PKG_VERSION"));
    let output = Command::new("pkg-config").args(["--libs", &wanted]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A build folder with the static library of this tree.
fn built() -> PathBuf {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("library");
    for part in ["base", "core", "cpu", "broadword", "gpu", "include", "shaders", "cmake", "CMakeLists.txt"] {
        println!("cargo:rerun-if-changed={}", sources.join(part).display());
    }
    let off =
        ["BUILD_TESTS", "BUILD_BENCH", "BUILD_CLI", "BUILD_EXAMPLES", "MPI"].map(|part| format!("-DPM_{part}=OFF"));
    run(Command::new("cmake")
        .arg("-S")
        .arg(sources)
        .arg("-B")
        .arg(&folder)
        .arg("-DCMAKE_BUILD_TYPE=Release")
        .args(off));
    let jobs = env::var("NUM_JOBS").unwrap_or_else(|_| "1".into());
    run(Command::new("cmake").arg("--build").arg(&folder).args(["--target", "parenmatch_static", "--parallel", &jobs]));
    folder
}

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}
