// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what a file of raw samples holds: size, type, byte order, offset, distances. While one enters it, it is said what fits the size of
// the file and what does not, and the middle slice is shown.
#pragma once

#include <QDialog>
#include <array>
#include <vector>

#include "core/io/formats/raw/raw.hpp"
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
    /// At first there is what was proposed first.
    RawDialog(std::uint64_t fileBytes, std::vector<RawRequest> proposed, QWidget* parent = nullptr);

    RawRequest request() const;
    void setRequest(const RawRequest& request);
    /// Is the picture that of the entries?
    bool settled() const { return settled_; }

private:
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
    Geometry geometry_;  // what is not asked here
    bool settled_ = false;
    RawPreviewLoader loader_;
};

}  // namespace parallax::ui
