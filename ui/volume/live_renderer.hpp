// SPDX-License-Identifier: GPL-3.0-or-later
// Renders one volume again and again: by a device with memory of its own, on which the volume stays, else by the CPU.
#pragma once

#include <optional>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "ui/models/document/message.hpp"

namespace parallax::ui {

struct RenderTarget {
    Target target;
    bool onDevice = false;  ///< with memory of its own
};
/// Backends that render, best first: a device with memory of its own unless `processorOnly`, then the CPU, by its threads if it can.
/// `device`: number of that device, if it exists. Never empty.
std::vector<RenderTarget> renderTargets(const Catalog& catalog, bool processorOnly, int device);

/// For one thread at a time.
class LiveRenderer {
public:
    LiveRenderer(const Engine& engine, const Operation& render, ImagePtr volume, bool processorOnly, int device)
        : engine_(engine), render_(render), volume_(std::move(volume)), processorOnly_(processorOnly), device_(device) {}

    /// Why the device does not render.
    struct Fallback {
        ErrorCode code = ErrorCode::failed;
        Message message;
    };
    struct Picture {
        ImagePtr image;
        std::string backend;
        bool onDevice = false;
        bool first = false;  ///< took longer than those that follow: the volume was moved to the device, or made coarse
        std::optional<Fallback> fallback;
    };
    /// The same parameters give the same picture as a run of the operation. `coarse`: the CPU may leave out samples of a large volume.
    /// What fails on the device is rendered by the CPU, and so are all further pictures. Throws Error.
    Picture render(const ParameterBlock& parameters, bool coarse, RunContext& context);

private:
    Picture renderOn(const RenderTarget& on, const ParameterBlock& parameters, bool coarse, RunContext& context);
    void prepare(const Target& target, const ImagePtr& input, const ParameterBlock& parameters, RunContext& context);

    Engine engine_;
    const Operation& render_;
    ImagePtr volume_, coarse_;  ///< coarse_: made when it is first needed
    bool processorOnly_;
    int device_;
    std::vector<RenderTarget> targets_;  ///< best first; found when the first picture is rendered
    std::optional<PreparedRun> run_;
    ImagePtr input_;  ///< of run_
    std::optional<Fallback> fallback_;
};

}  // namespace parallax::ui
