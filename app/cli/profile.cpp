// SPDX-License-Identifier: GPL-3.0-or-later
// A single run for a profiler; preparation and warm-up come before its range.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "app/cli/arguments.hpp"
#include "app/cli/console.hpp"
#include "app/cli/output.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/image/texts.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {
namespace {

struct ProfileArguments {
    std::string input, backend, control;
    PipelineArguments pipeline;
    TargetArguments target;
    LightArgument light;
    int warmUp = 3;
    bool json = false;
};

/// The named pipes of `perf record --control=fifo:CONTROL,ACK`: commands go to the first, "ack" comes back on the second.
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

    void send(const std::string& command) const {
        if (commands_ < 0) return;
        const std::string line = command + "\n";
        if (::write(commands_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
            throw Error(ErrorCode::output, "Cannot write to the control pipe", std::strerror(errno));
        // Counting has begun or ended once perf answers with a line.
        char c = 0;
        while (answers_ >= 0 && ::read(answers_, &c, 1) == 1 && c != '\n') {}
    }

private:
    static int opened(const std::string& name, int mode) {
        // Without O_NONBLOCK this would block for ever if no process listens.
        const int descriptor = ::open(name.c_str(), (mode == O_WRONLY ? O_RDWR : mode) | O_NONBLOCK | O_CLOEXEC);
        if (descriptor < 0)
            throw Error(ErrorCode::input, "Cannot open the control pipe '" + name + "'", std::strerror(errno),
                        "Create it with mkfifo before perf starts");
        struct stat status {};
        if (::fstat(descriptor, &status) != 0 || !S_ISFIFO(status.st_mode)) {
            ::close(descriptor);
            throw Error(ErrorCode::input, "Cannot use '" + name + "' as control pipe", "it is not a named pipe",
                        "Create one with mkfifo before perf starts");
        }
        (void)::fcntl(descriptor, F_SETFL, 0);
        return descriptor;
    }
    int commands_ = -1, answers_ = -1;
};

int profile(const ProfileArguments& a) {
    const InMemoryOnly inMemory(kMeasuredInMemory);
    const Catalog& catalog = processCatalog();
    const Pipeline pipeline = a.pipeline.build(catalog);
    for (const std::string& note : a.pipeline.notes(catalog)) printMessage("note: " + note);
    const Target target = a.target.availableTarget(catalog, a.backend);
    const PerfControl perf(a.control);
    const ImagePtr input = a.light.applied(loadInput(a.input, a.target.threads));
    RunContext context;
    context.stop = interruption();
    PreparedRun run = Engine(catalog).prepare(pipeline, input, target, context);
    for (int i = 0; i < a.warmUp; ++i) (void)run.run(context);
    run.startProfiler();
    perf.send("enable");
    const StageTimes times = run.run(context);
    perf.send("disable");
    run.stopProfiler();

    std::vector<std::string> implementations;
    for (const StepPlan& p : run.plan()) implementations.push_back(p.implementation);
    if (a.json) {
        printJson({{"schema", "parallax.profile"},
                   {"schema_version", 1},
                   {"label", target.label()},
                   {"implementations", implementations},
                   {"device", run.deviceName()},
                   {"threads", run.threads()},
                   {"warm_up", a.warmUp},
                   {"runs", 1},
                   {"stages_ns", stagesJson(times)},
                   {"compute_ns", times.compute()},
                   {"end_to_end_ns", times.endToEnd()}});
    } else {
        for (const auto& i : implementations) printMessage(fmt::format("{} on {}", i, run.deviceName()));
        printMessage(fmt::format("{} and 1 profiled run: {}", counted(a.warmUp, "warm-up run"), stagesText(times)));
    }
    return 0;
}

}  // namespace

void addProfile(CLI::App& app, Action& chosen) {
    auto a = std::make_shared<ProfileArguments>();
    CLI::App* sub = app.add_subcommand("profile", "Run a pipeline once under a profiler, after warm-up runs");
    addExamples(*sub, {"profile -i scene.exr --op convolve:size=9 --backend cuda.tiled --warm-up 2"});
    sub->add_option("-i,--input", a->input, kInputHelp)->required()->type_name("IN");
    a->pipeline.add(*sub);
    sub->add_option("--backend", a->backend, "Compute on this backend, e.g. cuda.tiled or cuda+graph")->type_name("NAME")->required();
    a->target.add(*sub);
    a->light.add(*sub);
    sub->add_option("--warm-up", a->warmUp, "Number of runs before the profiled one [3]")->transform(wholeNumber(0, 1000))->type_name("N");
    sub->add_option("--perf-control", a->control, "Named pipes of 'perf record --delay=-1 --control=fifo:CONTROL,ACK'")
        ->type_name("CONTROL[,ACK]");
    addAllowLarge(*sub);
    sub->add_flag("--json", a->json, "Print what ran and the stage times as JSON to standard output");
    sub->callback([=, &chosen] { chosen = [=] { return profile(*a); }; });
}

}  // namespace parallax::cli
