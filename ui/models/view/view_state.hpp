// SPDX-License-Identifier: GPL-3.0-or-later
// What all panes share: where one looks and how values become colours. Panes listen to this object, never to each other.
#pragma once

#include <QObject>
#include <QPointF>
#include <QRect>
#include <QSizeF>
#include <cstdint>
#include <optional>

namespace parallax::ui {

struct PixelPosition {
    std::int64_t x = 0, y = 0;
    std::int64_t z = 0;  ///< slice of a volume
    friend bool operator==(const PixelPosition&, const PixelPosition&) = default;
};

/// What of B - A becomes a colour.
enum class DifferenceMode {
    signedValue,  ///< B - A
    absolute,     ///< |B - A|
    relative,     ///< |B - A| as a part of the larger of |A| and |B|
    squared       ///< (B - A)^2
};

/// From scaled values in [0, 1] to the steps of the screen.
enum class DisplayEncoding { srgb, gamma, linear };

/// Colours for one value instead of three.
enum class FalseColour {
    none,
    evenRamp,  ///< from near black to light yellow, lightness rising evenly
    heat,      ///< black, red, yellow, white
    diverging  ///< blue below the middle, dark there, orange above
};

/// How linear values v become display colours: v * 2^exposure + offset, from 0 (black) to 1 (white). View only: data never
/// change.
struct DisplaySettings {
    static constexpr int kColour = -1, kLuminance = -2;  ///< instead of a channel

    double exposure = 0;  ///< stops
    double offset = 0;
    DisplayEncoding encoding = DisplayEncoding::srgb;
    double gamma = 2.2;     ///< of DisplayEncoding::gamma
    int channel = kColour;  ///< that is shown alone, by its number in the image
    FalseColour falseColour = FalseColour::none;
    bool clippingMarks = false;  ///< what is brighter than white or darker than black gets a colour of its own
    double differenceScale = 0;  ///< |difference| at the ends of the colour map, in the unit of the mode; 0: automatic
    DifferenceMode differenceMode = DifferenceMode::signedValue;
    friend bool operator==(const DisplaySettings&, const DisplaySettings&) = default;

    /// False colours need one value: without a chosen channel it is the luminance.
    bool single() const { return channel != kColour || falseColour != FalseColour::none; }
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
    /// The same picture, shown larger or smaller than before: zoom, mark and selection stay.
    void setExtent(QSizeF size);
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

    /// Rectangle of pixels whose statistics are shown; null if there is none. Kept inside of the image.
    const QRect& selection() const { return selection_; }
    void setSelection(const QRect& pixels);
    /// Pixels that a pane shows now, inside of the image.
    QRect visiblePixels() const;
    /// Does dragging select instead of moving the image?
    bool selecting() const { return selecting_; }
    void setSelecting(bool selecting);
    /// Does a click choose a pixel instead of moving the image? Whoever asks for one listens to picked() and ends it.
    bool picking() const { return picking_; }
    void setPicking(bool picking);
    /// A person chose this pixel; outside of the image or without picking() nothing happens.
    void pick(PixelPosition position);
    /// Lines between large pixels, and their values in them.
    bool pixelGrid() const { return pixelGrid_; }
    void setPixelGrid(bool shown);

    void setDisplay(const DisplaySettings& display);
    void setExposure(double stops);
    void setDifferenceScale(double scale);
    void setDifferenceMode(DifferenceMode mode);
    /// What resetDisplay() goes back to; another one for each kind of image.
    void setFirstDisplay(const DisplaySettings& display) { firstDisplay_ = display; }
    void resetDisplay();
    void setCursor(std::optional<PixelPosition> position);

signals:
    void viewChanged();
    void displayChanged();
    void cursorChanged();
    void selectionChanged();
    void pickingChanged();
    void picked(parallax::ui::PixelPosition position);

private:
    void applyFit();

    QSizeF imageSize_, paneSize_;
    QPointF centre_;
    double scale_ = 1;
    bool fitting_ = true;
    DisplaySettings display_, firstDisplay_;
    std::optional<PixelPosition> cursor_, mark_;
    QRect selection_;
    bool selecting_ = false, picking_ = false, pixelGrid_ = true;
};

}  // namespace parallax::ui
