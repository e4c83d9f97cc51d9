#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs tests, benchmarks and sanitizers on a machine with a GPU, CUDA, CMake, ninja, a compiler and GoogleTest. Each stage has its own time
# limit, and all of them end within ${LIMIT:-530} seconds. Logs go to ${OUT:-out}.
# Usage: bash tests/gpu/device_run.sh [STAGE]... (default: build test bench sanitize)
#   build, test, bench, sanitize      the build, all tests, the benchmarks, some tests under the sanitizers
#   ceilings                          measured ceilings against published methods
#   durations                         compute times against the driver's tracing and, if available, Nsight Compute
#   stream                            the ceilings of the CPU against STREAM
#   kernels, tune                     Nsight Compute's analysis of the tuned convolution kernels; trials of their tuning parameters
#   primitives                        gpu/primitives: tests, benchmark with trials, sanitizers
#   overlap                           strips and modes: tests, benchmark, memcheck
#   tone, wavelet                     tone mapping and wavelets: tests, conformance, benchmarks
#   tone-threads                      threads of tone mapping on the CPU, if that backend was built
#   solvers                           solvers: tests, conformance, benchmark, sanitizers
#   devices                           groups of devices (two GPUs or more): tests, benchmark, sanitizers
#   sanitize-tone, sanitize-wavelet   tone mapping and wavelets: some tests under the sanitizers
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${OUT:-out}
mkdir -p "$out"
stages=${*:-build test bench sanitize}
total=${LIMIT:-530}  # seconds for everything
build=build/gpu-only
export PARALLAX_REQUIRE_BACKEND=cuda
export PATH="$PATH:/usr/local/cuda/bin"
failed=""

# stage NAME LIMIT LINES COMMAND...: runs a command with a log, and prints its duration and the last LINES lines of the log.
stage() {
  local name=$1 limit=$2 lines=$3 start=$SECONDS rc left=$((total - SECONDS))
  shift 3
  if [ $left -lt 8 ]; then
    echo "== $name: left out, the time is up"
    failed="$failed $name"
    return 1
  fi
  [ "$limit" -gt "$left" ] && limit=$left
  timeout -k 5 "$limit" "$@" > "$out/$name.log" 2>&1
  rc=$?
  [ $rc -eq 124 ] && echo "TIMED OUT after $limit s" >> "$out/$name.log"
  echo "== $name: $([ $rc -eq 0 ] && echo ok || echo "FAILED ($rc)"), $((SECONDS - start)) s"
  if [ $rc -ne 0 ]; then
    failed="$failed $name"
    { grep -E "error|FAILED|Failure|========= [A-Z]" "$out/$name.log" | head -20; tail -n 15 "$out/$name.log"; }
  elif [ "$lines" -gt 0 ]; then
    tail -n "$lines" "$out/$name.log"
  fi
  return $rc
}
has() { [[ " $stages " == *" $1 "* ]]; }

if has build; then
  stage configure 60 0 cmake --preset gpu-only -DCMAKE_CUDA_ARCHITECTURES=90-real \
    -DPARALLAX_WARNINGS_AS_ERRORS="${WARNINGS_AS_ERRORS:-OFF}" || { echo "FAILED:$failed"; exit 1; }
  stage build 200 1 cmake --build "$build" -j "$(nproc)" -- -k 0
  [ -x "$build/bin/parallax_gpu_tests" ] || { echo "FAILED:$failed"; exit 1; }
fi
if has test; then
  nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
  stage gpu_tests 150 3 "$build/bin/parallax_gpu_tests"
  if [ -x "$build/bin/parallax_conformance_tests" ]; then
    stage conformance_cuda 200 3 "$build/bin/parallax_conformance_tests" --gtest_filter="${CONFORMANCE_FILTER:-*}"
  else
    echo "== conformance: not built"
  fi
fi
if has bench; then
  stage bench_kernels 150 175 "$build/bin/bench_gpu_kernels"
  stage bench_odd_widths 60 90 "$build/bin/bench_gpu_odd_widths"
  if [ -x "$build/bin/bench_convolution" ]; then
    stage bench_convolution 60 30 "$build/bin/bench_convolution" ${BENCH_CONVOLUTION_ARGUMENTS:-}
  fi
fi
if has ceilings; then
  stage ceilings 60 12 "$build/bin/bench_gpu_ceilings"
fi
if has durations; then
  stage durations_traced 60 6 "$build/bin/bench_gpu_durations"
  if command -v python3 > /dev/null; then
    # 77: no ncu, or no permission to use counters.
    stage durations_ncu 100 6 bash -c "python3 tests/gpu/ncu_ratio.py $build/bin/bench_gpu_durations || [ \$? -eq 77 ]"
  else
    echo "== durations_ncu: python3 is not installed"
  fi
fi
if has kernels && command -v python3 > /dev/null; then
  # 77: no ncu, or no permission to use counters.
  stage kernels 120 20 bash -c "python3 tests/gpu/ncu_kernels.py $build/bin/bench_gpu_durations --size 8192 \
    convolve:size={3,5,7,9,11,15}=direct convolve:kernel=gaussian,size={5,7,11,15}=separable 2>&1 || [ \$? -eq 77 ]"
fi
if has stream; then
  stage stream 300 30 python3 tests/benchmarks/stream_ratio.py "$build/bin/bench_ceilings" ${STREAM_ARGUMENTS:-}
fi
if has tune; then
  stage build_tuning 200 0 cmake --build "$build" -j "$(nproc)" --target bench_gpu_launches &&
    stage launches 60 400 "$build/bin/bench_gpu_launches" && stage launches_large 180 500 "$build/bin/bench_gpu_launches" --large
fi
if has primitives; then
  stage primitives_tests 150 3 "$build/bin/parallax_gpu_tests" --gtest_filter='Primitive*'
  stage build_primitives 120 0 cmake --build "$build" -j "$(nproc)" --target bench_gpu_primitives
  stage bench_primitives 90 90 "$build/bin/bench_gpu_primitives" --tune
  if command -v compute-sanitizer > /dev/null; then
    # The longest arrays take minutes there and add no code path.
    few='Primitives.*-*65536*:*32Bit*:*64Bit*:*EveryLength*:*SingleFullBin*'
    stage primitives_memcheck 150 2 compute-sanitizer --tool memcheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
      --gtest_filter='Primitives.*-*65536*:*32Bit*:*SingleFullBin*'
    stage primitives_racecheck 150 2 compute-sanitizer --tool racecheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
      --gtest_filter="$few"
    stage primitives_initcheck 100 2 compute-sanitizer --tool initcheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
      --gtest_filter="$few"
  else
    echo "== primitives: compute-sanitizer is not installed"
  fi
fi
if has wavelet; then
  stage wavelet_tests 60 3 "$build/bin/parallax_gpu_tests" --gtest_filter='Wavelet*'
  if [ -x "$build/bin/parallax_conformance_tests" ]; then
    stage wavelet_conformance 150 40 bash -c "set -o pipefail; '$build/bin/parallax_conformance_tests' \
      --gtest_filter='${WAVELET_FILTER:-*cuda_dwt*:*cuda_idwt*:*cuda_wavelet*}' | grep -E 'largest error|FAILED|PASSED|Failure|ms total' | cut -c1-200"
  fi
  stage build_wavelet_bench 120 0 cmake --build "$build" -j "$(nproc)" --target bench_gpu_wavelet &&
    stage wavelet_kernels 60 400 "$build/bin/bench_gpu_wavelet"
  if [ -x "$build/bin/bench_wavelet" ]; then
    stage bench_wavelet 60 60 "$build/bin/bench_wavelet" ${BENCH_WAVELET_ARGUMENTS:-}
  fi
fi
if has sanitize-wavelet; then
  if command -v compute-sanitizer > /dev/null; then
    stage wavelet_memcheck 70 2 compute-sanitizer --tool memcheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
      --gtest_filter='WaveletLevels.EveryChoiceOfAxesMatchesTheReference:WaveletLevels.PartsAlongZ*:WaveletShrinkage.*'
    stage wavelet_racecheck 70 2 compute-sanitizer --tool racecheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
      --gtest_filter='WaveletLevels.PartsAlongZ*:WaveletShrinkage.*'
  else
    echo "== sanitize-wavelet: compute-sanitizer is not installed"
  fi
fi
if has tone; then
  stage tone_tests 60 3 "$build/bin/parallax_gpu_tests" --gtest_filter='Tone*'
  stage tone_conformance 60 3 "$build/bin/parallax_conformance_tests" \
    --gtest_filter="${TONE_FILTER:-*cuda_tonemap_fused:*Tone*cuda_tonemap_*}"
  stage bench_tone_passes 40 90 "$build/bin/bench_gpu_tone_mapping"
  stage bench_tone_mapping 60 40 "$build/bin/bench_tone_mapping" --backend cuda --size 8192 --threads 0 --samples 7 --seconds 0.2
fi
if has solvers; then
  stage solver_tests 60 3 "$build/bin/parallax_gpu_tests" --gtest_filter='Solver*'
  stage solver_conformance 200 3 "$build/bin/parallax_conformance_tests" --gtest_filter='*cuda_poisson*:*cuda_diffuse*:*cuda_fill*'
  stage bench_solvers 100 60 "$build/bin/bench_gpu_solvers" --quick --size 512 --size 4096 --size 10000 --size 16384
  if command -v compute-sanitizer > /dev/null; then
    stage solver_memcheck 60 2 compute-sanitizer --tool memcheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
      --gtest_filter='*Weights*/66:*Weights*/81:*Weights*/72:*Serial*/18:*Serial*/51:*Serial*/84:*Serial*/96:*Serial*/147:*SolverLaps*/2:*SolverLaps*/5'
    stage solver_racecheck 60 2 compute-sanitizer --tool racecheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
      --gtest_filter='*Weights*/78:*Serial*/78:*Serial*/147:*Serial*/12:*Serial*/90'
  fi
fi
if has devices; then
  group_tests='DeviceGroup.*:*GroupSolver*:PartsOnDevices.*'
  # Index 25 is the first case with two devices.
  tiny='*GroupSolverCase*/25:*GroupSolverCase*/29:*GroupSolverCase*/32:*GroupSolverCase*/35:*GroupSolverCase*/37'
  stage group_tests 100 3 "$build/bin/parallax_gpu_tests" --gtest_filter="$group_tests"
  stage group_tests_host_memory 100 3 env PARALLAX_CUDA_PEER_ACCESS=off "$build/bin/parallax_gpu_tests" --gtest_filter='*GroupSolver*'
  stage conformance_parts 100 2 "$build/bin/parallax_conformance_tests" --gtest_filter='*OnParts*cuda_*'
  stage bench_device_groups 150 60 "$build/bin/bench_gpu_device_groups"
  stage bench_parts 150 60 "$build/bin/bench_gpu_parts"
  if command -v compute-sanitizer > /dev/null; then
    for tool in memcheck racecheck; do
      stage "group_$tool" 60 2 compute-sanitizer --tool $tool --error-exitcode 9 "$build/bin/parallax_gpu_tests" --gtest_filter="$tiny"
      stage "parts_$tool" 60 2 compute-sanitizer --tool $tool --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
        --gtest_filter='PartsOnDevices.Have*One*:*MoreDevices*:*Statistics*'
    done
  fi
fi
if has tone-threads; then
  for threads in 1 16; do
    stage "bench_tone_threads_$threads" 60 6 "$build/bin/bench_tone_mapping" --backend openmp.simd --size 4096 --threads $threads \
      --operator global,photoreceptor --samples 7 --seconds 0.5
  done
fi
if has sanitize-tone; then
  if command -v compute-sanitizer > /dev/null; then
    stage tone_memcheck 60 2 compute-sanitizer --tool memcheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
      --gtest_filter='ToneMapping.HandlesRowGapsAndMisalignment:ToneMapping.StaysWithinItsMemoryEstimate'
    # A hundred times slower than memcheck: one small image for each operator and variant.
    stage tone_racecheck 60 2 compute-sanitizer --tool racecheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
      --gtest_filter='ToneMapping.MatchesTheReferenceOnASmallImage'
  else
    echo "== sanitize-tone: compute-sanitizer is not installed"
  fi
fi
if has overlap; then
  stage overlap_tests 60 3 "$build/bin/parallax_gpu_tests" --gtest_filter='StripsOnDevice.*:Modes.*:ToneMappingSlabs.*:WaveletSlabs.*'
  stage bench_overlap 60 100 "$build/bin/bench_gpu_overlap"
  stage bench_overlap_wavelet 60 100 "$build/bin/bench_gpu_overlap" wavelet
  stage bench_overlap_tonemap 60 100 "$build/bin/bench_gpu_overlap" tonemap
  if command -v compute-sanitizer > /dev/null; then
    stage overlap_memcheck 60 2 compute-sanitizer --tool memcheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
      --gtest_filter='StripsOnDevice.*:Modes.RecordSeveralStepsAndTransforms:WaveletSlabs.ServeModes*'
  else
    echo "== overlap: compute-sanitizer is not installed"
  fi
fi
if has sanitize; then
  if command -v compute-sanitizer > /dev/null; then
    some='Convolution.UnrolledWindowsMatchTheReferenceAtEveryBorder:Convolution.MatchesTheReferenceOnImagesThatFillTheDevice:Convolution.WindowsOfAnySizeMatchTheReferenceAtEveryBorder:Convolution.AnchorsMatchTheReference:Convolution.FiltersEveryChannelAndSlice:Convolution.SeparableWindowsMatchTheReferenceAtEveryBorder:Convolution.SeparableMatchesTheReferenceOnImagesThatFillTheDevice:Convolution.SeparableFiltersEveryChannelAndSlice:Convolution.SeparableSpreadsNonFiniteSamplesLikeTheReference:Convolution.TransformMatchesTheReferenceAtEveryBorder:Convolution.TransformFiltersEveryChannelAndSlice:Convolution.TransformSpreadsNonFiniteSamplesLikeTheReference:Session.TransfersEverySize:MemoryPool.KeepsAndReusesMemory'
    stage memcheck 180 2 compute-sanitizer --tool memcheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" --gtest_filter="$some"
    if [ -x "$build/bin/parallax_conformance_tests" ]; then
      stage memcheck_conformance 240 2 compute-sanitizer --tool memcheck --error-exitcode 9 "$build/bin/parallax_conformance_tests" \
        --gtest_filter="${SANITIZE_FILTER:-*cuda*-*CancelsALongRunSoon*}"
    fi
    stage racecheck 120 2 compute-sanitizer --tool racecheck --error-exitcode 9 "$build/bin/parallax_gpu_tests" \
      --gtest_filter='Convolution.AnchorsMatchTheReference:Convolution.FiltersEveryChannelAndSlice:Convolution.SeparableFiltersEveryChannelAndSlice:Convolution.SeparableSpreadsNonFiniteSamplesLikeTheReference:Convolution.TransformSpreadsNonFiniteSamplesLikeTheReference'
  else
    echo "== sanitize: compute-sanitizer is not installed"
  fi
fi
if [ -n "$failed" ]; then
  echo "FAILED:$failed"
  exit 1
fi
echo "all stages ok"
