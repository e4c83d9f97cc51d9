// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sampling/sampler.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/engine/backend/ranks_target.hpp"
#include "core/engine/run/live_series.hpp"
#include "core/image/error.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/image/texts.hpp"
#include "core/kernels/backend.hpp"
#include "core/kernels/kernel_record.hpp"
#include "core/kernels/random_stack.hpp"
#include "core/measure/checksum/checksum.hpp"
#include "core/measure/conditions/machine.hpp"
#include "core/measure/processors/cold_caches.hpp"
#include "core/measure/processors/quiet_processors.hpp"
#include "core/measure/processors/shared_processors.hpp"
#include "core/measure/sampling/measurement.hpp"
#include "core/measure/sampling/schedule.hpp"
#include "core/parallel/ranks.hpp"

namespace parallax {

bool Measurement::onRanks(std::size_t row) const { return processRanks() != nullptr || targetOf(row).backend == kMpiBackend; }

std::set<int> Measurement::devicesOf(std::size_t row) const {
    std::set<int> devices;
    if (record.entries[row].threads == 0)
        for (int part = 0; part < targetOf(row).parts; ++part) devices.insert(targetOf(row).deviceOf(part));
    return devices;
}

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void fail(RunEntry& entry, const Error& e) {
    entry.status = e.code() == ErrorCode::cancelled     ? RunStatus::cancelled
                   : e.code() == ErrorCode::unavailable ? RunStatus::skipped
                                                        : RunStatus::failed;
    entry.reason = e.what();
}

/// Prepares the rows and takes their timing samples.
class Sampler {
public:
    Sampler(const Engine& engine, const std::vector<NamedPipeline>& recipes, ImagePtr input, const std::vector<MeasuredRow>& rows,
            const MeasureOptions& options)
        : m_{engine, recipes, std::move(input), rows, options}, lastAsked_(rows.size()), preparing_(rows.size()) {
        m_.runs.resize(rows.size());
        m_.context.stop = options.stop;
    }

    RunRecord run() {
        if (isInScratchFile(m_.input->samples().data()))
            throw Error(ErrorCode::memory, "Cannot measure this image", "it is in a scratch file, since memory is short",
                        "Close other images and open it again, or use a smaller one");
        const SystemSnapshot before = describeRun(m_);
        const std::size_t count = m_.rows.size();
        for (std::size_t i = 0; i < count; ++i) attempt(i, [&] { prepare(i); });
        addChecksums();
        verifyRows(m_);
        for (std::size_t i = 0; i < count; ++i) {
            const auto start = Clock::now();
            if (m_.active(i)) attempt(i, [&] { warmUp(i); });
            preparing_[i] += secondsSince(start);
        }
        sample();
        finishRecord(m_, before);
        return std::move(m_.record);
    }

private:
    RunEntry& entry(std::size_t i) { return m_.record.entries[i]; }
    bool isOfUser(std::size_t i) const { return m_.targetOf(i).backend == kUserBackend || m_.targetOf(i).backend == kUserCudaBackend; }

    template <class F>
    void attempt(std::size_t i, F&& f) {
        try {
            m_.context.throwIfStopped();
            f();
        } catch (const Error& e) {
            // Samples taken before a cancel are kept.
            if (e.code() == ErrorCode::cancelled && !entry(i).samples.empty()) return;
            fail(entry(i), e);
            m_.runs[i].reset();
        }
    }

    void warmUp(std::size_t i) {
        // A run that takes as long as all samples may is warm after the first.
        const auto start = Clock::now();
        const double most = m_.record.protocol.maximumSeconds - static_cast<double>(entry(i).cold.endToEnd()) * 1e-9;
        for (int w = 0; w < m_.record.protocol.warmUp && secondsSince(start) < most; ++w) (void)m_.runs[i]->run(m_.context);
    }

    /// Prepares a row and records the kernels of users that it runs.
    void prepareRun(std::size_t i) {
        const Backend& backend = m_.backendOf(i);
        std::vector<const Implementation*> implementations;
        do {  // users may replace a kernel at any time
            implementations = backend.implementations();
            m_.runs[i] = m_.engine.prepare(m_.recipeOf(i).pipeline, m_.input, m_.targetOf(i), m_.context);
        } while (implementations != backend.implementations());
        for (const StepPlan& step : m_.runs[i]->plan()) {
            const std::string operation = step.implementation.substr(0, step.implementation.find(' '));
            if (const auto kernel = kernelRecordOf(implementations, operation, step.variant)) addKernel(m_.record, *kernel);
        }
    }

    void prepare(std::size_t i) {
        const auto start = Clock::now();
        prepareRun(i);
        describeEntry(entry(i), *m_.runs[i]);
        if (m_.record.protocol.coldCaches) emptyCaches(i);  // fails now if it cannot
        RunContext first = m_.context;
        first.live = m_.options.live.get();
        if (first.live) first.live->beginRun(m_.labelOf(i));
        entry(i).cold = m_.runs[i]->run(first);
        if (isOfUser(i)) (void)m_.runs[i]->run(m_.context);  // the second result is verified: it shows what a kernel keeps between runs
        if (!m_.onRanks(i)) entry(i).memory = m_.runs[i]->memory();  // that of other processes is unknown
        lookAtBits(i);
        preparing_[i] = secondsSince(start);
        entry(i).statistics = m_.runs[i]->statistics(m_.context);
        entry(i).series = m_.runs[i]->series(m_.context);
        for (const std::string& w : m_.runs[i]->warnings(m_.context)) entry(i).warnings.push_back("result: " + w);
        m_.report();
    }

    void lookAtBits(std::size_t i) {
        if (!m_.options.bits) return;
        const std::string hash = hashSamples(m_.runs[i]->output());
        std::optional<BitsRecord>& bits = entry(i).bits;
        if (!bits) bits = BitsRecord{.hash = hash};
        ++bits->runs;
        if (hash != bits->hash) ++bits->others;
    }

    /// Hashes the first results. Equal results of a recipe are hashed once.
    void addChecksums() {
        for (std::size_t i = 0; i < m_.rows.size(); ++i) {
            if (!m_.active(i)) continue;
            const View<const float> result = m_.runs[i]->output();
            std::string& sha = entry(i).sha256;
            for (std::size_t k = 0; k < i && sha.empty(); ++k)
                if (m_.rows[k].recipe == m_.rows[i].recipe && m_.active(k) && sameBits(m_.runs[k]->output(), result)) sha = entry(k).sha256;
            if (sha.empty()) sha = checksumOf(result, m_.options.stop);
        }
    }

    /// Empties those of the CPU, and those of the devices of a row.
    void emptyCaches(std::size_t i) {
        const auto refuse = [&](const char* why) {
            throw Error(ErrorCode::unavailable, "The caches cannot be emptied for '" + m_.labelOf(i) + "'", why,
                        "Measure with warm caches");
        };
        if (m_.onRanks(i)) refuse("its ranks are other processes, perhaps on other machines");
        if (isOfUser(i)) refuse("each run copies the image through them into the process of the kernel");
        if (!hostCaches_) hostCaches_.emplace();
        hostCaches_->empty();
        for (const int device : m_.devicesOf(i))
            if (!m_.backendOf(i).emptyCaches(device)) refuse("the backend cannot empty those of its device");
    }

    void sample() {
        SamplingSchedule schedule(m_.record.protocol, m_.rows.size());
        stack_.emplace(m_.record.protocol.seed);
        processors_.emplace();
        for (std::size_t i = 0; i < m_.rows.size(); ++i) {
            entry(i).blocks = schedule.blocks(i);
            if (m_.active(i)) schedule.prepared(i, preparing_[i]);
            else schedule.drop(i);
        }
        while (!m_.options.stop.stop_requested()) {
            if (schedule.beginsBlock()) {
                for (std::size_t i = 0; i < m_.rows.size(); ++i) entry(i).blocks = schedule.blocks(i);
                prepareAgain(schedule);
            }
            const auto next = schedule.next();
            if (!next) break;
            takeSample(*next, schedule);
            m_.report();
        }
        processors_.reset();
        describeLastSamples();
        measureEnergies(m_);
        // Stopped between verification and the first sample.
        for (RunEntry& e : m_.record.entries)
            if (e.status == RunStatus::done && e.samples.empty()) fail(e, Error(ErrorCode::cancelled, "Cancelled"));
    }

    void takeSample(std::size_t i, SamplingSchedule& schedule) {
        const std::size_t before = entry(i).samples.size();
        const auto start = Clock::now();
        auto ready = start;
        processors_->use(processorsOf(i));
        attempt(i, [&] {
            if (waitForOtherBackend(i)) {
                if (wakesThreads(i)) (void)m_.runs[i]->run(m_.context);
                ready = Clock::now();
            }
            if (m_.record.protocol.coldCaches) emptyCaches(i);
            RunContext timed = m_.context;
            timed.warmCaches = !m_.record.protocol.coldCaches;
            entry(i).samples.push_back(stack_->call([&] { return m_.runs[i]->run(timed); }));
        });
        const auto end = Clock::now();
        if (entry(i).samples.size() == before) return schedule.drop(i);
        schedule.add(i, static_cast<double>(entry(i).samples.back().endToEnd()), std::chrono::duration<double>(end - ready).count(),
                     std::chrono::duration<double>(ready - start).count());
        askDevice(i, end);
        lookAtBits(i);
    }

    /// The number of processors that a row shares with one of another backend, to be compared with it; 0: it may use all. Each backend has
    /// its team of threads. A single thread is that of the measurement, but kernels of users have their own.
    int processorsOf(std::size_t i) const {
        const auto threads = [&](std::size_t row) {
            const RunEntry& e = m_.record.entries[row];  // also of a row that is being prepared again
            return e.status == RunStatus::done && !m_.onRanks(row) ? e.threads : 0;
        };
        for (std::size_t k = 0; k < m_.rows.size(); ++k)
            if (threads(k) == threads(i) && m_.targetOf(k).backend != m_.targetOf(i).backend &&
                (threads(i) > 1 || isOfUser(i) || isOfUser(k)))
                return threads(i);
        return 0;
    }

    /// Waits until the threads that a run of another backend left behind sleep. False if the run before was one of the same backend.
    bool waitForOtherBackend(std::size_t i) {
        const std::optional<std::size_t> before = std::exchange(lastRun_, i);
        if (!before || m_.targetOf(*before).backend == m_.targetOf(i).backend) return false;
        if (entry(*before).threads > 1) quiet_.wait(m_.options.stop);
        return true;
    }

    /// Whether a sample needs a run before it. Threads that slept while another backend ran may share a processor for some milliseconds
    /// once they are woken up, so that a short run takes several times as long.
    bool wakesThreads(std::size_t i) const {
        const RunEntry& e = m_.record.entries[i];
        const StageTimes& last = e.samples.empty() ? e.cold : e.samples.back();
        return e.threads > 1 && !m_.record.protocol.coldCaches && last.endToEnd() < kLongRun;
    }

    /// Keeps traffic and laps of the last timing samples. To measure laps, devices repeat some of the work, which must not disturb samples.
    void describeLastSamples() {
        for (std::size_t i = 0; i < m_.rows.size(); ++i) {
            if (!m_.active(i) || entry(i).samples.empty() || m_.options.stop.stop_requested()) continue;
            entry(i).traffic = m_.runs[i]->traffic();
            try {
                entry(i).laps = m_.runs[i]->laps(m_.context);
            } catch (const Error& e) {
                if (e.code() != ErrorCode::cancelled)
                    entry(i).warnings.push_back(std::string("parts: The parts of the compute time are missing: ") + e.what());
            }
        }
    }

    /// Releases the buffers of all candidates for whom that is cheap and allocates them in another order, so that none keeps a lucky
    /// placement.
    void prepareAgain(SamplingSchedule& schedule) {
        const std::vector<std::size_t> order = schedule.toPrepareAgain();
        for (const std::size_t i : order) m_.runs[i].reset();
        for (const std::size_t i : order) {
            const auto start = Clock::now();
            try {
                processors_->use(0);  // rows with all threads are to see all processors
                prepareRun(i);
                processors_->use(processorsOf(i));
                lastRun_ = i;
                (void)m_.runs[i]->run(m_.context);
                lookAtBits(i);
                warmUp(i);
                schedule.prepared(i, secondsSince(start));
            } catch (const Error& e) {
                // Samples taken so far are kept, unless a run that was right before is wrong now.
                if (e.code() == ErrorCode::failed) fail(entry(i), e);
                else if (e.code() != ErrorCode::cancelled)
                    entry(i).warnings.push_back(std::string("prepare: The measurement ended early, because preparing it again failed: ") +
                                                e.what());
                m_.runs[i].reset();
                schedule.drop(i);
            }
        }
    }

    /// Asks the device for its conditions right after a sample, while it still has the clock rate of the work, at most four times a second.
    void askDevice(std::size_t i, Clock::time_point now) {
        if (lastAsked_[i] && now - *lastAsked_[i] < std::chrono::milliseconds(250)) return;
        lastAsked_[i] = now;
        const Target& target = m_.targetOf(i);
        const Backend& backend = m_.backendOf(i);
        const int devices = entry(i).threads > 0 ? 1 : target.parts;
        for (int part = 0; part < devices; ++part) addConditions(entry(i).warnings, backend.conditions(target.deviceOf(part)));
    }

    static constexpr std::int64_t kLongRun = 250'000'000;  // ns
    const InMemoryOnly inMemory_{kMeasuredInMemory};
    Measurement m_;
    std::optional<RandomStack> stack_;
    std::vector<std::optional<Clock::time_point>> lastAsked_;
    std::vector<double> preparing_;  // seconds of the first preparation, warm-up included
    std::optional<HostCaches> hostCaches_;
    QuietProcessors quiet_;
    std::optional<SharedProcessors> processors_;
    std::optional<std::size_t> lastRun_;  // its row
};

}  // namespace

RunRecord measureRecipes(const Engine& engine, const std::vector<NamedPipeline>& recipes, ImagePtr input,
                         const std::vector<MeasuredRow>& rows, const MeasureOptions& options) {
    if (rows.empty()) throw Error(ErrorCode::usage, "Nothing to measure", "no backend was given");
    if (!input) throw Error(ErrorCode::usage, "Nothing to measure", "no image was given");
    if (recipes.size() > 1 && std::any_of(recipes.begin(), recipes.end(), [](const NamedPipeline& r) { return r.name.empty(); }))
        throw Error(ErrorCode::usage, "One of several recipes has no name");
    std::vector<std::string> labels;
    for (const MeasuredRow& row : rows) {
        if (row.recipe >= recipes.size()) throw Error(ErrorCode::usage, "Nothing to measure", "a row has no recipe");
        labels.push_back(entryLabel(row.target, recipes[row.recipe].name));
    }
    if (!options.baseline.empty() && std::find(labels.begin(), labels.end(), options.baseline) == labels.end())
        throw Error(ErrorCode::usage, "The baseline '" + options.baseline + "' is not measured", "measured are " + joined(labels));
    return Sampler(engine, recipes, std::move(input), rows, options).run();
}

RunRecord measureTargets(const Engine& engine, const Pipeline& pipeline, ImagePtr input, const std::vector<Target>& targets,
                         const MeasureOptions& options) {
    const std::vector<NamedPipeline> only{NamedPipeline{{}, pipeline}};
    return measureRecipes(engine, only, std::move(input), rowsOf(1, targets), options);
}

}  // namespace parallax
