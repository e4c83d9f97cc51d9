// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/region_study.hpp"

#include <tuple>
#include <utility>

#include "core/engine/operation/capabilities.hpp"
#include "ui/models/pipeline/catalog_text.hpp"

namespace parallax::ui {
namespace {

const TaskId kTask{TaskKind::regions};

std::vector<std::vector<RegionFigures>> figuresOf(const Image& mosaic, const std::vector<Region>& regions, const std::stop_token& stop) {
    std::vector<std::vector<RegionFigures>> all;
    for (std::int64_t c = 0; c < mosaic.shape().channels; ++c) {
        std::vector<RegionFigures> channel;
        for (const Region& region : regions) channel.push_back(ui::figuresOf(mosaic.view().channel(c), region, stop));
        all.push_back(std::move(channel));
    }
    return all;
}

const Step* lastEnabled(const Pipeline& pipeline) {
    const Step* last = nullptr;
    for (const Step& step : pipeline.steps)
        if (step.enabled) last = &step;
    return last;
}

/// The background part of a study.
struct StudyWork {
    Engine engine;
    Side side;
    std::shared_ptr<const SideResult> result;
    ImagePtr original;
    Target target;
    Pipeline back;        ///< reconstructs the original from the result; else without steps
    std::string through;  ///< see StudiedRegions::seenThrough
    std::shared_ptr<const OriginalFigures> before;
    std::shared_ptr<Allocator> memory;
    using Made = std::pair<std::shared_ptr<const StudiedRegions>, std::shared_ptr<const OriginalFigures>>;

    Made operator()(const std::stop_token& stop) {
        RunContext context{.stop = stop, .hostMemory = memory};
        StudiedRegions found;
        found.side = side;
        found.seenThrough = QString::fromStdString(through);
        if (through.empty()) takeRegions(found, context);
        else makeRegions(found, context);
        found.figures = figuresOf(*found.mosaic, found.regions, stop);
        return {std::make_shared<const StudiedRegions>(std::move(found)), before};
    }

private:
    /// The result consists of regions.
    void takeRegions(StudiedRegions& found, RunContext& context) const {
        found.mosaic = result->computed;
        found.regions = result->plan.back().regions;
        found.roundTrip = !back.steps.empty();
        if (!found.roundTrip) return;
        PreparedRun run = engine.prepare(back, result->computed, target, context);
        run.run(context);
        if (run.output().shape == original->shape()) found.error = compareViews(original->view(), run.output(), {.worstCount = 0});
    }
    /// Result and original are transformed to see their regions.
    void makeRegions(StudiedRegions& found, RunContext& context) {
        Pipeline seen;
        seen.steps.push_back(parseStep(engine.catalog(), through));
        const auto take = [&](const ImagePtr& image, std::vector<Region>& regions) {
            PreparedRun run = engine.prepare(seen, image, target, context);
            run.run(context);
            regions = run.plan().back().regions;
            return std::make_shared<const Image>(run.takeImage());
        };
        found.mosaic = take(result->computed, found.regions);
        found.error = result->againstOriginal;
        if (!before || before->original != original || before->step != found.seenThrough) {
            OriginalFigures made{original, found.seenThrough, {}};
            std::vector<Region> regions;
            const ImagePtr mosaic = take(original, regions);
            // Earlier steps may have changed the size: the original is then not comparable.
            if (regions == found.regions && mosaic->shape() == found.mosaic->shape())
                made.figures = figuresOf(*mosaic, regions, context.stop);
            before = std::make_shared<const OriginalFigures>(std::move(made));
        }
        found.before = before->figures;
    }
};

}  // namespace

RegionStudy::RegionStudy(Session& session, QObject* parent) : QObject(parent), session_(session) {
    connect(&session_.comparison(), &Comparison::sideChanged, this, [this](Side side) {
        if (side == active()) refresh();
    });
    connect(&session_.pipeline(), &PipelineModel::activeChanged, this, [this] {
        // The sub-bands of another pane would be taken for those of this one.
        pending_ = false;
        studied_.reset();
        result_.reset();
        failure_.clear();
        session_.tasks().drop(kTask);
        refresh();
    });
    connect(&session_, &Session::originalChanged, this, &RegionStudy::clear);
    // Cancelled tasks call neither of their functions.
    connect(&session_, &Session::busyChanged, this, [this] {
        if (!pending_ || session_.side(active()).pending || session_.tasks().pending(kTask)) return;
        pending_ = false;
        failure_ = tr("Cancelled. Change a parameter to compute again.");
        emit changed();
    });
}

Side RegionStudy::active() const { return session_.pipeline().active(); }

void RegionStudy::setActive(bool active) {
    if (active == active_) return;
    active_ = active;
    refresh();
}

QStringList RegionStudy::suitable() const {
    QStringList titles;
    for (const auto& operation : session_.catalog().operations())
        if (capability<HasRegions>(*operation) || capability<WorksInRegions>(*operation)) titles << catalogText(operation->title());
    return titles;
}

void RegionStudy::clear() {
    pending_ = false;
    session_.tasks().drop(kTask);
    studied_.reset();
    result_.reset();
    before_.reset();
    const SideState& side = session_.side(active());
    failure_ = side.error ? side.error->plainText() : QString();
    emit changed();
}

void RegionStudy::refresh() {
    if (!active_) return;
    const SideState& side = session_.side(active());
    if (side.pending) {
        // Keeps the old result while a slider moves.
        session_.tasks().drop(kTask);
        pending_ = true;
        return emit changed();
    }
    if (side.result && !side.error && side.result == studied_ && !pending_) return;
    const Pipeline& pipeline = session_.pipeline().setup().stepsOf(active());
    const Step* last = lastEnabled(pipeline);
    if (!side.result || side.error || !last || side.result->plan.empty()) return clear();
    const bool own = !side.result->plan.back().regions.empty();
    const std::string through = own ? std::string() : regionStepOf(*last->operation, last->parameters);
    if (!own && through.empty()) return clear();

    pending_ = true;
    failure_.clear();
    emit changed();
    // The image is reconstructed if undoing the last step makes the whole pipeline approximate the original.
    Pipeline back;
    const auto* encodes = own ? capability<RepresentsInput>(*last->operation) : nullptr;
    if (encodes && !encodes->inverse().empty()) {
        const Operation& undo = session_.catalog().operation(encodes->inverse());
        Pipeline whole = pipeline;
        whole.steps.push_back({&undo, ParameterBlock(undo.parameters()), true});
        if (whole.approximatesInput()) back.steps.push_back(whole.steps.back());
    }
    // The same backend without its variant, which may not exist for another operation.
    Target target = side.result->target;
    target.variant.clear();
    session_.tasks().submit(
        kTask, tr("Computing the sub-bands"),
        StudyWork{session_.engine(), active(), side.result, side.result->stepsInput, target, back, through, before_, session_.memory()},
        [this, studied = side.result](const StudyWork::Made& made) {
            pending_ = false;
            studied_ = studied;
            std::tie(result_, before_) = made;
            emit changed();
        },
        [this](ErrorCode code, const Message& message) {
            pending_ = false;
            result_.reset();
            if (code != ErrorCode::cancelled) failure_ = message.plainText();
            emit changed();
        });
}

}  // namespace parallax::ui
