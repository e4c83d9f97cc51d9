#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Measures this machine: convolution and tone mapping against OpenCV with one thread and with all, loading against OpenEXR and GDCM, peak
# memory, frame times, playing of a series, latency of a slider, start. Builds Release first. Usage: tests/benchmarks/run.sh [--quick] [--no-build]
set -euo pipefail
cd "$(dirname "$0")/../.."

build=build/release
samples=21
size=4096
canvas=16384  # needs 5 GB of memory
volume=512
for argument in "$@"; do
  case "$argument" in
    --quick) samples=5; size=2048; canvas=4096; volume=256 ;;
    --no-build) no_build=1 ;;
    *) echo "usage: tests/benchmarks/run.sh [--quick] [--no-build]" >&2; exit 2 ;;
  esac
done

if [ -z "${no_build:-}" ]; then
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  cmake --preset release >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
  targets=(bench_convolution bench_tone_mapping)
  if cmake --build "$build" --target help 2>/dev/null | grep -q '^bench_load_exr:'; then targets+=(bench_load_exr bench_files bench_canvas bench_contact_sheet bench_live_preview bench_volume_view bench_volume_rendering bench_volume_series parallax-cli parallax); fi
  if cmake --build "$build" --target help 2>/dev/null | grep -q '^bench_load_dicom:'; then targets+=(bench_load_dicom); fi
  cmake --build "$build" --target "${targets[@]}" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
fi

grep -m1 'model name' /proc/cpuinfo | sed 's/.*: //' || true
echo "processors: $(nproc), load before: $(cut -d' ' -f1 /proc/loadavg)"
status=0
for threads in 1 0; do
  echo
  "$build/bin/bench_convolution" --size "$size" --threads "$threads" --samples "$samples" || status=$?
done
for threads in 1 0; do
  echo
  "$build/bin/bench_tone_mapping" --size "$size" --threads "$threads" --samples "$samples" || status=$?
done
if [ -x "$build/bin/bench_load_exr" ]; then
  echo
  "$build/bin/bench_load_exr" || status=$?
fi
if [ -x "$build/bin/bench_files" ]; then
  echo
  python3 tests/benchmarks/files.py "$build/bin/bench_files" --size "$size" || status=$?
fi
if [ -x "$build/bin/bench_load_dicom" ]; then
  echo
  "$build/bin/bench_load_dicom" || status=$?
fi
if [ -x "$build/bin/parallax-cli" ]; then
  echo
  python3 tests/benchmarks/peak_memory.py "$build/bin/parallax-cli" "$size" || status=$?
fi
if [ -x "$build/bin/bench_canvas" ]; then
  echo
  QT_QPA_PLATFORM=offscreen taskset -c 0 "$build/bin/bench_canvas" "$canvas" 2>/dev/null || status=$?
  echo
  QT_QPA_PLATFORM=offscreen taskset -c 0 "$build/bin/bench_canvas" 2048 3 9 2>/dev/null || status=$?
fi
if [ -x "$build/bin/bench_contact_sheet" ]; then
  echo
  QT_QPA_PLATFORM=offscreen "$build/bin/bench_contact_sheet" 2>/dev/null || status=$?
fi
if [ -x "$build/bin/bench_volume_view" ]; then
  echo
  QT_QPA_PLATFORM=offscreen taskset -c 0 "$build/bin/bench_volume_view" "$volume" 2>/dev/null || status=$?
fi
if [ -x "$build/bin/bench_volume_rendering" ]; then
  echo
  QT_QPA_PLATFORM=offscreen taskset -c 0,1 "$build/bin/bench_volume_rendering" 2>/dev/null || status=$?
fi
if [ -x "$build/bin/bench_volume_series" ]; then
  echo
  QT_QPA_PLATFORM=offscreen taskset -c 0,1 "$build/bin/bench_volume_series" 2>/dev/null || status=$?
fi
if [ -x "$build/bin/bench_live_preview" ]; then
  echo
  QT_QPA_PLATFORM=offscreen "$build/bin/bench_live_preview" 2>/dev/null || status=$?
  for operator in global,key,0.1,0.4 local,key,0.1,0.4 photoreceptor,intensity,-1,1 histogram,saturation,0.8,1.2; do
    IFS=, read -r name parameter from to <<<"$operator"
    QT_QPA_PLATFORM=offscreen "$build/bin/bench_live_preview" --size 3840x2160 --op "tonemap:operator=$name" --parameter "$parameter" \
      --from "$from" --to "$to" --target 100 2>/dev/null || status=$?
  done
fi
if [ -x "$build/bin/parallax" ]; then
  echo
  python3 tests/benchmarks/start_time.py "$build/bin/parallax" || { [ $? = 77 ] || status=1; }
fi
exit "$status"
