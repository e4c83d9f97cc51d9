// SPDX-License-Identifier: GPL-3.0-or-later
// Shows a rendering of one volume, computed by the operation `render` in the background, on a GPU if there is one: coarse while something
// changes, so that pictures follow the mouse, then in the resolution of the screen. Camera and mode come from the shared state, which
// mouse, wheel and keys change.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "ui/canvas/image_pane.hpp"
#include "ui/models/volume/render_state.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/session/background.hpp"
#include "ui/volume/live_renderer.hpp"
#include "ui/volume/render_bar.hpp"

namespace parallax::ui {

class RenderPane : public QWidget {
    Q_OBJECT
public:
    /// For the pictures of all panes together while something changes: the CPU has other work, too.
    static constexpr int kFrameMilliseconds = 65, kDeviceFrameMilliseconds = 25;

    RenderPane(const Engine& engine, RenderState& render, VolumeState& volume, ViewState& view, Background& work, QWidget* parent);

    /// Null: nothing to render, because of `notice`.
    void setImage(const ImagePtr& image, const QString& notice);
    /// `outdated`: dims the picture, since a newer volume is being computed.
    void setLabel(const PaneLabel& label, bool outdated);
    const PaneLabel& label() const { return label_; }
    void setAnnotated(bool annotated);
    /// Marks the pane whose settings the Pipeline panel shows.
    void setActive(bool active);
    /// The pane may use this share of the time for pictures while something changes.
    void setShare(double share) { share_ = share; }
    /// Computes nothing while others measure, and keeps no memory of a device.
    void setPaused(bool paused);
    /// Is the picture that of the present camera, in full resolution?
    bool settled() const { return !image_ || !error_.isEmpty() || current(); }

    /// The last picture, as the operation made it; null if there is none.
    const ImagePtr& picture() const { return picture_; }
    /// The backend that rendered it.
    const std::string& backend() const { return backend_; }
    /// Parameters of that picture, with its size.
    const ParameterBlock& pictureParameters() const { return made_; }
    /// Parameters of the full picture of the present camera.
    ParameterBlock fullParameters() const;
    /// Where the shown picture has a voxel, in pixels of the widget.
    std::optional<QPointF> placeOf(const Voxel& voxel) const;
    /// The pane without its controls.
    QImage pictureShown();
    RenderBar& bar() { return *bar_; }
    const ImagePtr& image() const { return image_; }
    QSize sizeHint() const override { return {320, 320}; }
    QSize minimumSizeHint() const override { return {80, 80}; }

signals:
    void pictureChanged();
    void addStepRequested();
    void curveRequested();
    /// The user wants to see only this pane, or all panes again.
    void aloneRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { none, turn, pan };
    /// live: while something changes, coarse unless the full picture takes no longer.
    enum class Running { nothing, live, full };
    struct Outcome {
        LiveRenderer::Picture picture;
        QImage light;  ///< the picture, if its samples are colours
        QString error;
        double milliseconds = 0;
    };
    bool current() const { return picture_ && pictured_ == image_ && made_ == fullParameters(); }
    /// Something has changed: asks for a coarse picture now, and for the full one when nothing has changed for a moment.
    void touch();
    void rest();
    void cancel();
    /// Cancels, and renders from nothing next time: the device of a volume gets its memory back.
    void release();
    void start(bool live);
    void take(const ParameterBlock& parameters, bool coarse, Outcome outcome);
    double budget() const { return share_ * (onDevice_ ? kDeviceFrameMilliseconds : kFrameMilliseconds); }
    void showBackend(const LiveRenderer::Picture& picture);
    /// Parameters of a smaller picture with a longer step.
    ParameterBlock quickParameters() const;
    bool showsLight() const;
    /// Colours values in the unit of the volume as the planes do.
    void updateColours();
    QPointF placeOf(const std::array<double, 3>& index) const;
    QSizeF dragSize() const { return QSizeF(std::max(1, width()), std::max(1, height())); }
    void paintCrosshair(QPainter& painter) const;
    void paintNotice(QPainter& painter) const;
    void paintTexts(QPainter& painter) const;
    QString cameraText() const;

    Engine engine_;
    RenderState& render_;
    VolumeState& volume_;
    ViewState& view_;
    Background& work_;
    const std::string key_;
    RenderBar* bar_;
    QTimer rest_;
    ImagePtr image_, pictured_, picture_;     ///< the volume, that of the picture, and the picture
    std::shared_ptr<LiveRenderer> renderer_;  ///< of image_, used by one picture at a time in the background
    std::string backend_;
    QString backendText_;
    ParameterBlock made_;
    render::RayFrame frame_{};  ///< of the picture
    QImage shown_;
    PaneLabel label_;
    QString notice_, error_;
    Running running_ = Running::nothing;
    QElapsedTimer sinceStart_;
    double share_ = 1, reduction_ = 4, fullMilliseconds_ = 0;
    bool paused_ = false, annotated_ = true, active_ = false, outdated_ = false, onDevice_ = false, processorOnly_ = false;
    bool behind_ = false;  ///< the running live picture is of an older camera
    Drag drag_ = Drag::none;
    QPointF from_;
    ParameterBlock cameraFrom_;
};

}  // namespace parallax::ui
