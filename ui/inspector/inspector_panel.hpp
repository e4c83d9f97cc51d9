// SPDX-License-Identifier: GPL-3.0-or-later
// The Inspector dock: samples at the cursor, display settings, statistics of the difference, metadata.
#pragma once

#include <QWidget>
#include <optional>

#include "ui/models/view/view_state.hpp"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSlider;
class QTableView;

namespace parallax::ui {

class CollapsibleSection;
class MetadataModel;
class PixelModel;
class Session;
class ViewPanel;
class VolumeState;

class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    InspectorPanel(Session& session, ViewState& view, VolumeState& volume, QWidget* parent = nullptr);
    PixelModel& pixels() { return *pixels_; }
    ViewPanel& viewPanel() { return *viewPanel_; }

signals:
    /// Requests the panel of the sub-bands.
    void regionsAsked();
    /// Requests another volume of the open file, from 0.
    void volumeAsked(int volume);

private:
    QWidget* makePixelGroup();
    QWidget* makeMetadataGroup();
    void updateImages();
    void updateCursor();
    void updateTitle();
    /// Describes the value of the error map that the difference pane shows.
    QString mapValue(const PixelPosition& at) const;

    Session& session_;
    ViewState& view_;
    std::optional<PixelPosition> shownPixel_;
    PixelModel* pixels_;
    MetadataModel* metadata_;
    QLabel* position_ = nullptr;
    QTableView* pixelTable_ = nullptr;
    ViewPanel* viewPanel_ = nullptr;
    CollapsibleSection* differenceGroup_ = nullptr;
    CollapsibleSection* volumeGroup_ = nullptr;  // for measurements and files of several images
};

}  // namespace parallax::ui
