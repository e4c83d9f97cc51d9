// SPDX-License-Identifier: GPL-3.0-or-later
// The panes in the middle of the window: A, B, the original and the difference, arranged so that images become largest.
#pragma once

#include <QTimer>
#include <QWidget>
#include <array>

#include "ui/canvas/image_pane.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {

enum class Layout {
    single,      ///< A
    sideBySide,  ///< A and B
    compare,     ///< A, B and their difference
    difference,  ///< the difference alone
    wipe         ///< A left and B right of a line that can be dragged
};

class CompareView : public QWidget {
    Q_OBJECT
public:
    CompareView(Session& session, ViewState& view, QWidget* parent = nullptr);

    void setLayoutKind(Layout layout);
    Layout layoutKind() const { return layout_; }
    void setOriginalShown(bool shown);
    bool originalShown() const { return originalShown_; }
    /// In the single view, B in the place of A: differences catch the eye when one takes the place of the other.
    void setFlipped(bool flipped);
    bool flipped() const { return flipped_; }
    /// Moves the line of the wipe by a part of the width.
    void moveWipe(double by);
    void setWipePosition(double position);
    ImagePane& pane(PaneRole role) { return *panes_[static_cast<std::size_t>(role)]; }
    /// Does the layout have a pane for it?
    bool shown(PaneRole role) const;
    /// Does its pane say that something newer is on its way?
    bool outdated(PaneRole role) const;
    /// How the pane of the difference shows it.
    double differenceScale() const { return differenceScale_; }
    DifferenceMode differenceMode() const { return differenceMode_; }
    /// Is everything drawn in full?
    bool settled() const;

signals:
    /// Layout, a label or what is outdated: for views that show the same in another way.
    void changed();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void updateExtent();
    void updateOriginal();
    void updateSide(Side side);
    /// Is what this side shows about to be replaced, and has that taken so long that it should say so?
    bool saysPending(Side side) const;
    /// A newer result of what this side shows is on its way and may be there in a moment.
    bool soonReplaced(Side side) const;
    void updateDifference();
    void updateWipe();
    PaneLabel sideLabel(Side side) const;
    /// What computed it, and why just that.
    QString sideTip(Side side) const;
    QString verdictText(Side side, bool& alert) const;

    Session& session_;
    ViewState& view_;
    std::array<ImagePane*, 4> panes_{};
    Layout layout_ = Layout::compare;
    bool originalShown_ = true, flipped_ = false;
    double differenceScale_ = 0;
    DifferenceMode differenceMode_ = DifferenceMode::signedValue;
    QTimer patience_;
    bool late_ = false;
};

}  // namespace parallax::ui
