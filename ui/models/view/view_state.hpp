// SPDX-License-Identifier: GPL-3.0-or-later
// View settings of the panes: position, zoom, and how values become colours. Panes listen to this object, never to each other.
#pragma once

#include <QObject>
#include <QPointF>
#include <QRect>
#include <QSizeF>
#include <cstdint>
#include <optional>
#include <vector>

namespace parallax::ui {

struct PixelPosition {
    std::int64_t x = 0, y = 0;
    std::int64_t z = 0;  ///< slice of a volume
    friend bool operator==(const PixelPosition&, const PixelPosition&) = default;
};

/// The displayed quantity of a difference.
enum class DifferenceMode {
    signedValue,  ///< B - A
    absolute,     ///< |B - A|
    relative,     ///< |B - A| / max(|A|, |B|)
    squared,      ///< (B - A)^2
    flip,         ///< FLIP or HDR-FLIP of each pixel
    ssim          ///< 1 - SSIM of each pixel
};

/// Encoding of scaled values in [0, 1] for the screen.
enum class DisplayEncoding { srgb, gamma, linear };

/// Colour maps for single values.
enum class FalseColour {
    none,
    evenRamp,   ///< from near black to light yellow, lightness rising evenly
    heat,       ///< black, red, yellow, white
    diverging,  ///< blue below the middle, dark there, orange above
    magma       ///< black, purple, orange, light yellow, lightness rising evenly; the colours of FLIP
};

/// How linear values v become display colours: v * 2^exposure + offset, where 0 is black and 1 white. Data never change.
struct DisplaySettings {
    static constexpr int kColour = -1, kLuminance = -2;            ///< instead of a channel
    static constexpr double kAutomaticRange = 0, kFullRange = -1;  ///< instead of a difference scale

    double exposure = 0;  ///< stops
    double offset = 0;
    DisplayEncoding encoding = DisplayEncoding::srgb;
    double gamma = 2.2;     ///< of DisplayEncoding::gamma
    int channel = kColour;  ///< index of the only displayed channel
    FalseColour falseColour = FalseColour::none;
    bool clippingMarks = false;                ///< mark clipped pixels with colours
    double differenceScale = kAutomaticRange;  ///< |difference| at the ends of the colour map, in units of the mode
    DifferenceMode differenceMode = DifferenceMode::signedValue;
    friend bool operator==(const DisplaySettings&, const DisplaySettings&) = default;

    /// Is a single value shown? False colours without a chosen channel show the luminance.
    bool single() const { return channel != kColour || falseColour != FalseColour::none; }
};

/// The position of a pane in its image.
struct Viewport {
    QPointF centre;    ///< image position at the middle of the pane
    double scale = 1;  ///< device pixels per image pixel
    bool fitting = true;
    QSizeF extent;  ///< of the pane's image, for panes that are not linked
};

class ViewState : public QObject {
    Q_OBJECT
public:
    static constexpr double kMinimumScale = 1.0 / 1024;
    static constexpr double kMaximumScale = 256;

    explicit ViewState(QObject* parent = nullptr) : QObject(parent) {}

    /// Linked panes show the same position; otherwise each has its own, and changes apply to the current pane.
    bool linked() const { return linked_; }
    void setLinked(bool linked);
    /// Returns the number of a new pane.
    int addPane();
    void setCurrentPane(int pane);
    void setPaneExtent(int pane, QSizeF extent);
    const Viewport& viewport(int pane) const { return linked_ ? shared_ : panes_.at(static_cast<std::size_t>(pane)); }

    /// Device pixels per image pixel: 1 is "1:1".
    double scale() const { return current().scale; }
    /// Image position at the middle of the pane.
    QPointF centre() const { return current().centre; }
    bool fitting() const { return current().fitting; }
    QSizeF imageSize() const { return imageSize_; }
    const DisplaySettings& display() const { return display_; }
    const std::optional<PixelPosition>& cursor() const { return cursor_; }

    void setImageSize(QSizeF size);
    /// Changes the size of the same image: zoom, mark and selection stay.
    void setExtent(QSizeF size);
    /// Size of one pane in device pixels, used by fit().
    void setPaneSize(QSizeF size);
    void fit();
    void setScale(double scale);
    /// Zooms around `fromMiddle` (device pixels from the middle of the pane).
    void zoomAt(QPointF fromMiddle, double factor);
    void panBy(QPointF devicePixels);
    void lookAt(QPointF imagePosition);
    /// Centres a pixel in every pane, zooms in until it is readable, and marks it.
    void goTo(PixelPosition position);
    /// The pixel that is marked in every pane.
    const std::optional<PixelPosition>& mark() const { return mark_; }
    void setMark(std::optional<PixelPosition> position);

    /// The selected rectangle of pixels, clamped to the image; null if there is none.
    const QRect& selection() const { return selection_; }
    void setSelection(const QRect& pixels);
    /// The pixels of the image that a pane shows.
    QRect visiblePixels() const;
    /// Does dragging select instead of panning?
    bool selecting() const { return selecting_; }
    void setSelecting(bool selecting);
    /// Does a click pick a pixel? The caller of setPicking(true) listens to picked() and ends picking.
    bool picking() const { return picking_; }
    void setPicking(bool picking);
    /// Emits picked() for a pixel inside the image while picking.
    void pick(PixelPosition position);
    /// Are lines and values of large pixels shown?
    bool pixelGrid() const { return pixelGrid_; }
    void setPixelGrid(bool shown);

    void setDisplay(const DisplaySettings& display);
    void setExposure(double stops);
    void setDifferenceScale(double scale);
    void setDifferenceMode(DifferenceMode mode);
    /// Sets what resetDisplay() restores; depends on the kind of image.
    void setFirstDisplay(const DisplaySettings& display) { firstDisplay_ = display; }
    const DisplaySettings& firstDisplay() const { return firstDisplay_; }
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
    const Viewport& current() const { return viewport(currentPane_); }
    Viewport& current() { return linked_ ? shared_ : panes_.at(static_cast<std::size_t>(currentPane_)); }
    QSizeF extentOf(const Viewport& viewport) const;
    void applyFit(Viewport& viewport) const;
    /// Fits those that follow the size of image or pane.
    void applyFits();

    QSizeF imageSize_, paneSize_;
    Viewport shared_;
    std::vector<Viewport> panes_;
    int currentPane_ = 0;
    bool linked_ = true;
    DisplaySettings display_, firstDisplay_;
    std::optional<PixelPosition> cursor_, mark_;
    QRect selection_;
    bool selecting_ = false, picking_ = false, pixelGrid_ = true;
};

}  // namespace parallax::ui
