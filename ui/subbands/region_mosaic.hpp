// SPDX-License-Identifier: GPL-3.0-or-later
// A plane of the mosaic. A click on a region selects it and shows it alone, another click goes back. Arrow keys move between regions, Enter
// shows one alone, Page Up and Page Down change the slice, + and - the gain.
#pragma once

#include <QImage>
#include <QWidget>
#include <memory>

#include "ui/models/regions/region_picture.hpp"
#include "ui/session/region_study.hpp"

namespace parallax::ui {

class RegionMosaic : public QWidget {
    Q_OBJECT
public:
    explicit RegionMosaic(QWidget* parent = nullptr);

    /// Null shows `emptyText` instead.
    void setContent(std::shared_ptr<const StudiedRegions> content, const QString& emptyText);
    void setChannel(int channel);
    void setGains(std::vector<double> gains);
    void setPlane(RegionPlane plane);
    void setSlice(std::int64_t slice);
    void setSelected(int region);
    void setAlone(bool alone);
    bool alone() const { return view_.alone >= 0; }
    int selected() const { return selected_; }
    const RegionView& regionView() const { return view_; }
    /// Rectangle of the mosaic and its picture; used by tests too.
    QRect pictureRect() const;
    /// Rectangle of a region in the widget; empty if the plane does not intersect it.
    QRect regionRect(int region) const;

    QSize sizeHint() const override { return {420, 320}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

signals:
    void regionChosen(int region);
    void aloneChanged(bool alone);
    void sliceChanged(qint64 slice);
    void gainStep(double factor);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void changed();
    void goToTheMiddle();  ///< of the first region
    void choose(int region);
    void stepSlice(std::int64_t by);
    QString describe(const QPoint& at) const;

    std::shared_ptr<const StudiedRegions> content_;
    QString emptyText_;
    std::vector<double> gains_;
    RegionView view_;
    Shape shapeSeen_;
    int channel_ = 0, selected_ = 0;
    int wheel_ = 0;   ///< wheel angle not yet used, in eighths of a degree
    QImage picture_;  // null: must be drawn
};

}  // namespace parallax::ui
