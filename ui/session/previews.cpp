// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/previews.hpp"

#include <algorithm>
#include <cmath>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "core/image/encoded_light.hpp"
#include "ui/models/view/small_version.hpp"
#include "ui/session/compare/encoded_inputs.hpp"

namespace parallax::ui {
namespace {

constexpr int kDelayMilliseconds = 200;  // no previews while a slider moves

/// The first available backend that is not the reference, else the reference.
std::string previewBackend(const Catalog& catalog) {
    for (const auto& backend : catalog.backends())
        if (backend->id() != kReferenceBackend && !runsOnlyWhenNamed(backend->id()) && backend->availability().yes) return backend->id();
    return kReferenceBackend;
}

/// Runs on `backend`, else on the reference, and records which.
Preview makePreview(const Engine& engine, const Pipeline& pipeline, const ImagePtr& input, const std::string& backend,
                    const std::stop_token& stop) {
    Preview preview;
    const auto run = [&](const std::string& id) {
        RunContext context{.stop = stop};
        RunResult result = engine.run(pipeline, input, Target{.backend = id}, context);
        // Reduced after the run: operations that use the brightest pixel or a neighbourhood give other results on a small image.
        preview.image = std::make_shared<const Image>(
            smallVersion(*asShown(std::make_shared<const Image>(std::move(result.image))), Previews::kSize, stop));
        preview.backend = id;
    };
    try {
        run(backend);
    } catch (const Error& first) {
        if (first.code() == ErrorCode::cancelled) throw;
        preview.error = toMessage(first, {}).plainText();
        if (backend == kReferenceBackend) return preview;
        try {
            run(kReferenceBackend);
            preview.otherBackend = true;
            preview.reason = std::exchange(preview.error, {});
        } catch (const Error& second) {
            if (second.code() == ErrorCode::cancelled) throw;
            preview.error = toMessage(second, {}).plainText();
        }
    }
    return preview;
}

}  // namespace

Previews::Previews(Tasks& tasks, const Engine& engine) : tasks_(tasks), engine_(engine) {
    delay_.setSingleShot(true);
    delay_.setInterval(kDelayMilliseconds);
    connect(&delay_, &QTimer::timeout, this, &Previews::compute);
}

void Previews::setOriginal(const ImagePtr& original) {
    original_ = original;
    reduced_.reset();
    previews_.clear();
}

void Previews::request(std::vector<Pipeline> pipelines, bool encoded) {
    tasks_.drop({TaskKind::previews});
    requested_ = std::move(pipelines);
    encoded_ = encoded;
    if (!requested_.empty() && original_) delay_.start();
    else delay_.stop();
    emit waitingChanged();
}

void Previews::compute() {
    emit waitingChanged();
    if (!original_) return;
    struct Outcome {
        ImagePtr input;
        std::vector<Preview> previews;
    };
    tasks_.submit(
        {TaskKind::previews}, tr("Preparing previews"),
        [outcome = Outcome{reduced_, {}}, original = original_, engine = engine_, pipelines = requested_, encoded = encoded_,
         backend = previewBackend(engine_.catalog())](const std::stop_token& stop) mutable {
            const Shape& whole = original->shape();
            const double part = std::sqrt(static_cast<double>(kMaxPixels) / static_cast<double>(whole.width * whole.height));
            const auto longest = static_cast<double>(std::max(whole.width, whole.height));
            const int side = std::max(1, static_cast<int>(part < 1 ? part * longest : longest));
            if (!outcome.input)
                outcome.input =
                    part >= 1 && whole.depth == 1 ? original : std::make_shared<const Image>(smallVersion(*original, side, stop));
            const ImagePtr input = encoded ? std::make_shared<const Image>(withEncodedColours(*outcome.input)) : outcome.input;
            for (const Pipeline& pipeline : pipelines) {
                outcome.previews.push_back(makePreview(engine, pipeline, input, backend, stop));
                outcome.previews.back().reduced = part < 1;
            }
            return outcome;
        },
        [this](Outcome outcome) {
            reduced_ = std::move(outcome.input);
            previews_ = std::move(outcome.previews);
            emit changed();
        },
        Tasks::ignore);  // the presets still have their names
}

}  // namespace parallax::ui
