// SPDX-License-Identifier: GPL-3.0-or-later
// Halide's convolution with a schedule of ours, compiled ahead of time: writes convolution_<k>.a and .h for each size and the
// header halide_functions.hpp. Usage: halide_generator FOLDER
//
// The schedule is the best of those tried with Halide 14 on a Zen 4: tiles of 4 rows by 2 vectors in registers, all rows of the window
// unrolled, bands of 32 rows for the threads. Slower: tiles of 4 x 4 and more, which spill (8.5 instead of 7.3 ms for 3 x 3 at
// 4096 x 4096); a fully unrolled sum; loops over the window outside those over the tile.
#include <Halide.h>

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

using namespace Halide;

constexpr int kSizes[] = {3, 5, 7, 11, 15};

void compile(const std::string& folder, int size, const std::vector<Target>& targets) {
    ImageParam image(Float(32), 2, "image"), weights(Float(32), 2, "weights");
    Var x("x"), y("y"), xi("xi"), yi("yi"), band("band");
    Func edge = BoundaryConditions::repeat_edge(image);
    RDom window(0, size, 0, size);
    Func sum("sum"), result("convolution_" + std::to_string(size));  // also the name of the function in the library
    sum(x, y) = 0.0F;
    sum(x, y) += edge(x + window.x - size / 2, y + window.y - size / 2) * weights(window.x, window.y);
    result(x, y) = sum(x, y);

    // The vector width of the widest target; narrower targets split it.
    constexpr int lanes = 16, vectors = 2, rows = 4, bandRows = 32;
    result.split(y, band, y, bandRows).parallel(band).tile(x, y, xi, yi, lanes * vectors, rows).vectorize(xi, lanes).unroll(xi).unroll(yi);
    sum.compute_at(result, x).vectorize(x, lanes).unroll(x).unroll(y);
    sum.update().reorder(x, y, window.y, window.x).vectorize(x, lanes).unroll(x).unroll(y).unroll(window.y);

    weights.dim(0).set_bounds(0, size).dim(1).set_bounds(0, size);
    image.dim(0).set_min(0).dim(1).set_min(0);
    result.output_buffer().dim(0).set_min(0).dim(1).set_min(0);
    Pipeline(result).compile_to_multitarget_static_library(folder + "/convolution_" + std::to_string(size), {image, weights}, targets);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: halide_generator FOLDER\n";
        return 2;
    }
    const std::string folder = argv[1];
    std::vector<Target> targets;
    // The last one is the fallback.
    for (const char* features : {"-sse41-avx-avx2-fma-f16c-avx512-avx512_skylake", "-sse41-avx-avx2-fma-f16c", ""})
        targets.emplace_back("x86-64-linux" + std::string(features) + "-no_runtime");
    std::ofstream header(folder + "/halide_functions.hpp");
    header << "// Written by halide_generator.\n#pragma once\n#include <HalideRuntime.h>\n";
    std::string cases, sizes;
    for (const int size : kSizes) {
        compile(folder, size, targets);
        header << "#include \"convolution_" << size << ".h\"\n";
        cases += "        case " + std::to_string(size) + ": return &convolution_" + std::to_string(size) + ";\n";
        sizes += (sizes.empty() ? "" : ", ") + std::to_string(size) + " x " + std::to_string(size);
    }
    compile_standalone_runtime(folder + "/halide_runtime.o", Target("x86-64-linux"));
    header << "using HalideFunction = int (*)(halide_buffer_t*, halide_buffer_t*, halide_buffer_t*);\n"
           << "inline constexpr const char* kHalideKernels = \"" << sizes << "\";\n"
           << "inline HalideFunction halideConvolution(int size) {\n    switch (size) {\n"
           << cases << "        default: return nullptr;\n    }\n}\n";
    return header ? 0 : 1;
}
