// SPDX-License-Identifier: GPL-3.0-or-later
// The panes for images: the compared results, the original and the difference, arranged so that the images are as large as possible.
#pragma once

#include <QTimer>
#include <QWidget>
#include <array>

#include "ui/canvas/pane_header.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {

enum class Layout {
    single,      ///< the active pane
    sideBySide,  ///< reference and subject of the difference, such as A and B
    compare,     ///< both and their difference
    difference,  ///< only the difference
    wipe,        ///< the reference left and the subject right of a movable line
    all          ///< every compared pane
};

class CompareView : public QWidget {
    Q_OBJECT
public:
    CompareView(Session& session, ViewState& view, QWidget* parent = nullptr);

    void setLayoutKind(Layout layout);
    Layout layoutKind() const { return layout_; }
    void setOriginalShown(bool shown);
    bool originalShown() const { return originalShown_; }
    /// Are the headers of the panes shown?
    bool headersShown() const { return headersShown_; }
    void setHeadersShown(bool shown);
    /// Shows the other pane of the pair in place of the active one in the single layout.
    void setFlipped(bool flipped);
    bool flipped() const { return flipped_; }
    /// Moves the wipe line by a fraction of the width.
    void moveWipe(double by);
    void setWipePosition(double position);
    double wipePosition() const { return wipePosition_; }
    /// Panes left and right of the wipe line: reference and subject.
    PaneRole leftRole() const;
    PaneRole rightRole() const;
    ImagePane& pane(PaneRole role) { return *panes_[static_cast<std::size_t>(role)]; }
    PaneHeader& header(PaneRole role) { return *headers_[static_cast<std::size_t>(role)]; }
    /// Does the layout show this pane?
    bool shown(PaneRole role) const;
    struct SideArea {
        Side side;
        QRect area;
    };
    /// Where the results are shown, with their headers; a wipe has two.
    std::vector<SideArea> sideAreas() const;
    /// Is this pane dimmed because a newer result is being computed?
    bool outdated(PaneRole role) const;
    /// Range and mode of the difference pane.
    double differenceScale() const { return differenceScale_; }
    DifferenceMode differenceMode() const { return differenceMode_; }
    /// Are all panes completely drawn?
    bool settled() const;

signals:
    /// Layout, labels or outdated panes have changed; for other views of the same comparison.
    void changed();

protected:
    void resizeEvent(QResizeEvent* event) override;
    /// Makes a pane active when it is clicked, and chooses one of a contact sheet.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectSession();
    /// Is it a double click or Enter on a pane of a contact sheet?
    bool choosesFromSheet(const QEvent& event) const;
    /// The side that the single layout shows.
    Side front() const;
    void arrange();
    void updateExtent();
    void updateOriginal();
    void updateSide(Side side);
    void updateSides();
    /// Is neither the result nor a first picture of the present parameters there?
    bool waits(Side side) const;
    /// Is a newer picture overdue, so that the pane should say that it is outdated?
    bool saysPending(Side side) const;
    /// Is a newer picture of the same target expected at any moment?
    bool soonReplaced(Side side) const;
    void updateDifference();
    void updateWipe();
    PaneLabel sideLabel(Side side) const;
    /// Adds the texts about a first picture.
    void describeFirst(const FirstPicture& picture, PaneLabel& label) const;
    /// Which variants ran, and why.
    QString sideTip(Side side) const;
    QString verdictText(Side side, bool& alert) const;
    QString checkText(const ReferenceCheck& check, bool& alert) const;
    /// The verdict as one character; empty without one.
    QString markOf(Side side) const;
    /// Returns the header's note about keys or the role of a side.
    QString hintOf(Side side) const;
    /// The picture of a pane; null if it is of another kind than the open image, such as an image beside a volume.
    PyramidPtr pyramidOf(PaneRole role) const;
    /// Why a pane has no picture of this image; empty if it has.
    QString kindNotice(const ImagePtr& image) const;
    /// How input and steps of a side differ from those of A.
    QString distinction(Side side) const;

    Session& session_;
    ViewState& view_;
    std::array<ImagePane*, kPaneCount> panes_{};
    std::array<PaneHeader*, kPaneCount> headers_{};
    Layout layout_ = Layout::compare;
    bool originalShown_ = true, flipped_ = false, headersShown_ = true;
    double wipePosition_ = 0.5;
    double differenceScale_ = 0;
    DifferenceMode differenceMode_ = DifferenceMode::signedValue;
    QTimer notice_;
    bool slow_ = false;
};

}  // namespace parallax::ui
