// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/help_formatter.hpp"
#include "app/settings.hpp"
#include "app/version_text.hpp"
#include "core/image/error.hpp"
#include "core/image/texts.hpp"

namespace parallax::cli {
namespace {

/// Each arena of malloc() reserves 64 MiB of address space, however little of it becomes memory: one suffices where that is limited.
void saveAddressSpace() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
}

const CLI::App* findCommand(const CLI::App& app, const std::string& name) {
    const auto commands = app.get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
    return commands.empty() ? nullptr : commands.front();
}

/// "parallax-cli kernel new " of that command, and "parallax-cli " of the program.
std::string wordsOf(const CLI::App& command) {
    return command.get_parent() ? wordsOf(*command.get_parent()) + command.get_name() + " " : programName() + " ";
}

std::vector<const CLI::App*> commandsOf(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

Error unknownCommand(const CLI::App& app, const std::string& name) {
    const std::vector<const CLI::App*> commands = commandsOf(app);
    const std::string why = commands.empty() ? "'" + app.get_name() + "' has no commands of its own"
                                             : "known are " + joined(commands, ", ", &CLI::App::get_name);
    return {ErrorCode::usage, "Unknown command '" + name + "'", why, "See '" + wordsOf(app) + "--help'"};
}

/// Words an error of CLI11 as ours are: CLI11 counts arguments where users wrote options.
Error mistake(const CLI::App& app, const CLI::ParseError& e) {
    std::vector<const CLI::App*> commands;  // the innermost first: 'kernel' has commands of its own
    for (const CLI::App* c = &app; !c->get_subcommands().empty();) commands.insert(commands.begin(), c = c->get_subcommands().front());
    const std::string help = "See '" + wordsOf(commands.empty() ? app : *commands.front()) + "--help'";
    std::string what = e.what();
    std::string extra;
    for (const std::string& argument : app.remaining(true)) extra += " '" + argument + "'";
    if (!extra.empty() && (commands.empty() || dynamic_cast<const CLI::ExtrasError*>(&e))) what = "Unexpected argument:" + extra;
    else if (commands.empty() || !commandsOf(*commands.front()).empty()) what = "No command given";
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
    for (const std::string_view known : {"AVX-512", "AVX2", "SSE4", "SSE2"})
        if (known == simd) return;
    throw Error(ErrorCode::usage, "PARALLAX_SIMD is '" + std::string(simd) + "'", "allowed are AVX-512, AVX2, SSE4 and SSE2");
}

/// Returns the innermost command that was parsed.
const CLI::App& commandOf(const CLI::App& app) { return app.get_subcommands().empty() ? app : commandOf(*app.get_subcommands().front()); }

/// Parses arguments in their order.
void parse(CLI::App& app, std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 takes them
    app.parse(std::move(arguments));
}

/// Whether a message names an option: "--json" but not "--json-lines".
bool names(const std::string& message, const std::string& option) {
    const std::size_t begin = message.find(option);
    if (begin == std::string::npos) return false;
    const std::size_t end = begin + option.size();
    return end == message.size() || std::string_view(" :=").find(message[end]) != std::string_view::npos;
}

/// Parses the command line for the options that are on it. An option that it lacks may be among the settings.
/// Returns the error of a missing one.
std::exception_ptr parseFirst(CLI::App& app, const std::vector<std::string>& arguments) {
    try {
        parse(app, arguments);
    } catch (const CLI::RequiredError&) {
        return std::current_exception();
    }
    return {};
}

/// Parses the command line together with the settings. `line`: becomes the command line with the settings as options, without --config.
std::vector<Setting> parseWithSettings(CLI::App& app, const std::string& file, std::vector<std::string> arguments, std::string& line) {
    const std::exception_ptr missing = parseFirst(app, arguments);
    std::vector<Setting> settings = settingsFor(commandOf(app), file);
    if (settings.empty() && missing) std::rethrow_exception(missing);
    if (settings.empty()) return settings;
    const std::vector<std::string> added = asArguments(settings);
    arguments.insert(std::find(arguments.begin(), arguments.end(), "--"), added.begin(), added.end());
    const auto command = std::find(arguments.begin(), arguments.end(), app.get_subcommands().front()->get_name());
    line = shellLine(std::span(command, arguments.end()));
    try {
        parse(app, std::move(arguments));
    } catch (const CLI::ParseError& e) {
        const Error error = mistake(app, e);
        for (const Setting& setting : settings)
            if (names(error.summary(), setting.option))
                throw Error(ErrorCode::usage, "Cannot use " + setting.source, error.summary(), "Correct or remove it");
        throw error;
    }
    return settings;
}

/// Runs a command. After a usage error, notes name the options that settings added to the command line.
int runWith(const std::vector<Setting>& settings, const Action& action) {
    try {
        return action();
    } catch (const Error& e) {
        if (e.code() == ErrorCode::usage)
            for (const Setting& setting : settings)
                printMessage("note: " + joined(asArguments({setting}), " ") + " is set by " + setting.source);
        throw;
    }
}

void addHelp(CLI::App& app, Action& action, std::vector<std::string>& command) {
    CLI::App* help = app.add_subcommand("help", "Print the help of a command");
    help->add_option("command", command, "Command, such as 'run' or 'kernel new' [overview]")->type_name("COMMAND")->expected(0, 2);
    help->callback([&] {
        action = [&] {
            if (command.empty()) {
                // App::help() would print the help of the chosen command, 'help'.
                printData(app.get_formatter()->make_help(&app, programName(), CLI::AppFormatMode::Normal));
                return 0;
            }
            const CLI::App* sub = &app;
            for (const std::string& word : command) {
                const CLI::App* const parent = std::exchange(sub, findCommand(*sub, word));
                if (!sub) throw unknownCommand(*parent, word);
            }
            const std::string words = wordsOf(*sub->get_parent());
            printData(sub->help(words.substr(0, words.size() - 1)));
            return 0;
        };
    });
}

int run(const Program& program, int argc, char** argv) {
    checkEnvironment();
    CLI::App app(program.help, program.name);
    app.formatter(std::make_shared<HelpFormatter>());
    app.require_subcommand(1);
    // CLI11's own version flag prints without checking that the output was written.
    bool version = false;
    app.add_flag("--version", version, "Print version, build and backends, then exit")->configurable(false);
    app.set_help_flag("-h,--help", "Print this help, then exit");
    app.set_help_all_flag("--help-all", "Print the help of every command, then exit");
    std::string file;
    if (program.hasSettings)
        app.add_option("--config", file,
                       "Set options of commands by this file [$XDG_CONFIG_HOME/parallax/cli.toml]; variables PARALLAX_COMMAND_OPTION win "
                       "over it, options on the command line over both")
            ->configurable(false)
            ->type_name("FILE");
    Action action;
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    std::string line = shellLine(arguments);
    program.addCommands(app, action, line);
    std::vector<std::string> helpFor;
    addHelp(app, action, helpFor);
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) command->group("Commands");
    if (argc > 1 && std::string_view(argv[1]) == "complete") {
        // Hidden: for the completion scripts (packaging/completions).
        const std::vector<std::string> words(argv + 2, argv + argc);
        printData(completions(app, words));
        return kSuccess;
    }
    // CLI11 would report a missing command instead of an unknown one.
    const CLI::App* named = &app;
    for (int i = 1; i < argc && argv[i][0] != '-' && !commandsOf(*named).empty(); ++i) {
        const CLI::App* const parent = std::exchange(named, findCommand(*named, argv[i]));
        if (!named) throw unknownCommand(*parent, argv[i]);
    }
    try {
        if (argc == 2 && std::string_view(argv[1]) == "--version") {
            printData(app::versionText(program.name));
            return kSuccess;
        }
        std::vector<Setting> settings;
        if (program.hasSettings) settings = parseWithSettings(app, file, arguments, line);
        else parse(app, arguments);
        if (version) {
            printData(app::versionText(program.name));
            return kSuccess;
        }
        return action ? runWith(settings, action) : kUsage;
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() != 0) throw mistake(app, e);
        std::ostringstream out;
        (void)app.exit(e, out, std::cerr);
        if (!out.str().empty()) printData(out.str());
        return kSuccess;
    } catch (const CLI::Error& e) {
        throw Error(ErrorCode::usage, e.what());
    }
}

}  // namespace

void prepareProcess() {
    saveAddressSpace();
    openClosedStreams();
    // Before any other thread exists, so that all threads leave the signals to the one that waits.
    (void)interruption();
}

int runProgram(const Program& program, int argc, char** argv) {
    setProgram(program.name, program.start);
    return exitCodeAfter([&] { return run(program, argc, argv); });
}

int exitCodeAfter(const std::function<int()>& work) {
    try {
        return work();
    } catch (const Error& e) {
        printError(e.what());
        return exitCodeOf(e.code());
    } catch (const std::bad_alloc&) {
        printError("Not enough memory");
        return kMemory;
    } catch (const std::system_error& e) {
        const bool noThread = e.code() == std::errc::resource_unavailable_try_again;
        printError(noThread ? "Cannot start a thread: memory or the allowed number of threads is used up. "
                              "Close other programs, or raise the limit (ulimit)."
                            : std::string(e.what()));
        return noThread ? kMemory : kFailed;
    } catch (const std::exception& e) {
        printError(e.what());
        return kFailed;
    }
}

}  // namespace parallax::cli
