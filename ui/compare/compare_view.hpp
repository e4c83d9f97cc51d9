// SPDX-License-Identifier: GPL-3.0-or-later
// The panes in the middle of the window: A, B, the original and the difference, arranged so that images become largest.
#pragma once

#include <QWidget>
#include <array>

#include "parallax/ui/bridge/session.hpp"
#include "parallax/ui/canvas/image_pane.hpp"

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
    ImagePane& pane(PaneRole role) { return *panes_[static_cast<std::size_t>(role)]; }
    /// Is everything drawn in full?
    bool settled() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    bool shown(PaneRole role) const;
    void arrange();
    void updateOriginal();
    void updateSide(Side side);
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
};

}  // namespace parallax::ui
