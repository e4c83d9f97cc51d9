// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/help_formatter.hpp"
#include "app/version_text.hpp"
#include "core/image/error.hpp"
#include "core/image/texts.hpp"

namespace {

using namespace parallax;

constexpr const char* kExamples =
    "Apply image operations on interchangeable backends; compare and measure the results.\n\n"
    "Examples:\n"
    "  parallax-cli run -i photo.png -o blurred.png --op convolve:kernel=gaussian,size=9\n"
    "  parallax-cli bench -i scene.exr --op convolve:size=7 --backend reference --backend openmp --report r.html\n"
    "  parallax-cli diff a.exr b.exr --tolerance 1e-5\n"
    "  parallax-cli run -i synthetic:zone-plate:512x512 -o plate.exr --op convolve:kernel=sobel-x,size=3";

/// Each arena of malloc() reserves 64 MiB of address space, however little of it becomes memory: one suffices where that is limited.
void saveAddressSpace() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
}

const CLI::App* findCommand(const CLI::App& app, const std::string& name) {
    const auto commands = app.get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
    return commands.empty() ? nullptr : commands.front();
}

Error unknownCommand(const CLI::App& app, const std::string& name) {
    const std::string known = joined(app.get_subcommands([](const CLI::App*) { return true; }), ", ", &CLI::App::get_name);
    return {ErrorCode::usage, "Unknown command '" + name + "'", "known are " + known, "See 'parallax-cli --help'"};
}

/// Words an error of CLI11 as ours are: CLI11 counts arguments where users wrote options.
Error mistake(const CLI::App& app, const CLI::ParseError& e) {
    const auto commands = app.get_subcommands();
    const std::string help = "See 'parallax-cli " + (commands.empty() ? std::string() : commands.front()->get_name() + " ") + "--help'";
    std::string what = e.what();
    std::string extra;
    for (const std::string& argument : app.remaining(true)) extra += " '" + argument + "'";
    if (!extra.empty() && (commands.empty() || dynamic_cast<const CLI::ExtrasError*>(&e))) what = "Unexpected argument:" + extra;
    else if (commands.empty()) what = "No command given";
    else if (dynamic_cast<const CLI::RequiredError*>(&e)) {
        // Positional arguments are named as in the help.
        const CLI::Option* option = commands.front()->get_option_no_throw(what.substr(0, what.find(' ')));
        if (option && option->get_positional()) what = option->get_type_name() + " is required";
    } else if (const auto colon = what.find(':'); colon != std::string::npos && dynamic_cast<const CLI::ArgumentMismatch*>(&e))
        what = what.substr(0, colon) + (what.find("At Most") == std::string::npos ? " needs a value" : " may be given only once");
    return {ErrorCode::usage, what, {}, help};
}

/// Opens closed standard streams on /dev/null; otherwise the next file would get their number and receive messages or data. Standard
/// output is opened read-only, so that writing to it remains an error.
void openClosedStreams() {
    for (const auto& [stream, mode] : {std::pair(STDIN_FILENO, O_RDONLY), {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}})
        if (::fcntl(stream, F_GETFD) < 0) (void)!::open("/dev/null", mode);  // gets the lowest free number, which is this one
}

/// With a misspelt value openmp would be unavailable, and another backend would run in its place.
void checkEnvironment() {
    const char* const simd = std::getenv("PARALLAX_SIMD");
    if (!simd || !*simd) return;
    for (const std::string_view known : {"AVX-512", "AVX2", "SSE4"})
        if (known == simd) return;
    throw Error(ErrorCode::usage, "PARALLAX_SIMD is '" + std::string(simd) + "'", "allowed are AVX-512, AVX2 and SSE4");
}

void addHelp(CLI::App& app, cli::Action& action, std::string& command) {
    CLI::App* help = app.add_subcommand("help", "Print the help of a command");
    help->add_option("command", command, "Command [overview]")->type_name("COMMAND");
    help->callback([&] {
        action = [&] {
            if (command.empty()) {
                // App::help() would print the help of the chosen command, 'help'.
                cli::printData(app.get_formatter()->make_help(&app, "parallax-cli", CLI::AppFormatMode::Normal));
                return 0;
            }
            const CLI::App* sub = findCommand(app, command);
            if (!sub) throw unknownCommand(app, command);
            cli::printData(sub->help("parallax-cli"));
            return 0;
        };
    });
}

int run(int argc, char** argv) {
    openClosedStreams();
    checkEnvironment();
    // Before any other thread exists, so that all threads leave the signals to the one that waits.
    (void)cli::interruption();
    CLI::App app(kExamples, "parallax-cli");
    app.formatter(std::make_shared<cli::HelpFormatter>());
    app.require_subcommand(1);
    // CLI11's own version flag prints without checking that the output was written.
    bool version = false;
    app.add_flag("--version", version, "Print version, build and backends, then exit");
    app.set_help_flag("-h,--help", "Print this help, then exit");
    app.set_help_all_flag("--help-all", "Print the help of every command, then exit");
    cli::Action action;
    cli::addInfo(app, action);
    cli::addDevices(app, action);
    cli::addOperations(app, action);
    cli::addRun(app, action);
    cli::addBench(app, action, cli::shellLine(argc, argv));
    cli::addCeilings(app, action);
    cli::addCompare(app, action);
    cli::addDiff(app, action);
    cli::addProfile(app, action);
    cli::addReport(app, action);
    cli::addSelfCheck(app, action);
    std::string helpFor;
    addHelp(app, action, helpFor);
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) command->group("Commands");
    if (argc > 1 && std::string_view(argv[1]) == "complete") {
        // Hidden: for the completion scripts (packaging/completions).
        const std::vector<std::string> words(argv + 2, argv + argc);
        cli::printData(cli::completions(app, words));
        return cli::kSuccess;
    }
    // CLI11 would report a missing command instead of an unknown one.
    if (argc > 1 && argv[1][0] != '-' && !findCommand(app, argv[1])) throw unknownCommand(app, argv[1]);
    try {
        if (argc == 2 && std::string_view(argv[1]) == "--version") {
            cli::printData(app::versionText("parallax-cli"));
            return cli::kSuccess;
        }
        app.parse(argc, argv);
        if (version) {
            cli::printData(app::versionText("parallax-cli"));
            return cli::kSuccess;
        }
        return action ? action() : cli::kUsage;
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() != 0) throw mistake(app, e);
        std::ostringstream out;
        (void)app.exit(e, out, std::cerr);
        if (!out.str().empty()) cli::printData(out.str());
        return cli::kSuccess;
    } catch (const CLI::Error& e) {
        throw Error(ErrorCode::usage, e.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
    saveAddressSpace();
    try {
        return run(argc, argv);
    } catch (const Error& e) {
        cli::printMessage(std::string("parallax-cli: ") + e.what());
        return cli::exitCodeOf(e.code());
    } catch (const std::bad_alloc&) {
        cli::printMessage("parallax-cli: Not enough memory");
        return cli::kMemory;
    } catch (const std::system_error& e) {
        const bool noThread = e.code() == std::errc::resource_unavailable_try_again;
        cli::printMessage(noThread ? "parallax-cli: Cannot start a thread: memory or the allowed number of threads is used up. "
                                     "Close other programs, or raise the limit (ulimit)."
                                   : std::string("parallax-cli: ") + e.what());
        return noThread ? cli::kMemory : cli::kFailed;
    } catch (const std::exception& e) {
        cli::printMessage(std::string("parallax-cli: ") + e.what());
        return cli::kFailed;
    }
}
