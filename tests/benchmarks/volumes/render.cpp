// SPDX-License-Identifier: GPL-3.0-or-later
// Times of volume rendering: the compute stage, with the pass over the volume that finds empty space. Prints the median and the smallest of
// the samples, one line for each picture, with the target where there is one (an H200, and 16 threads of a CPU, for the default sizes).
//   bench_render [TARGET] [WxHxD] [PIXELS] [SAMPLES]    as in: bench_render openmp:16t 512x512x300 1024 11
// A CT is simulated by the Shepp-Logan phantom; noise is the worst case, since it has no empty space.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"

namespace {

using namespace parallax;

struct PictureCase {
    const char* name;
    const char* input;
    const char* step;
    double deviceTarget, hostTarget;  ///< ms; 0: none
};
constexpr PictureCase kPictures[] = {
    {"maximum, along z", "shepp-logan", "mode=maximum", 1, 60},
    {"maximum, turned", "shepp-logan", "mode=maximum,view=xz,azimuth=30,elevation=20", 1, 60},
    {"mean, turned", "shepp-logan", "mode=mean,view=xz,azimuth=30,elevation=20", 0, 0},
    {"surface, along z", "shepp-logan", "mode=surface,threshold=0.15", 2, 60},
    {"surface, turned", "shepp-logan", "mode=surface,threshold=0.15,view=xz,azimuth=30,elevation=20", 2, 60},
    {"transfer function, turned", "shepp-logan",
     "mode=transfer,curve='0.12:0:#804020 0.3:0.05:#e0a070 1:0.3:#ffffff',view=xz,azimuth=30,elevation=20", 0, 0},
    {"maximum, noise, along z", "noise", "mode=maximum", 0, 0},
    {"maximum, noise, turned", "noise", "mode=maximum,view=xz,azimuth=30,elevation=20", 0, 0},
};

/// "NAME" or "NAME:THREADSt".
Target targetOf(const std::string& text) {
    const std::size_t colon = text.find(':');
    Target target = parseTarget(text.substr(0, colon));
    if (colon != std::string::npos) target.threads = std::atoi(text.c_str() + colon + 1);
    return target;
}

void measure(const PictureCase& picture, const ImagePtr& input, const Target& target, const std::string& pixels, int samples) {
    const std::string step = std::string("render:") + picture.step + ",width=" + pixels + ",height=" + pixels;
    RunContext context;
    context.threads = target.threads;
    PreparedRun run = Engine(processCatalog()).prepare(parsePipeline(processCatalog(), {step}), input, target, context);
    (void)run.run(context);  // first use of memory and kernels
    std::vector<double> times;
    for (int i = 0; i < samples; ++i) times.push_back(static_cast<double>(run.run(context).compute()) * 1e-6);
    std::sort(times.begin(), times.end());
    const double goal = target.backend == "cuda" ? picture.deviceTarget : picture.hostTarget;
    std::printf("%-26s  median %9.3f ms  smallest %9.3f ms", picture.name, times[times.size() / 2], times.front());
    if (goal > 0) std::printf("  target %g ms", goal);
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
    const auto argument = [&](int i, const char* otherwise) { return std::string(i < count ? arguments[i] : otherwise); };
    const std::string size = argument(2, "512x512x300"), pixels = argument(3, "1024");
    try {
        const Target target = targetOf(argument(1, "openmp"));
        const int samples = std::max(1, std::atoi(argument(4, "11").c_str()));
        std::printf("%s into %s x %s pixels on %s\n", size.c_str(), pixels.c_str(), pixels.c_str(), target.label().c_str());
        ImagePtr input;
        std::string made;
        for (const PictureCase& picture : kPictures) {
            if (made != picture.input) {
                made = picture.input;
                input.reset();
                input = std::make_shared<const Image>(makeSynthetic(parseSynthetic("synthetic:" + made + ":" + size)));
            }
            measure(picture, input, target, pixels, samples);
        }
    } catch (const Error& e) {
        std::fprintf(stderr, "bench_render: %s\n", e.what());
        return 1;
    }
    return 0;
}
