// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "arguments.hpp"
#include "console.hpp"
#include "exit_codes.hpp"
#include "parallax/engine/build_info.hpp"
#include "parallax/engine/catalog.hpp"

namespace {

using namespace parallax;

std::string versionText() {
    const BuildInfo& b = buildInfo();
    std::string text = fmt::format("parallax-cli {} ({}), {} build, {}\nbackends:", b.version, b.git, b.buildType, b.compiler);
    for (const auto& backend : processCatalog().backends()) {
        const Availability a = backend->availability();
        text += fmt::format("\n  {:<10} {}", backend->id(), a.yes ? "available" : "not available: " + a.reason);
    }
    return text;
}

constexpr const char* kExamples =
    "Image operations on swappable backends, compared and measured.\n\n"
    "Examples:\n"
    "  parallax-cli run -i photo.png -o blurred.png --op convolve:kernel=gaussian,size=9\n"
    "  parallax-cli bench -i scene.exr --op convolve:size=7 --backend reference --backend openmp --report r.html\n"
    "  parallax-cli diff a.exr b.exr --tolerance 1e-5\n"
    "  parallax-cli run -i synthetic:zone-plate:512x512 -o plate.exr --op convolve:kernel=sobel-x,size=3";

int run(int argc, char** argv) {
    // Before any thread exists, so that all of them leave the signals to the one that waits.
    (void)cli::interruption();
    CLI::App app(kExamples, "parallax-cli");
    app.require_subcommand(1);
    app.set_version_flag("--version", &versionText);
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_help_all_flag("--help-all", "Print the help of every sub-command and exit");
    cli::Action action;
    cli::addInfo(app, action);
    cli::addDevices(app, action);
    cli::addOperations(app, action);
    cli::addRun(app, action);
    cli::addBench(app, action, cli::shellLine(argc, argv));
    cli::addCompare(app, action);
    cli::addDiff(app, action);
    cli::addReport(app, action);
    std::string helpFor;
    CLI::App* help = app.add_subcommand("help", "Help for a sub-command");
    help->add_option("command", helpFor, "Sub-command");
    help->callback([&] {
        action = [&] {
            cli::printData(helpFor.empty() ? app.help() : app.get_subcommand(helpFor)->help());
            return 0;
        };
    });
    try {
        app.parse(argc, argv);
        return action ? action() : cli::kUsage;
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? cli::kSuccess : cli::kUsage;
    } catch (const CLI::Error& e) {
        cli::printMessage(e.what());
        return cli::kUsage;
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const Error& e) {
        cli::printMessage(std::string("parallax-cli: ") + e.what());
        return cli::exitCodeOf(e.code());
    } catch (const std::bad_alloc&) {
        cli::printMessage("parallax-cli: Not enough memory");
        return cli::kMemory;
    } catch (const std::exception& e) {
        cli::printMessage(std::string("parallax-cli: ") + e.what());
        return cli::kFailed;
    }
}
