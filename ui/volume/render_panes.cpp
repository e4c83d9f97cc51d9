// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/render_panes.hpp"

#include <algorithm>

#include "ui/transfer/transfer_dialog.hpp"

namespace parallax::ui {

RenderPanes::RenderPanes(Session& session, VolumeState& volume, ViewState& view, QWidget& parent)
    : session_(session), volume_(volume), view_(view), parent_(parent), state_(session.catalog().operation("render")) {
    connect(&session_, &Session::busyChanged, this, [this] {
        for (RenderPane* pane : panes_)
            if (pane) pane->setPaused(measuring());
    });
}

RenderPanes::~RenderPanes() { delete curve_; }

bool RenderPanes::measuring() const { return session_.tasks().anyPending({TaskKind::measure, TaskKind::ceilings, TaskKind::kernelTimes}); }

RenderPane& RenderPanes::pane(PaneRole role) {
    RenderPane*& pane = panes_[static_cast<std::size_t>(role)];
    if (!pane) {
        pane = new RenderPane(session_.engine(), state_, volume_, view_, work_, &parent_);
        pane->setObjectName(QStringLiteral("rendering-%1").arg(static_cast<int>(role)));
        pane->setPaused(measuring());
        connect(pane, &RenderPane::addStepRequested, this, [this, role] { addStep(role); });
        connect(pane, &RenderPane::curveRequested, this, [this, role] { editCurve(role); });
        connect(pane, &RenderPane::aloneRequested, this, [this, role] { emit aloneRequested(role); });
        emit paneMade(role);
    }
    return *pane;
}

void RenderPanes::show(const std::vector<PaneRole>& roles) {
    for (const PaneRole role : kAllPanes) {
        const bool shown = std::find(roles.begin(), roles.end(), role) != roles.end();
        if (shown) pane(role).show();
        else if (RenderPane* hidden = made(role)) hidden->hide();
    }
}

void RenderPanes::fill(const std::function<Content(PaneRole)>& content) {
    int filled = 0;
    for (const PaneRole role : kAllPanes) {
        RenderPane* pane = made(role);
        if (!pane) continue;
        const Content c = pane->isHidden() ? Content{} : content(role);
        pane->setLabel(c.label, c.outdated);
        pane->setAnnotated(c.annotated);
        pane->setActive(c.active);
        pane->setImage(c.image, c.notice);
        filled += c.image ? 1 : 0;
    }
    if (RenderPane* pane = made(counted_); curve_ && pane) curve_->setImage(pane->image());
    for (RenderPane* pane : panes_)
        if (pane) pane->setShare(1.0 / std::max(1, filled));
}

void RenderPanes::editCurve(PaneRole role) {
    counted_ = role;
    if (!curve_) {
        const auto text = [this] { return QString::fromStdString(state_.parameters().text("curve")); };
        curve_ = new TransferDialog(curvePresets(state_.operation()), text(), parent_.window());
        connect(&state_, &RenderState::changed, curve_, [dialog = curve_.data(), text] { dialog->setText(text()); });
        connect(curve_, &TransferDialog::textEdited, &state_, [this](const QString& edited) { state_.set("curve", edited.toStdString()); });
    }
    curve_->setImage(pane(role).image());
    curve_->show();
    curve_->raise();
    curve_->activateWindow();
}

bool RenderPanes::settled() const {
    return std::all_of(panes_.begin(), panes_.end(), [](const RenderPane* pane) { return !pane || !pane->isVisible() || pane->settled(); });
}

void RenderPanes::addStep(PaneRole role) {
    PipelineModel& model = session_.pipeline();
    if (const auto side = sideOf(role)) model.setActive(*side);
    Pipeline steps = model.pipeline();
    steps.steps.push_back({&state_.operation(), pane(role).fullParameters(), true});
    model.replacePipeline(std::move(steps), tr("Add rendering"));
}

}  // namespace parallax::ui
