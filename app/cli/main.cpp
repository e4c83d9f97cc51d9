// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.hpp"
#include "core/kernels/backend.hpp"

namespace {

using namespace parallax;

constexpr const char* kHelp =
    "Apply image operations on interchangeable backends; compare and measure the results.\n\n"
    "Examples:\n"
    "  parallax-cli run -i photo.png -o blurred.png --op convolve:kernel=gaussian,size=9\n"
    "  parallax-cli bench -i scene.exr --op convolve:size=7 --backend reference --backend openmp --report r.html\n"
    "  parallax-cli diff a.exr b.exr --tolerance 1e-5\n"
    "  parallax-cli run -i synthetic:zone-plate:512x512 -o plate.exr --op convolve:kernel=sobel-x,size=3";

void addCommands(CLI::App& app, cli::Action& action, const std::string& commandLine) {
    cli::addInfo(app, action);
    cli::addDevices(app, action);
    cli::addOperations(app, action);
    cli::addRun(app, action);
    cli::addBench(app, action, commandLine);
    cli::addBaselines(app, action);
    cli::addCeilings(app, action);
    cli::addCompare(app, action);
    cli::addDiff(app, action);
    cli::addKernel(app, action, commandLine);
    cli::addProfile(app, action);
    cli::addReport(app, action);
    cli::addSelfCheck(app, action);
}

}  // namespace

int main(int argc, char** argv) {
    cli::prepareProcess();
    const int code = cli::runProgram({"parallax-cli", "parallax-cli", kHelp, addCommands, true}, argc, argv);
    endKernelProcesses();
    return code;
}
