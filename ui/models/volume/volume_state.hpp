// SPDX-License-Identifier: GPL-3.0-or-later
// What all planes of a volume share: the crosshair, where one looks and how large, slabs and sides. What values look like is in
// ViewState. Only what is shown: data never change.
#pragma once

#include <QObject>
#include <QPointF>
#include <QSizeF>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/image/image.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/models/volume/volume_frame.hpp"
#include "ui/models/volume/volume_slice.hpp"

namespace parallax::ui {

/// Which planes are shown.
enum class PlaneChoice { all, axial, coronal, sagittal };
std::vector<PlaneKind> shownPlanes(PlaneChoice choice);

class VolumeState : public QObject {
    Q_OBJECT
public:
    static constexpr double kLargestSlab = 1000;  ///< mm

    explicit VolumeState(QObject* parent = nullptr) : QObject(parent) {}

    const VolumeFrame& frame() const { return frame_; }
    /// The crosshair goes to the middle and everything fits again, unless the new volume lies where the last one lay.
    void setFrame(const VolumeFrame& frame);

    const Voxel& crosshair() const { return crosshair_; }
    /// Kept inside of the volume.
    void setCrosshair(const Voxel& voxel);
    /// Moves it by slices of a plane: positive goes to the head, the front or the patient's right.
    void scroll(PlaneKind kind, std::int64_t slices);
    PlaneAxes axes(PlaneKind kind) const { return frame_.plane(kind, radiological_); }
    /// The slices along a voxel axis that the slab around the crosshair covers: those whose centres are no farther away than
    /// half its thickness.
    std::pair<std::int64_t, std::int64_t> slab(int axis) const;
    SlabMode slabMode() const { return slabMode_; }
    double slabThickness() const { return slabThickness_; }
    void setSlabMode(SlabMode mode);
    void setSlabThickness(double mm);
    bool radiological() const { return radiological_; }
    void setRadiological(bool on);
    /// Are samples interpolated between voxel centres for the screen? Else each voxel is a rectangle.
    bool smooth() const { return smooth_; }
    void setSmooth(bool on);
    bool crosshairShown() const { return crosshairShown_; }
    void setCrosshairShown(bool on);
    /// Small values bright.
    bool inverted() const { return inverted_; }
    void setInverted(bool on);
    PlaneChoice planes() const { return planes_; }
    void setPlanes(PlaneChoice planes);

    /// Device pixels a mm, in every plane.
    double scale() const { return scale_; }
    bool fitting() const { return fitting_; }
    /// mm along a voxel axis at the middle of every pane.
    double centre(int axis) const { return centre_[static_cast<std::size_t>(axis)]; }
    /// Device pixels of one pane: what "fit" fits the shown planes into.
    void setPaneSize(QSizeF size);
    /// The scale at which all shown planes fit into panes of this size.
    double fittingScale(QSizeF pane) const;
    void fit();
    void setScale(double scale);
    /// One voxel of the finest axis is one pixel of the screen.
    void setActualSize() { setScale(1 / frame_.finestSpacing()); }
    /// Keeps the place under `fromMiddle` (device pixels from the middle of a pane of this plane) where it is.
    void zoomAt(PlaneKind kind, QPointF fromMiddle, double factor);
    void panBy(PlaneKind kind, QPointF devicePixels);
    /// mm along the plane's voxel axes u and v of a place in a pane, and back; device pixels from its middle.
    QPointF mmAt(const PlaneAxes& axes, QPointF fromMiddle) const;
    QPointF placeOf(const PlaneAxes& axes, QPointF mm) const;
    /// The voxel that a pane of this plane shows there; nothing outside of the volume.
    std::optional<Voxel> voxelAt(PlaneKind kind, QPointF fromMiddle) const;

signals:
    void frameChanged();
    void crosshairChanged();
    void viewChanged();     ///< where one looks
    void optionsChanged();  ///< slab, sides, smoothness, crosshair, inverted
    void planesChanged();

private:
    void applyFit();
    template <class T>
    void change(T& member, const T& value) {
        if (member == value) return;
        member = value;
        emit optionsChanged();
    }

    VolumeFrame frame_;
    Voxel crosshair_{0, 0, 0};
    SlabMode slabMode_ = SlabMode::slice;
    double slabThickness_ = 10;
    bool radiological_ = true, smooth_ = true, crosshairShown_ = true, inverted_ = false;
    PlaneChoice planes_ = PlaneChoice::all;
    QSizeF paneSize_;
    double scale_ = 1;
    std::array<double, 3> centre_{};
    bool fitting_ = true;
};

/// Are the samples values of their own, as those of CT, and no light? So they are in volumes and in single slices of them: shown grey by
/// a window, linear, instead of by an exposure.
bool holdsMeasurements(const Image& image);

/// A range of values that is usual for a tissue.
struct WindowPreset {
    QString id, name;
    double centre = 0, width = 1;
};
/// Of CT, in Hounsfield units, and what the file proposes.
std::vector<WindowPreset> windowPresets(const Image* image);
/// Grey from black at centre - width/2 to white at centre + width/2, linear in the values.
DisplaySettings withWindow(DisplaySettings settings, double centre, double width);
double windowCentre(const DisplaySettings& settings);
double windowWidth(const DisplaySettings& settings);
/// What measurements are shown with at first: as their file proposes, else from their values.
DisplaySettings firstDisplay(const Image& image);
/// The unit of the samples, "HU"; empty if it is not known.
QString sampleUnit(const Image* image);

}  // namespace parallax::ui
