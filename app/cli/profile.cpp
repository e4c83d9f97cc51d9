// SPDX-License-Identifier: GPL-3.0-or-later
// One run for a profiler to look at: everything before is done and left out.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {
namespace {

struct ProfileArguments {
    std::string input, backend, control;
    PipelineArguments pipeline;
    TargetArguments target;
    int warmUp = 3;
    bool json = false;
};

/// The named pipes of `perf record --control=fifo:CONTROL,ACK`: a command is written to one, "ack" comes back from the other.
class PerfControl {
public:
    explicit PerfControl(const std::string& names) {
        if (names.empty()) return;
        const auto comma = names.find(',');
        commands_ = opened(names.substr(0, comma), O_WRONLY);
        if (comma != std::string::npos) answers_ = opened(names.substr(comma + 1), O_RDONLY);
    }
    ~PerfControl() {
        if (commands_ >= 0) ::close(commands_);
        if (answers_ >= 0) ::close(answers_);
    }
    PerfControl(const PerfControl&) = delete;
    PerfControl& operator=(const PerfControl&) = delete;

    void say(const std::string& command) const {
        if (commands_ < 0) return;
        const std::string line = command + "\n";
        if (::write(commands_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            throw Error(ErrorCode::output, "The control pipe cannot be written", std::strerror(errno));
        // It answers with a line; only then counting has begun or ended.
        char c = 0;
        while (answers_ >= 0 && ::read(answers_, &c, 1) == 1 && c != '\n') {}
    }

private:
    static int opened(const std::string& name, int mode) {
        // Without O_NONBLOCK this would wait for ever where nobody listens.
        const int descriptor = ::open(name.c_str(), (mode == O_WRONLY ? O_RDWR : mode) | O_NONBLOCK | O_CLOEXEC);
        if (descriptor < 0)
            throw Error(ErrorCode::input, "'" + name + "' is no control pipe", std::strerror(errno),
                        "Make it with mkfifo, before perf starts");
        struct stat status {};
        if (::fstat(descriptor, &status) != 0 || !S_ISFIFO(status.st_mode)) {
            ::close(descriptor);
            throw Error(ErrorCode::input, "'" + name + "' is no control pipe", "it is no named pipe, and would be overwritten",
                        "Make one with mkfifo, before perf starts");
        }
        (void)::fcntl(descriptor, F_SETFL, 0);
        return descriptor;
    }
    int commands_ = -1, answers_ = -1;
};

int profile(const ProfileArguments& a) {
    const Catalog& catalog = processCatalog();
    const Pipeline pipeline = a.pipeline.build(catalog);
    for (const std::string& note : a.pipeline.notes(catalog)) printMessage("note: " + note);
    const Target target = a.target.availableTarget(catalog, a.backend);
    const PerfControl perf(a.control);
    const ImagePtr input = loadInput(a.input, a.target.threads);
    RunContext context;
    context.stop = interruption();
    PreparedRun run = Engine(catalog).prepare(pipeline, input, target, context);
    for (int i = 0; i < a.warmUp; ++i) (void)run.run(context);
    run.startProfiler();
    perf.say("enable");
    const StageTimes times = run.run(context);
    perf.say("disable");
    run.stopProfiler();

    nlohmann::ordered_json stages = nlohmann::ordered_json::object();
    std::string text;
    for (const Stage s : kAllStages)
        if (times[s] > 0) {
            stages[std::string(stageName(s))] = times[s];
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stageName(s), formatTime(static_cast<double>(times[s])));
        }
    if (times.overlapped()) text += fmt::format("; overlapping, end to end {}", formatTime(static_cast<double>(times.endToEnd())));
    std::vector<std::string> implementations;
    for (const StepPlan& p : run.plan()) implementations.push_back(p.implementation);
    if (a.json) {
        printData(nlohmann::ordered_json{{"schema", "parallax.profile"},
                                         {"schema_version", 1},
                                         {"label", target.label()},
                                         {"implementations", implementations},
                                         {"device", run.deviceName()},
                                         {"threads", run.threads()},
                                         {"warm_up", a.warmUp},
                                         {"runs", 1},
                                         {"stages_ns", stages},
                                         {"compute_ns", times.compute()},
                                         {"end_to_end_ns", times.endToEnd()}}
                      .dump(2) +
                  "\n");
    } else {
        for (const auto& i : implementations) printMessage(fmt::format("{} on {}", i, run.deviceName()));
        printMessage(fmt::format("{} run{} to warm up, one to look at: {}", a.warmUp, a.warmUp == 1 ? "" : "s", text));
    }
    return 0;
}

}  // namespace

void addProfile(CLI::App& app, Action& chosen) {
    auto a = std::make_shared<ProfileArguments>();
    CLI::App* sub = app.add_subcommand("profile", "Run exactly once for a profiler, after warming up");
    sub->add_option("-i,--input", a->input, kInputHelp)->required()->type_name("IN");
    a->pipeline.add(*sub);
    sub->add_option("--backend", a->backend, "Backend, or backend with its variant and modes, as in cuda.tiled or cuda+graph")
        ->required()
        ->type_name("NAME");
    a->target.add(*sub);
    sub->add_option("--warm-up", a->warmUp, "Runs before, which the profiler does not see")
        ->transform(wholeNumber(0, 1000))
        ->type_name("N")
        ->capture_default_str();
    sub->add_option("--perf-control", a->control, "Named pipes of 'perf record --delay=-1 --control=fifo:CONTROL,ACK'")
        ->type_name("CONTROL[,ACK]");
    sub->add_flag("--json", a->json, "What ran and the stage times as JSON on stdout");
    sub->callback([=, &chosen] { chosen = [=] { return profile(*a); }; });
}

}  // namespace parallax::cli
