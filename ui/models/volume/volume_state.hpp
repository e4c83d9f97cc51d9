// SPDX-License-Identifier: GPL-3.0-or-later
// View settings that all planes of a volume share: crosshair, position, zoom, slab and orientation. ViewState holds how values are shown.
#pragma once

#include <QObject>
#include <QPointF>
#include <QSizeF>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/image/image.hpp"
#include "ui/models/regions/sample_box.hpp"
#include "ui/models/view/view_state.hpp"
#include "ui/models/volume/measurement.hpp"
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
    /// Moves the crosshair to the middle and fits the view, unless the new volume has the same geometry as the last one.
    void setFrame(const VolumeFrame& frame);

    const Voxel& crosshair() const { return crosshair_; }
    /// Clamped to the volume.
    void setCrosshair(const Voxel& voxel);
    /// Moves the crosshair by slices of a plane; positive is towards the head, the front or the patient's right.
    void scroll(PlaneKind kind, std::int64_t slices);
    PlaneAxes axes(PlaneKind kind) const { return frame_.plane(kind, radiological_); }
    /// The first and the last slice of the slab along a voxel axis: centres are within half its thickness from the crosshair.
    std::pair<std::int64_t, std::int64_t> slab(int axis) const;
    SlabMode slabMode() const { return slabMode_; }
    double slabThickness() const { return slabThickness_; }
    void setSlabMode(SlabMode mode);
    void setSlabThickness(double mm);
    bool radiological() const { return radiological_; }
    void setRadiological(bool on);
    /// Are samples interpolated between voxel centres? Otherwise each voxel is drawn as a rectangle.
    bool smooth() const { return smooth_; }
    void setSmooth(bool on);
    bool crosshairShown() const { return crosshairShown_; }
    void setCrosshairShown(bool on);
    /// Are small values shown bright?
    bool inverted() const { return inverted_; }
    void setInverted(bool on);
    /// Does dragging measure instead of moving the crosshair?
    bool measuring() const { return measuring_; }
    void setMeasuring(bool on) { change(measuring_, on); }
    /// The last measurement; all panes show it.
    const std::optional<Measurement>& measurement() const { return measurement_; }
    void setMeasurement(std::optional<Measurement> measurement);
    /// The selected box of voxels; all panes show it.
    const std::optional<SampleBox>& box() const { return box_; }
    /// Keeps the part of a box inside the volume.
    void setBox(const std::optional<SampleBox>& box);
    PlaneChoice planes() const { return planes_; }
    void setPlanes(PlaneChoice planes);

    /// Device pixels per mm, in every plane.
    double scale() const { return scale_; }
    bool fitting() const { return fitting_; }
    /// Position at the middle of every pane, in mm along a voxel axis.
    double centre(int axis) const { return centre_[static_cast<std::size_t>(axis)]; }
    /// Size of one pane in device pixels, used by fit().
    void setPaneSize(QSizeF size);
    /// Returns the scale at which all shown planes fit into panes of this size.
    double fittingScale(QSizeF pane) const;
    void fit();
    void setScale(double scale);
    /// Shows this position, in mm along the voxel axes, at the middle of every pane.
    void lookAt(const std::array<double, 3>& mm);
    /// Shows one voxel of the finest axis per screen pixel.
    void setActualSize() { setScale(1 / frame_.finestSpacing()); }
    /// Zooms around `fromMiddle` (device pixels from the middle of a pane of this plane).
    void zoomAt(PlaneKind kind, QPointF fromMiddle, double factor);
    void panBy(PlaneKind kind, QPointF devicePixels);
    /// Converts a position in a pane (device pixels from its middle) to mm along the plane's axes u and v, and back.
    QPointF mmAt(const PlaneAxes& axes, QPointF fromMiddle) const;
    QPointF placeOf(const PlaneAxes& axes, QPointF mm) const;
    /// Returns the voxel at a position in a pane; nothing outside the volume.
    std::optional<Voxel> voxelAt(PlaneKind kind, QPointF fromMiddle) const;

signals:
    void frameChanged();
    void crosshairChanged();
    void viewChanged();     ///< position or zoom
    void optionsChanged();  ///< slab, orientation, smoothness, crosshair, inversion
    void planesChanged();
    void measurementChanged();
    void boxChanged();

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
    bool radiological_ = true, smooth_ = true, crosshairShown_ = true, inverted_ = false, measuring_ = false;
    std::optional<Measurement> measurement_;
    std::optional<SampleBox> box_;
    PlaneChoice planes_ = PlaneChoice::all;
    QSizeF paneSize_;
    double scale_ = 1;
    std::array<double, 3> centre_{};
    bool fitting_ = true;
};

/// Are the samples measurements (such as CT) instead of light? True for volumes and single slices of them, which are shown as linear grey
/// through a window instead of an exposure.
bool holdsMeasurements(const Image& image);

/// A named range of values, such as one for a tissue.
struct WindowPreset {
    QString id, name;
    double centre = 0, width = 1;
};
/// Returns the windows stored in the file, an automatic one, and those for tissues in CT (Hounsfield units).
std::vector<WindowPreset> windowPresets(const Image* image);
/// Sets linear grey from black at centre - width/2 to white at centre + width/2.
DisplaySettings withWindow(DisplaySettings settings, double centre, double width);
double windowCentre(const DisplaySettings& settings);
double windowWidth(const DisplaySettings& settings);
/// The initial display of measurements: the window stored in the file, else an automatic one.
DisplaySettings firstDisplay(const Image& image);
/// The first display of a result that is another quantity than its input (see ChangesQuantity): its own range, evenly.
DisplaySettings quantityDisplay(const Image& result);
/// The unit of the samples, such as "HU"; empty if unknown.
QString sampleUnit(const Image* image);

}  // namespace parallax::ui
