// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the layout of a raw file: size, sample type, byte order, offset, spacing. Checks the entries against the file size and shows
// a preview of the middle slice while the user types.
#pragma once

#include <QDialog>
#include <array>
#include <vector>

#include "core/io/formats/raw/raw.hpp"
#include "ui/session/background.hpp"
#include "ui/volume/raw_preview.hpp"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTimer;

namespace parallax::ui {

class RawDialog : public QDialog {
    Q_OBJECT
public:
    /// Starts with the first proposal.
    RawDialog(std::uint64_t fileBytes, std::vector<RawRequest> proposed, QWidget* parent = nullptr);

    RawRequest request() const;
    void setRequest(const RawRequest& request);
    /// Is the preview up to date with the entries?
    bool settled() const { return settled_; }

private:
    void makeEntries();
    void makePreview();
    QLayout* entriesLayout();
    QLayout* previewLayout();
    void connectEntries();
    void entriesChanged();
    void showCheck();
    void askPreview();
    void showPreview(const RawPreview& preview);
    void takeProposal(int index);
    void takeRemedy(const QString& link);

    std::uint64_t fileBytes_;
    std::string path_;
    std::vector<RawRequest> proposed_, remedies_;
    QComboBox* proposals_;
    QSpinBox *width_, *height_, *depth_;
    QComboBox *type_, *endian_;
    QDoubleSpinBox* offset_;
    std::array<QDoubleSpinBox*, 3> spacing_;
    QComboBox* unit_;
    QLabel *check_, *remediesLabel_, *picture_, *pictureText_;
    QPushButton* open_;
    QTimer* delay_;
    Geometry geometry_;  // with what the dialog does not ask for
    bool settled_ = false;
    Background previews_{4};  // the GUI thread has priority
};

}  // namespace parallax::ui
