// SPDX-License-Identifier: GPL-3.0-or-later
// Shows over the pictures where dragged files would be dropped.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

namespace parallax::ui {

/// A place for files to be dropped on.
struct DropZone {
    enum class Kind { open, pane, newPane };
    Kind kind = Kind::open;
    int pane = 0;  ///< index of the side; of the new one for newPane
    QString text;
    std::vector<QRect> areas;  ///< in the coordinates of the overlay
};

class DropOverlay : public QWidget {
    Q_OBJECT
public:
    /// Covers `parent`.
    explicit DropOverlay(QWidget* parent);

    void showZones(std::vector<DropZone> zones);
    const std::vector<DropZone>& zones() const { return zones_; }
    /// Marks the zone at a position; none outside all of them.
    void pointAt(QPoint position);
    std::optional<DropZone> zoneAt(QPoint position) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int indexAt(QPoint position) const;

    std::vector<DropZone> zones_;
    int marked_ = -1;
};

}  // namespace parallax::ui
