// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/live_renderer.hpp"

#include <algorithm>

#include "core/engine/backend/ranks_target.hpp"
#include "core/engine/backend/resource_limits.hpp"
#include "core/image/texts.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "ui/volume/coarse_volume.hpp"

namespace parallax::ui {
namespace {

constexpr const char* kRender = "render";
constexpr std::uint64_t kShareOfDevice = 2;  // a half at most, so that results have room

bool isDevice(const Backend& backend) {
    const std::vector<DeviceInfo> devices = backend.devices();
    return !devices.empty() && !isProcessor(devices.front());
}

/// Throws Error(memory) if a run would take more of its device than a rendering may.
void requireRoom(const Backend& backend, int device, std::uint64_t needed) {
    const std::uint64_t limit = resourceLimits().deviceBytes;
    for (const DeviceInfo& d : backend.devices()) {
        if (d.index != device) continue;
        const std::uint64_t free = limit > 0 ? std::min(d.memoryFree, limit) : d.memoryFree;
        if (needed > free / kShareOfDevice)
            throw Error(ErrorCode::memory, "Not enough memory on " + d.name,
                        "the rendering needs " + mebibytes(needed) + ", and may take half of the " + mebibytes(free) + " that are free");
    }
}

}  // namespace

std::vector<RenderTarget> renderTargets(const Catalog& catalog, bool processorOnly, int device) {
    std::optional<Target> onDevice, onProcessor;
    for (const auto& backend : catalog.backends()) {
        const std::string id = backend->id();
        if (id == kReferenceBackend || runsOnlyWhenNamed(id) || catalog.implementations(kRender, id).empty()) continue;
        if (!isDevice(*backend)) {
            if (!onProcessor) onProcessor = Target{.backend = id};
        } else if (!onDevice && !processorOnly) {
            const auto devices = static_cast<int>(backend->devices().size());
            onDevice = Target{.backend = id, .device = device < devices ? device : 0};
        }
    }
    std::vector<RenderTarget> targets;
    if (onDevice) targets.push_back({*onDevice, true});
    targets.push_back({onProcessor.value_or(Target{.backend = kReferenceBackend}), false});
    return targets;
}

LiveRenderer::Picture LiveRenderer::render(const ParameterBlock& parameters, bool coarse, RunContext& context) {
    if (targets_.empty()) targets_ = renderTargets(engine_.catalog(), processorOnly_, device_);
    if (targets_.size() > 1) {
        try {
            return renderOn(targets_.front(), parameters, coarse, context);
        } catch (const Error& e) {
            // Wrong parameters are wrong on every backend.
            if (e.code() == ErrorCode::cancelled || e.code() == ErrorCode::usage) throw;
            fallback_ = Fallback{e.code(), toMessage(e, {})};
            run_.reset();
            targets_.erase(targets_.begin());
        }
    }
    return renderOn(targets_.front(), parameters, coarse, context);
}

void LiveRenderer::prepare(const Target& target, const ImagePtr& input, const ParameterBlock& parameters, RunContext& context) {
    Pipeline pipeline;
    pipeline.steps.push_back({&render_, parameters, true});
    if (run_ && input == input_) return engine_.change(*run_, pipeline, context);
    run_.reset();
    run_ = engine_.prepare(pipeline, input, target, context);
    run_->keepInput();
    input_ = input;
}

LiveRenderer::Picture LiveRenderer::renderOn(const RenderTarget& on, const ParameterBlock& parameters, bool coarse, RunContext& context) {
    const auto& [target, onDevice] = on;
    Picture picture{.image = {}, .backend = target.backend, .onDevice = onDevice, .fallback = fallback_};
    ImagePtr input = volume_;
    ParameterBlock used = parameters;
    if (coarse && !onDevice && volume_->shape().pixels() > kMaxCoarseSamples) {
        picture.first = !coarse_;
        if (!coarse_) coarse_ = coarseVolume(*volume_);
        input = coarse_;
        used = coarseParameters(*volume_, *input, parameters);
    }
    if (onDevice) picture.first = !run_;
    prepare(target, input, used, context);
    if (picture.first && onDevice) requireRoom(engine_.catalog().backend(target.backend), target.device, run_->estimatedDeviceBytes());
    (void)run_->run(context);
    picture.image = std::make_shared<const Image>(run_->takeImage());
    return picture;
}

}  // namespace parallax::ui
