// SPDX-License-Identifier: GPL-3.0-or-later
// The commands 'bench' and 'kernel bench'.
#include <memory>

#include "app/cli/bench/bench_arguments.hpp"
#include "app/cli/console.hpp"
#include "core/image/error.hpp"
#include "core/measure/sampling/protocol.hpp"

namespace parallax::cli {

/// What both commands have: how long to measure and where the record goes.
static void addEffortAndOutput(CLI::App& sub, BenchArguments& a) {
    sub.add_option("--effort", a.effort, "Sampling effort: quick, normal or thorough [normal]")
        ->check(oneOf(efforts()))
        ->type_name("EFFORT");
    sub.add_option("--report", a.reports, "Report to write: .json, .csv, .html, .pdf, .md or .tex; repeatable")
        ->take_all()
        ->type_name("FILE");
    sub.add_flag("--json", a.json, "Print the record as JSON to standard output instead of the table");
    sub.add_flag("--force", a.force, "Replace existing reports");
}

void addBench(CLI::App& app, Action& chosen, const std::string& commandLine) {
    auto a = std::make_shared<BenchArguments>();
    CLI::App* sub = app.add_subcommand("bench", "Measure and verify backends and recipes on an image");
    addExamples(
        *sub,
        {"bench -i scene.exr --op convolve:size=7 --backend reference --backend openmp --report r.html",
         "bench -i scene.exr --recipe 'box=convolve:kernel=box,size=9' --recipe 'gauss=convolve:kernel=gaussian,size=9' --backend openmp",
         "bench -i synthetic:noise:1024x1024 --op convolve --backend openmp --sweep convolve.size=3,5,9",
         "bench -i scene.exr --op convolve --backend openmp --compare-with release-1.0 --compare-with mine=old.json --fail-on-regression 5",
         "bench --from r.json --fail-on-regression 5"});
    sub->add_option("-i,--input", a->input, kInputHelp)->type_name("IN");
    auto* from =
        sub->add_option("--from", a->from, "Repeat the measurement of a JSON report and print what changed")->type_name("REPORT.json");
    a->recipes.add(*sub);
    a->kept.add(*sub);
    sub->add_option("--backend", a->backends, "Backend to measure, e.g. openmp, openmp@2, cuda.tiled or cuda.direct+pinned; repeatable")
        ->take_all()
        ->excludes(from)
        ->type_name("NAME");
    sub->add_option(
           "--baseline", a->baseline,
           "Row that speedups refer to: a backend, a recipe, or both as in B/openmp. Beside the reference, which is an oracle, plain "
           "serial loops are measured for it [openmp.scalar or openmp with one thread, else the first]")
        ->type_name("NAME");
    sub->add_option("--require-backend", a->required, "Fail with exit code 5 unless this backend is available; repeatable")
        ->take_all()
        ->type_name("NAME");
    a->target.add(*sub);
    a->kernels.add(*sub);
    KernelArguments::refuseSanitize(*sub);
    a->light.add(*sub)->excludes(from);
    addEffortAndOutput(*sub, *a);
    sub->add_option("--cache", a->cache,
                    "State of the caches before each timing sample: warm, as the runs before left them, or cold, emptied (CPU and device) "
                    "[warm]")
        ->check(oneOf({"warm", kColdCaches}))
        ->type_name("STATE");
    sub->add_option(
           "--sweep", a->sweep,
           "Repeat for each value: size=512,1024 (pixels), threads=1,2, parts=1,2, weak=1,2 (parts, rows times parts) or ID.name=a,b")
        ->excludes(from)
        ->type_name("AXIS=VALUES");
    sub->add_option(
           "--fail-on-regression", a->limit,
           "Fail with exit code 8 if a backend became slower than in the report of --from or a baseline of --compare-with by more than "
           "PERCENT %")
        ->transform(realNumber(0, 1e6))
        ->type_name("PERCENT");
    sub->add_flag("--same-bits", a->sameBits,
                  "Compare the bits of the results of all runs of a backend, between samples; exit code 7 if they differ");
    sub->add_flag("--energy", a->energy,
                  "Measure the energy of a run after the timing samples, by RAPL or NVML; 'devices' says where they are available");
    sub->add_flag("--metrics", a->metrics, "Add SSIM, FLIP and ULP distance of each result from the reference");
    addAllowLarge(*sub);
    auto* redact =
        sub->add_flag("--redact", a->redact, "Omit host name, file names, pictures and sources of kernels; the default for DICOM");
    sub->add_flag("--patient", a->patient, "Keep names and pictures of DICOM, which may identify the patient")->excludes(redact);
    sub->add_flag("--strict", a->strict, "Fail with exit code 10 if the measurement is not trustworthy");
    sub->callback([=, &chosen, &commandLine] {
        a->command = commandLine;
        chosen = [=] { return runBench(*a); };
    });
}

/// The backend that a kernel is measured beside if none is named.
static const char* againstOf(const OpenedKernel& kernel) {
    constexpr const char* kCuda = "cuda";
    return kernel.backend == kUserCudaBackend && processCatalog().backend(kCuda).availability().yes ? kCuda : "openmp";
}

/// Opens kernels that are measured beside each other.
static std::vector<OpenedKernel> openToCompare(const KernelArguments& kernels) {
    std::vector<OpenedKernel> opened = kernels.open();
    for (std::size_t i = 1; i < opened.size(); ++i) {
        const std::string what = "Cannot compare '" + kernels.files.front() + "' with '" + kernels.files[i] + "'";
        if (opened[i].operation != opened.front().operation)
            throw Error(ErrorCode::usage, what, "one computes " + opened.front().operation + ", the other " + opened[i].operation);
        for (std::size_t k = 0; k < i; ++k)
            if (opened[k].target() == opened[i].target())
                throw Error(ErrorCode::usage, "Two kernels have the name '" + opened[i].target() + "'", "it is that of the file",
                            "Rename a file");
    }
    return opened;
}

void addKernelBench(CLI::App& kernel, Action& chosen, const std::string& commandLine) {
    auto a = std::make_shared<BenchArguments>();
    CLI::App* sub = kernel.add_subcommand("bench", "Measure and verify kernels beside other backends");
    addExamples(*sub, {"kernel bench blur.cpp --against openmp",
                       "kernel bench blur.cpp faster.cpp -i scene.exr --op convolve:size=9 --report r.html"});
    sub->add_option("file", a->kernels.files, "Kernels of one operation; speedups refer to the first")->required()->type_name("FILE...");
    sub->add_option("-i,--input", a->input, std::string(kInputHelp) + " [synthetic:noise:2048x2048]")->type_name("IN");
    sub->add_option("--op", a->recipes.operations, "Step of the kernel's operation, e.g. convolve:size=7 [its defaults]")
        ->type_name("STEP");
    sub->add_option("--against", a->backends, "Backend to measure beside it; repeatable [openmp, or cuda for a kernel in CUDA]")
        ->take_all()
        ->type_name("NAME");
    a->target.add(*sub);
    a->kernels.addLimit(*sub);
    KernelArguments::refuseSanitize(*sub);
    a->kept.addHistory(*sub);
    addEffortAndOutput(*sub, *a);
    sub->callback([=, &chosen, &commandLine] {
        a->command = commandLine;
        chosen = [=] {
            const std::vector<OpenedKernel> opened = openToCompare(a->kernels);
            a->kernels.files.clear();
            for (const OpenedKernel& k : opened)
                for (const user::FunctionResources& f : k.functions) printMessage(user::toText(f));
            if (a->backends.empty()) a->backends = {againstOf(opened.front())};
            for (auto k = opened.rbegin(); k != opened.rend(); ++k) a->backends.insert(a->backends.begin(), k->target());
            for (const OpenedKernel& k : opened) a->required.push_back(k.target());
            const std::string& operation = opened.front().operation;
            if (a->recipes.operations.empty()) a->recipes.operations = {operation};
            for (const std::string& step : a->recipes.operations)
                if (step.substr(0, step.find(':')) != operation)
                    throw Error(ErrorCode::usage, "--op '" + step + "' is not for this kernel", "it computes " + operation);
            if (a->input.empty()) a->input = "synthetic:noise:2048x2048";
            return runBench(*a);
        };
    });
}

}  // namespace parallax::cli
