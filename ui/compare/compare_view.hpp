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
    difference   ///< the difference alone
};

class CompareView : public QWidget {
    Q_OBJECT
public:
    CompareView(Session& session, ViewState& view, QWidget* parent = nullptr);

    void setLayoutKind(Layout layout);
    Layout layoutKind() const { return layout_; }
    void setOriginalShown(bool shown);
    bool originalShown() const { return originalShown_; }
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
    PaneLabel sideLabel(Side side) const;
    QString verdictText(Side side, bool& alert) const;

    Session& session_;
    ViewState& view_;
    std::array<ImagePane*, 4> panes_{};
    Layout layout_ = Layout::compare;
    bool originalShown_ = true;
};

}  // namespace parallax::ui
