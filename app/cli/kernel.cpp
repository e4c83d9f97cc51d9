// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <filesystem>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/output.hpp"
#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/codec/text.hpp"
#include "core/kernels/kernel_text.hpp"
#include "core/kernels/packed_parameters.hpp"
#include "core/measure/kernel_check/kernel_check.hpp"
#include "core/report/record/record_json.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {
namespace {

struct NewArguments {
    std::string operation, language, sample, output;
    bool force = false, list = false;
};

void write(const std::string& path, const std::string& text, bool force) {
    AtomicFile file(path, force);
    file.writeAt(0, text.data(), text.size());
    file.commit();
}

/// By its name or, without one, by the name of the file.
user::KernelLanguage languageOf(const NewArguments& a) {
    const bool named = a.language.empty() ? std::filesystem::path(a.output).extension() == user::endingOf(user::KernelLanguage::cuda)
                                          : a.language == "cuda";
    return named ? user::KernelLanguage::cuda : user::KernelLanguage::cpp;
}

int newKernelFile(const NewArguments& a) {
    const Operation& operation = processCatalog().operation(a.operation);
    const user::KernelLanguage language = languageOf(a);
    if (a.list) {
        for (const user::KernelSample& s : user::kernelSamplesOf(operation, language)) printData(s.name + "\n");
        return kSuccess;
    }
    if (a.output.empty()) throw Error(ErrorCode::usage, "No output given", "--output is required");
    if (const std::string ending = user::endingOf(language); std::filesystem::path(a.output).extension() != ending)
        throw Error(
            ErrorCode::usage, "Cannot write '" + a.output + "'",
            "a kernel in " + std::string(language == user::KernelLanguage::cuda ? "CUDA" : "C++") + " is a file that ends in " + ending);
    write(a.output, user::newKernel(operation, a.sample, language), a.force);
    printMessage("wrote " + a.output);
    printMessage("next: parallax-cli kernel check " + a.output);
    return kSuccess;
}

int printHeader(const std::string& id) {
    const Operation& operation = processCatalog().operation(id);
    printData(std::string(user::kKernelHeader) + "\n" + user::headerOf(operation));
    return kSuccess;
}

struct CheckArguments {
    KernelArguments kernel;
    TargetArguments target;
    std::string file;
    bool json = false;
};

std::string placeOf(const WorstPixel& w) {
    return fmt::format("x = {}, y = {}{}{}", w.x, w.y, w.z > 0 ? fmt::format(", z = {}", w.z) : "",
                       w.channel > 0 ? fmt::format(", channel {}", w.channel) : "");
}

/// Commands that repeat a failure: the run, and if it gives another result, the expected one and the comparison of both. Empty if the
/// command line cannot make the input.
std::string commandsFor(const FailedProblem& f, const OpenedKernel& kernel, const CheckArguments& a) {
    if (!f.altered.empty()) return {};
    const auto line = [](const std::vector<std::string>& arguments) { return "    " + shellLine(arguments) + "\n"; };
    const auto runTo = [&](const char* output) {
        return std::vector<std::string>{"run", "-i", f.input, "-o", output, "--force", "--op", f.step};
    };
    std::vector<std::string> run = runTo("result.exr"), expected = runTo("expected.exr");
    expected.insert(expected.end(), {"--backend", kReferenceBackend});
    run.insert(run.end(), {"--kernel", a.file, "--backend", kernel.target()});
    if (a.kernel.sanitize) run.emplace_back("--sanitize");
    if (!f.error.empty()) return "  try it:\n" + line(run);
    return "  see the difference:\n" + line(expected) + line(run) + line({"diff", "expected.exr", "result.exr"});
}

std::string toText(const FailedProblem& f) {
    std::string text = f.step + " on " + f.input + (f.altered.empty() ? "" : " with " + f.altered) + "\n";
    if (!f.error.empty()) return text + "    " + f.error + "\n";
    if (const auto& c = f.difference.closest; c && c->share > 1)
        text += fmt::format("    {}: {:.9g} instead of {:.9g}, where {:.2g} is allowed\n", placeOf(c->pixel), c->pixel.b, c->pixel.a,
                            c->tolerance());
    else if (!f.difference.worst.empty())
        text += fmt::format("    {}: {:.9g} instead of {:.9g}, where {:.2g} is allowed\n", placeOf(f.difference.worst[0]),
                            f.difference.worst[0].b, f.difference.worst[0].a, f.tolerance);
    const auto beyond = static_cast<std::int64_t>(f.difference.beyond.value_or(0) + f.difference.mismatches());
    return text + fmt::format("    {} of {} beyond the tolerance\n", beyond,
                              counted(static_cast<std::int64_t>(f.difference.compared + f.difference.mismatches()), "sample"));
}

/// Steps with failures and how many, most first.
std::string stepsText(const KernelCheck& c) {
    std::vector<std::pair<std::int64_t, std::string>> steps;
    for (const auto& [step, count] : c.failuresOfSteps) steps.emplace_back(-count, step);
    std::sort(steps.begin(), steps.end());
    std::string text;
    constexpr std::size_t kShown = 12;
    for (std::size_t i = 0; i < std::min(kShown, steps.size()); ++i) text += fmt::format("  {:>4}  {}\n", -steps[i].first, steps[i].second);
    if (steps.size() > kShown)
        text += fmt::format("        and {}\n", counted(static_cast<std::int64_t>(steps.size() - kShown), "more step"));
    return text;
}

std::string toText(const KernelCheck& c, const OpenedKernel& kernel, const CheckArguments& a) {
    std::string text =
        fmt::format("{}: {}, compiled in {:.2f} s by {}\n", kernel.target(), kernel.operation, kernel.seconds, kernel.compiler);
    for (const user::FunctionResources& f : kernel.functions) text += "  " + user::toText(f) + "\n";
    text += fmt::format("{} of {} agree with the reference", c.agreed, counted(c.checked, "problem"));
    text += (c.refused > 0 ? fmt::format(", {} refused", c.refused) : "") + "\n";
    for (const auto& [reason, count] : c.refusals) text += fmt::format("  refused {}: {}\n", counted(count, "time"), reason);
    if (c.failures > 0) {
        text += "\nThe smallest problem that fails:\n  " + toText(c.failed.front()) + commandsFor(c.failed.front(), kernel, a);
        text += "\nFailures by step:\n" + stepsText(c);
    }
    if (c.crashed) text += "Too many crashes: the rest was left out.\n";
    return text + (!c.complete ? "incomplete\n" : c.passed() ? "passed\n" : "FAILED\n");
}

Json toJson(const FailedProblem& f) {
    Json worst = Json::array();
    for (const WorstPixel& w : f.difference.worst)
        worst.push_back({{"x", w.x}, {"y", w.y}, {"z", w.z}, {"channel", w.channel}, {"expected", jsonOf(w.a)}, {"value", jsonOf(w.b)}});
    return {{"step", f.step},           {"input", f.input}, {"altered", f.altered}, {"error", f.error}, {"tolerance", jsonOf(f.tolerance)},
            {"worst", std::move(worst)}};
}

Json toJson(const user::FunctionResources& f) {
    Json j{{"name", f.name}, {"registers", f.registers}, {"shared_bytes", f.shared}, {"local_bytes", f.local}};
    if (f.most > 0) {
        j["threads_of_block"] = f.threads;
        j["blocks_of_multiprocessor"] = f.blocks;
        j["occupancy"] = static_cast<double>(f.blocks * f.threads) / static_cast<double>(f.most);
    }
    return j;
}

Json toJson(const KernelCheck& c, const OpenedKernel& kernel) {
    Json failed = Json::array(), functions = Json::array();
    for (const FailedProblem& f : c.failed) failed.push_back(toJson(f));
    for (const user::FunctionResources& f : kernel.functions) functions.push_back(toJson(f));
    return {{"schema", "parallax.kernel-check"},
            {"schema_version", 1},
            {"kernel", kernel.target()},
            {"operation", kernel.operation},
            {"compiler", kernel.compiler},
            {"command", kernel.command},
            {"compile_seconds", kernel.seconds},
            {"functions", std::move(functions)},
            {"checked", c.checked},
            {"agreed", c.agreed},
            {"refused", c.refused},
            {"failures", c.failures},
            {"failed", std::move(failed)},
            {"complete", c.complete},
            {"passed", c.passed()}};
}

int check(const CheckArguments& a) {
    const OpenedKernel kernel = a.kernel.open().front();
    const Catalog& catalog = processCatalog();
    KernelCheckOptions options;
    options.threads = a.target.threads;
    options.stop = interruption();
    options.onProgress = [](double f) { printProgress(fmt::format("checking: {:.0f} %", 100 * f)); };
    const KernelCheck c = checkKernel(Engine(catalog), kernel.operation, a.target.availableTarget(catalog, kernel.target()), options);
    endProgress();
    if (a.json) printJson(toJson(c, kernel));
    else printData(toText(c, kernel, a));
    if (interrupted()) return interruptedExitCode();
    return c.passed() ? kSuccess : c.failures > 0 ? kDisagreement : kUnavailable;
}

}  // namespace

void KernelArguments::add(CLI::App& app) {
    app.add_option("--kernel", files, "Kernel of your own: FILE.cpp becomes the backend user.FILE, FILE.cu user-cuda.FILE; repeatable")
        ->take_all()
        ->type_name("FILE");
    addLimit(app);
}

void KernelArguments::addLimit(CLI::App& app) {
    app.add_option("--limit", limitSeconds, "Seconds after which a kernel of your own is ended [60]")
        ->transform(realNumber(0.01, 1e6))
        ->type_name("S");
}

void KernelArguments::addSanitize(CLI::App& app) {
    app.add_flag("--sanitize", sanitize,
                 "Name the line that uses memory wrongly: AddressSanitizer in C++, compute-sanitizer in CUDA. It runs many times slower");
}

void KernelArguments::refuseSanitize(CLI::App& app) {
    const auto refuse = [] {
        throw Error(ErrorCode::usage, "--sanitize is not for measuring", "times would be those of the sanitizer",
                    "Use it with 'kernel check' or 'run'");
    };
    app.add_flag_callback("--sanitize", refuse)->group("");  // hidden
}

std::vector<OpenedKernel> KernelArguments::open() const {
    if (sanitize && files.empty()) throw Error(ErrorCode::usage, "--sanitize needs --kernel", "it is for kernels of your own");
    std::vector<OpenedKernel> opened;
    for (const std::string& file : files) {
        opened.push_back(openKernel(processCatalog(), file, interruption(), limitSeconds, sanitize));
        if (!opened.back().messages.empty()) printMessage(opened.back().messages);
    }
    return opened;
}

void addKernel(CLI::App& app, Action& chosen, const std::string& commandLine) {
    CLI::App* sub = app.add_subcommand("kernel", "Write kernels of your own, check them against the reference, measure them");
    sub->require_subcommand(1);
    addExamples(*sub, {"kernel new --op convolve -o blur.cpp", "kernel check blur.cpp", "kernel bench blur.cpp --against openmp",
                       "kernel bench blur.cu --against cuda"});

    auto n = std::make_shared<NewArguments>();
    CLI::App* create = sub->add_subcommand("new", "Write a kernel to begin with");
    addExamples(*create, {"kernel new --op convolve -o blur.cpp", "kernel new --op convolve --sample padded -o fast.cpp",
                          "kernel new --op convolve --language cuda -o blur.cu"});
    create->add_option("--op", n->operation, "Operation that it implements")->required()->type_name("ID");
    create->add_option("--language", n->language, "c++ or cuda [by the name of the file, else c++]")
        ->check(oneOf({"c++", "cuda"}))
        ->type_name("NAME");
    create->add_option("--sample", n->sample, "Another sample than the plain version; --list names them")->type_name("NAME");
    create->add_option("-o,--output", n->output, "File to write: .cpp or .cu")->type_name("FILE");
    create->add_flag("--list", n->list, "List the samples of the operation");
    create->add_flag("--force", n->force, "Replace an existing file");
    create->callback([=, &chosen] { chosen = [=] { return newKernelFile(*n); }; });

    auto id = std::make_shared<std::string>();
    CLI::App* header = sub->add_subcommand("header", "Print what a kernel of an operation gets: types, parameters, entries");
    addExamples(*header, {"kernel header convolve"});
    header->add_option("id", *id, "Operation")->required()->type_name("ID");
    header->callback([=, &chosen] { chosen = [=] { return printHeader(*id); }; });

    auto c = std::make_shared<CheckArguments>();
    CLI::App* checking = sub->add_subcommand("check", "Compare a kernel with the reference: all parameters, awkward shapes, NaN");
    addExamples(*checking, {"kernel check blur.cpp"});
    checking->add_option("file", c->file, "Kernel")->required()->type_name("FILE");
    c->target.add(*checking);
    c->kernel.addLimit(*checking);
    c->kernel.addSanitize(*checking);
    checking->add_flag("--json", c->json, "Print JSON to standard output");
    checking->callback([=, &chosen] {
        chosen = [=] {
            c->kernel.files = {c->file};
            return check(*c);
        };
    });
    addKernelBench(*sub, chosen, commandLine);
}

}  // namespace parallax::cli
