// SPDX-License-Identifier: GPL-3.0-or-later
// The renderings beside the planes: one for each volume, with a shared camera. Panes are made when they are first shown.
#pragma once

#include <QObject>
#include <QPointer>
#include <array>
#include <functional>
#include <vector>

#include "ui/session/session.hpp"
#include "ui/volume/render_pane.hpp"

namespace parallax::ui {

class TransferDialog;

class RenderPanes : public QObject {
    Q_OBJECT
public:
    /// `parent` holds the panes.
    RenderPanes(Session& session, VolumeState& volume, ViewState& view, QWidget& parent);
    ~RenderPanes() override;

    RenderState& state() { return state_; }
    const RenderState& state() const { return state_; }
    RenderPane& pane(PaneRole role);
    /// Null if it has not been shown yet.
    RenderPane* made(PaneRole role) const { return panes_[static_cast<std::size_t>(role)]; }
    /// Shows those of these volumes, and hides the others.
    void show(const std::vector<PaneRole>& roles);
    /// Image, notice and label of each visible pane.
    struct Content {
        ImagePtr image;
        QString notice;
        PaneLabel label;
        bool outdated = false, annotated = true, active = false;
    };
    void fill(const std::function<Content(PaneRole)>& content);
    bool settled() const;

signals:
    void paneMade(parallax::ui::PaneRole role);
    void aloneRequested(parallax::ui::PaneRole role);

private:
    /// Appends the rendering to the steps of a result; that of the original to the active ones.
    void addStep(PaneRole role);
    bool measuring() const;
    /// Opens the editor of the shared transfer function over the histogram of this volume.
    void editCurve(PaneRole role);

    Session& session_;
    VolumeState& volume_;
    ViewState& view_;
    QWidget& parent_;
    RenderState state_;
    Background work_{4};  ///< the GUI thread and results have priority
    std::array<RenderPane*, kPaneCount> panes_{};
    QPointer<TransferDialog> curve_;
    PaneRole counted_ = PaneRole::original;  ///< whose histogram the editor shows
};

}  // namespace parallax::ui
