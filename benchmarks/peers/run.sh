#!/bin/sh
# Builds the harnesses of other engines and runs them; one TSV row a measurement on stdout (and in $OUT/results.tsv).
#   SCENES  directory of scene directories (crumple convert --scene NAME DIR)   OUT  scratch directory for binaries, cargo target and results
#   BUDGET  seconds of repetitions per measurement (default 0.7)
#   run.sh build | build-rust | build-cpp | run1 | run2 | limits | table | all      (run1 = 1 thread, run2 = 2 threads)
# `setup` beside this file installs what the builds need.
set -u
here=$(cd "$(dirname "$0")" && pwd)
SCENES=${SCENES:-${TMPDIR:-/tmp}/scenes}
OUT=${OUT:-${TMPDIR:-/tmp}/peers-native}
export BUDGET=${BUDGET:-0.7}
export CARGO_TARGET_DIR=$OUT/target
bin=$OUT/bin; rs=$OUT/target/release/peers
mkdir -p "$bin"
what=${1:-all}

build_cpp() {
  cd "$here/cpp" || exit 1
  for p in embree:'-march=native -lembree3 -ltbb' bullet:'-march=native '"$(pkg-config --cflags bullet)"' -lBulletCollision -lLinearMath' \
           fcl:"$(pkg-config --cflags eigen3)"' -lfcl -lccd -loctomap -loctomath' cgal:'-march=native -frounding-math -DCGAL_LINKED_WITH_TBB -lgmp -lmpfr -ltbb'; do
    n=${p%%:*}; f=${p#*:}   # fcl: no -march=native, Eigen's alignment is part of the library's ABI
    { [ "$bin/$n" -nt "$n.cpp" ] && [ "$bin/$n" -nt common.hpp ]; } || g++ -std=c++17 -O3 -DNDEBUG "$n.cpp" -o "$bin/$n" $f 2>"$OUT/$n.log" || tail -3 "$OUT/$n.log"
  done
}
build_rust() {   # C++ Manifold, bundled by manifold-rs, takes part where its build tools are there; FEATURES= leaves it out
  if command -v cmake >/dev/null && command -v ninja >/dev/null; then manifold=manifold; else manifold=; fi
  cd "$here/rust" && RUSTFLAGS="-C target-cpu=native" cargo build --release --features "${FEATURES-$manifold}"
}
build() { build_cpp; build_rust; }
r() { timeout 60 "$@" | tee -a "$OUT/results.tsv"; }   # 60 s cap per call; rows printed before it stay
each() { c=$1; q=$2; t=$3; shift 3; for s in "$@"; do r "$c" "$SCENES" "$q" "$t" "$s"; done; }

Q1="sphere-20k sphere-320k sphere-1300k loop-80k loop-320k crumple-20k crumple-100k drape-large"
Q2="drape-small drape-large pair-knot12k-blob50k pair-blob50k-blob110k pair-blob110k-blob150k pair-knot12k-blob520k"
Q3="tets-A tets-B tets-C tets-D tets-E tets-1M"
Q4="inside-12k inside-50k inside-110k inside-150k inside-520k"
Q5="pair-knot12k-blob50k pair-blob50k-blob110k pair-blob110k-blob150k pair-knot12k-blob520k"
Q6="near-10obj@0.2 near-pair-100k@0.06 near-shell-100k@0.05"
one() {
  each "$rs" mark 1 $Q1
  each "$rs" Q1 1 $Q1; each "$bin/embree" Q1 1 $Q1
  each "$bin/cgal" Q1 1 sphere-20k sphere-320k loop-80k crumple-20k crumple-100k drape-large
  each "$bin/bullet" Q1 1 sphere-20k sphere-320k loop-80k crumple-20k crumple-100k
  each "$bin/fcl" Q1 1 sphere-20k crumple-20k crumple-100k
  each "$rs" Q2 1 $Q2; each "$bin/embree" Q2 1 $Q2
  each "$bin/cgal" Q2 1 $Q2
  each "$bin/bullet" Q2 1 drape-large pair-blob50k-blob110k; each "$bin/fcl" Q2 1 drape-small drape-large pair-blob50k-blob110k pair-blob110k-blob150k
  each "$rs" Q3 1 $Q3; each "$bin/embree" Q3 1 $Q3; each "$bin/cgal" Q3 1 tets-A tets-E tets-1M
  each "$rs" Q4 1 $Q4; each "$bin/embree" Q4 1 $Q4; each "$bin/cgal" Q4 1 $Q4
  each "$rs" Q5 1 $Q5; each "$bin/cgal" Q5 1 $Q5
  each "$rs" Q6 1 $Q6; each "$rs" Q6min 1 near-10obj near-pair-100k; each "$bin/embree" Q6 1 $Q6; each "$bin/cgal" Q6 1 near-pair-100k near-shell-100k; each "$bin/fcl" Q6 1 near-10obj near-pair-100k near-shell-100k
}
two() {
  T="sphere-320k crumple-100k loop-320k"
  each "$rs" mark 2 $T; each "$rs" Q1 2 $T; each "$bin/embree" Q1 2 $T; each "$bin/cgal" Q1 2 crumple-100k
  each "$bin/embree" Q2 2 drape-large pair-blob110k-blob150k; each "$rs" Q2 2 drape-large
  each "$rs" Q3 2 tets-E tets-1M; each "$bin/embree" Q3 2 tets-E tets-1M
  each "$rs" Q4 2 inside-50k inside-520k; each "$bin/embree" Q4 2 inside-50k inside-520k; each "$bin/cgal" Q4 2 inside-50k
  each "$rs" Q5 2 pair-blob110k-blob150k
  each "$rs" Q6 2 near-shell-100k@0.05; each "$bin/embree" Q6 2 near-shell-100k@0.05
}
limits() { each "$rs" limits 1 sphere-20k,sphere-320k,sphere-1300k,crumple-100k; }
case $what in
  build) build ;;
  build-rust) build_rust ;;
  build-cpp) build_cpp ;;
  run1) one ;;
  run2) two ;;
  limits) limits ;;
  table) python3 "$here/table.py" "$OUT/results.tsv" ;;
  all) build && : >"$OUT/results.tsv" && limits && one && two && python3 "$here/table.py" "$OUT/results.tsv" ;;
esac
