// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/served_pipelines.hpp"

#include <utility>

#include "core/image/error.hpp"

namespace parallax {
namespace {

DoneMessage describe(PreparedRun& run, const StageTimes& times, RunContext& context) {
    DoneMessage done;
    done.times = timesMessage(times);
    done.tolerances = run.dataTolerances();
    for (const StatisticRecord& s : run.statistics(context)) done.statistics.push_back({s.step, s.key, s.title, s.unit, s.value});
    for (const SeriesRecord& s : run.series(context)) done.series.push_back({s.step, s.key, s.label, s.end, s.x, s.y, s.tolerance});
    for (const TransferRecord& t : run.transfers(context)) done.curves.push_back({t.step, t.curve.input, t.curve.output});
    done.warnings = run.warnings(context);
    if (const std::optional<TrafficRecord> traffic = run.traffic()) {
        done.onParts = true;
        done.uncounted = traffic->uncounted;
        done.unit = traffic->unit;
        done.edge = traffic->edge;
        done.received = traffic->received;
    }
    return done;
}

}  // namespace

std::shared_ptr<SharedMemory> ServedPipelines::memoryOf(std::uint64_t id, Descriptor descriptor, const Shape& shape) {
    const std::size_t bytes = checkedBytes(shape, SampleType::float32);
    if (descriptor) memory_[id] = SharedMemory::open(std::move(descriptor), bytes, id);
    const auto known = memory_.find(id);
    if (known == memory_.end() || known->second->bytes() < bytes)
        throw Error(ErrorCode::failed, "The client names memory that it has not shared");
    return known->second;
}

void ServedPipelines::forgetMemory(std::uint64_t id) {
    images_.erase(id);
    memory_.erase(id);
    for (auto& [key, served] : pipelines_)
        if (served.result == id) {
            served.run.useResult(Buffer());
            served.result = 0;
        }
}

ImagePtr ServedPipelines::imageOf(const PrepareMessage& message, Descriptor descriptor) {
    const std::shared_ptr<SharedMemory> memory = memoryOf(message.image, std::move(descriptor), message.shape);
    ImagePtr& kept = images_[message.image];
    if (kept && kept->shape() == message.shape) return kept;
    auto image = std::make_shared<Image>(bufferIn(memory, message.shape), message.channelNames);
    if (message.shape.depth > 1) image->geometry = Geometry{.spacing = message.spacing};
    for (const Fact& fact : message.facts) image->metadata.push_back({fact.name, "string", fact.text, {}});
    kept = std::move(image);
    return kept;
}

ServedPipelines::Served& ServedPipelines::servedOf(std::int64_t id) {
    const auto known = pipelines_.find(id);
    if (known == pipelines_.end()) throw Error(ErrorCode::failed, "The client asks for a pipeline that it has not prepared");
    return known->second;
}

PreparedMessage ServedPipelines::prepare(const PrepareMessage& message, Descriptor memory, RunContext& context) {
    const ImagePtr image = imageOf(message, std::move(memory));
    if (message.parts < 1 || message.parts > kMaxParts) throw Error(ErrorCode::failed, "The client asks for too many ranks");
    const Target target{.backend = message.backend, .variant = message.variant, .threads = message.threads, .parts = message.parts};
    PreparedRun run = engine_.prepare(parsePipeline(engine_.catalog(), message.steps), image, target, context);
    PreparedMessage prepared{.threads = run.threads(), .device = run.deviceName(), .variants = {}, .reasons = {}};
    for (const StepPlan& step : run.plan()) {
        prepared.variants.push_back(step.variant);
        prepared.reasons.push_back(step.reason);
    }
    pipelines_.insert_or_assign(message.id, Served{std::move(run)});
    return prepared;
}

DoneMessage ServedPipelines::run(const RunMessage& message, Descriptor memory, RunContext& context) {
    Served& served = servedOf(message.id);
    const std::shared_ptr<SharedMemory> result = memoryOf(message.result, std::move(memory), served.run.outputShape());
    if (served.result != message.result) served.run.useResult(bufferIn(result, served.run.outputShape()));
    // A run that fails may release its buffers.
    served.result = 0;
    const StageTimes times = served.run.run(context);
    served.result = message.result;
    return describe(served.run, times, context);
}

LapsMessage ServedPipelines::laps(std::int64_t id, RunContext& context) {
    LapsMessage message;
    for (const LapRecord& lap : servedOf(id).run.laps(context).laps)
        message.laps.push_back({lap.step, lap.key, lap.label, lap.nanoseconds, lap.count});
    return message;
}

}  // namespace parallax
