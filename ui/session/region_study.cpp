// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/region_study.hpp"

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

}  // namespace

RegionStudy::RegionStudy(Session& session, QObject* parent) : QObject(parent), session_(session) {
    connect(&session_, &Session::sideChanged, this, [this](Side side) {
        if (side == Side::a) refresh();
    });
    connect(&session_, &Session::originalChanged, this, &RegionStudy::clear);
    // Cancelled tasks call neither of their functions.
    connect(&session_, &Session::busyChanged, this, [this] {
        if (!pending_ || session_.side(Side::a).pending || session_.tasks().pending(kTask)) return;
        pending_ = false;
        failure_ = tr("Cancelled. Change a parameter to compute again.");
        emit changed();
    });
}

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
    const SideState& a = session_.side(Side::a);
    failure_ = a.error ? a.error->plainText() : QString();
    emit changed();
}

void RegionStudy::refresh() {
    if (!active_) return;
    const SideState& a = session_.side(Side::a);
    if (a.pending) {
        // Keeps the old result while a slider moves.
        session_.tasks().drop(kTask);
        pending_ = true;
        return emit changed();
    }
    if (a.result && !a.error && a.result == studied_ && !pending_) return;
    const Pipeline& pipeline = session_.pipeline().pipeline();
    const Step* last = lastEnabled(pipeline);
    if (!a.result || a.error || !last || a.result->plan.empty()) return clear();
    const bool own = !a.result->plan.back().regions.empty();
    const std::string through = own ? std::string() : regionStepOf(*last->operation, last->parameters);
    if (!own && through.empty()) return clear();

    pending_ = true;
    failure_.clear();
    emit changed();
    auto found = std::make_shared<StudiedRegions>();
    auto before = std::make_shared<std::shared_ptr<const Before>>(before_);
    found->seenThrough = QString::fromStdString(through);
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
    Target target = a.result->target;
    target.variant.clear();
    session_.tasks().submit(
        kTask, tr("Computing the sub-bands"),
        [found, before, back, target, result = a.result, original = session_.original(), through, engine = session_.engine(),
         memory = session_.memory()](const std::stop_token& stop) {
            RunContext context{.stop = stop, .hostMemory = memory};
            if (through.empty()) {
                found->mosaic = result->image;
                found->regions = result->plan.back().regions;
                found->roundTrip = !back.steps.empty();
                if (found->roundTrip) {
                    PreparedRun run = engine.prepare(back, result->image, target, context);
                    run.run(context);
                    if (run.output().shape == original->shape())
                        found->error = compareViews(original->view(), run.output(), {.worstCount = 0});
                }
            } else {
                Pipeline seen;
                seen.steps.push_back(parseStep(engine.catalog(), through));
                const auto take = [&](const ImagePtr& image, std::vector<Region>& regions) {
                    PreparedRun run = engine.prepare(seen, image, target, context);
                    run.run(context);
                    regions = run.plan().back().regions;
                    return std::make_shared<const Image>(run.takeImage());
                };
                found->mosaic = take(result->image, found->regions);
                found->error = result->againstOriginal;
                const QString step = QString::fromStdString(through);
                if (!*before || (*before)->original != original || (*before)->step != step) {
                    auto made = std::make_shared<Before>();
                    made->original = original;
                    made->step = step;
                    std::vector<Region> regions;
                    const ImagePtr mosaic = take(original, regions);
                    // Earlier steps may have changed the size: the original is then not comparable.
                    if (regions == found->regions && mosaic->shape() == found->mosaic->shape())
                        made->figures = figuresOf(*mosaic, regions, stop);
                    *before = std::move(made);
                }
                found->before = (*before)->figures;
            }
            found->figures = figuresOf(*found->mosaic, found->regions, stop);
        },
        [this, found, before, studied = a.result] {
            pending_ = false;
            studied_ = studied;
            result_ = found;
            before_ = *before;
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
