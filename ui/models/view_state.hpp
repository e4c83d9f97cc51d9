// SPDX-License-Identifier: GPL-3.0-or-later
// What all panes share: where one looks and how values become colours. Panes listen to this object, never to each other.
#pragma once

#include <QObject>
#include <QPointF>
#include <QSizeF>
#include <cstdint>
#include <optional>

namespace parallax::ui {

struct PixelPosition {
    std::int64_t x = 0, y = 0;
    friend bool operator==(const PixelPosition&, const PixelPosition&) = default;
};

/// What of B - A becomes a colour.
enum class DifferenceMode {
    signedValue,  ///< B - A
    absolute,     ///< |B - A|
    relative,     ///< |B - A| as a part of the larger of |A| and |B|
    squared       ///< (B - A)^2
};

/// How linear values become display colours. View only: data never change.
struct DisplaySettings {
    double exposure = 0;         ///< stops
    double differenceScale = 0;  ///< |difference| at the ends of the colour map, in the unit of the mode; 0: automatic
    DifferenceMode differenceMode = DifferenceMode::signedValue;
    friend bool operator==(const DisplaySettings&, const DisplaySettings&) = default;
};

class ViewState : public QObject {
    Q_OBJECT
public:
    static constexpr double kMinimumScale = 1.0 / 1024;
    static constexpr double kMaximumScale = 256;

    explicit ViewState(QObject* parent = nullptr) : QObject(parent) {}

    /// Device pixels per image pixel: 1 is "1:1".
    double scale() const { return scale_; }
    /// Image position at the middle of every pane.
    QPointF centre() const { return centre_; }
    bool fitting() const { return fitting_; }
    QSizeF imageSize() const { return imageSize_; }
    const DisplaySettings& display() const { return display_; }
    const std::optional<PixelPosition>& cursor() const { return cursor_; }

    void setImageSize(QSizeF size);
    /// Device pixels of one pane: what "fit" fits into.
    void setPaneSize(QSizeF size);
    void fit();
    void setScale(double scale);
    /// Keeps the image position under `fromMiddle` (device pixels from the middle of the pane) where it is.
    void zoomAt(QPointF fromMiddle, double factor);
    void panBy(QPointF devicePixels);
    void lookAt(QPointF imagePosition);
    /// Brings a pixel to the middle of every pane, large enough to be told from its neighbours, and marks it.
    void goTo(PixelPosition position);
    /// The pixel that is marked in every pane.
    const std::optional<PixelPosition>& mark() const { return mark_; }
    void setMark(std::optional<PixelPosition> position);

    void setExposure(double stops);
    void setDifferenceScale(double scale);
    void setDifferenceMode(DifferenceMode mode);
    void resetDisplay();
    void setCursor(std::optional<PixelPosition> position);

signals:
    void viewChanged();
    void displayChanged();
    void cursorChanged();

private:
    void applyFit();

    QSizeF imageSize_, paneSize_;
    QPointF centre_;
    double scale_ = 1;
    bool fitting_ = true;
    DisplaySettings display_;
    std::optional<PixelPosition> cursor_, mark_;
};

}  // namespace parallax::ui
