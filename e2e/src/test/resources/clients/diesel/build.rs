//! libmysqlclient may have been made for a newer C library than this machine's: it brings its own along.
fn main() {
    println!("cargo:rustc-link-arg=-Wl,--allow-shlib-undefined");
}
