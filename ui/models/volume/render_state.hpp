// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the renderings beside the planes, which all of them share: mode and camera are those of the operation `render`.
#pragma once

#include <QObject>
#include <QPointF>
#include <array>
#include <string>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/operations/render/rays.hpp"
#include "ui/models/volume/volume_frame.hpp"

namespace parallax::ui {

class RenderState : public QObject {
    Q_OBJECT
public:
    static constexpr double kStartZoom = 0.85;                         ///< so that a turned volume fits
    static constexpr double kStartAzimuth = 30, kStartElevation = 20;  ///< degrees from the front

    /// `render` is the operation.
    explicit RenderState(const Operation& render, QObject* parent = nullptr);

    const Operation& operation() const { return operation_; }
    /// Without the size of the picture, which each pane adds.
    const ParameterBlock& parameters() const { return parameters_; }
    bool shown() const { return shown_; }
    void setShown(bool shown);

    /// The step with these parameters, as in recipes; empty while no rendering is shown.
    QString kept() const;
    /// Shows renderings with the parameters of kept(), or hides them. Ignores a text that is no such step.
    void restore(const Catalog& catalog, const QString& kept);

    /// Throws Error(usage) for a value that the operation refuses.
    void set(const std::string& key, const ParameterValue& value);
    /// `level`: threshold of a surface as long as none was chosen, such as the middle of the displayed window.
    void setMode(const std::string& key, double level);
    void apply(const ParameterPreset& preset);
    /// Looks along an axis of the volume: a key of the parameter `view`.
    void lookAlong(const std::string& view);
    /// The camera that resetCamera() restores: obliquely from the front and above, as far as the axes of the volume allow.
    void startFrom(const Image& image, const VolumeFrame& frame);
    void resetCamera();
    /// Turns the volume of the camera `from` to the right and down, by degrees. The elevation stays within a quarter turn.
    void turn(const ParameterBlock& from, double right, double down);
    /// Moves the volume of the camera `from` by shares of the width and height of the picture.
    void pan(const ParameterBlock& from, QPointF by);
    /// Magnifies around a point, given as shares of the picture from its middle.
    void zoom(double factor, QPointF around = {});

signals:
    void changed();
    void shownChanged();

private:
    double number(const char* key) const { return std::get<double>(parameters_.get(key)); }
    /// Within the range of the parameter, rounded to `unit` so that recipes stay readable.
    void setNumber(const char* key, double value, double unit);

    const Operation& operation_;
    ParameterBlock parameters_;
    std::string startView_ = "xz";
    double startAzimuth_ = kStartAzimuth;
    bool shown_ = false, thresholdChosen_ = false;
};

/// Rays of a picture of the volume; only geometry and camera count. Throws Error(usage).
render::RayFrame rayFrame(const Image& volume, const ParameterBlock& parameters);
/// The pixel, with fractions, in which the picture shows a place in index coordinates of the volume.
QPointF pixelOf(const render::RayFrame& frame, const std::array<double, 3>& index);

}  // namespace parallax::ui
