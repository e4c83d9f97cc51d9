// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/render_pane.hpp"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QWheelEvent>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/operations/render/parameters.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/theme/theme.hpp"
#include "ui/volume/coarse_volume.hpp"
#include "ui/volume/plane_renderer.hpp"

namespace parallax::ui {
namespace {

constexpr int kRestMilliseconds = 200;  // without a change, before the full picture
constexpr int kSlowMilliseconds = 400;  // after which a coarse picture is given up for a newer camera
constexpr double kMaxReduction = 12;    // of width and height of a coarse picture
constexpr double kCoarseStep = 2;       // times the step of the full picture
constexpr double kLargestStep = 8;      // that the operation accepts
constexpr double kDegreesAcross = 180;  // of a drag across the shorter side
constexpr double kKeyDegrees = 5, kKeyZoom = 1.1;
constexpr double kAxisShare = 0.06;  // half a line of the crosshair, as a share of the longest side of the volume
const QColor kText(228, 228, 232), kCrosshair(255, 214, 64, 220);

/// Are the samples of the picture colours, instead of values in the unit of the volume?
bool isLight(const ParameterBlock& parameters) { return parameters.as<RenderParameters>().mode >= RenderMode::surface; }

/// Linear light as the screen shows it.
QImage lightPicture(const View<const float>& light) {
    const DisplayCurve curve{DisplaySettings{}};
    QImage image(static_cast<int>(light.shape.width), static_cast<int>(light.shape.height), QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) {
        auto* out = reinterpret_cast<QRgb*>(image.scanLine(y));
        const auto level = [&](int x, int c) { return std::max(0, curve.step(light.at(x, y, 0, c))); };
        for (int x = 0; x < image.width(); ++x) out[x] = qRgb(level(x, 0), level(x, 1), level(x, 2));
    }
    return image;
}

/// The first channel of a projection, in the colours of the planes.
QImage valuePicture(const View<const float>& values, const PlaneColours& colours) {
    QImage image(static_cast<int>(values.shape.width), static_cast<int>(values.shape.height), QImage::Format_RGB32);
    for (int y = 0; y < image.height(); ++y) colours.row(values.row(y, 0), image.width(), reinterpret_cast<QRgb*>(image.scanLine(y)), y);
    return image;
}

ParameterBlock sized(ParameterBlock parameters, QSizeF size) {
    const auto pixels = [](double side) { return std::clamp<std::int64_t>(std::llround(side), 1, 32768); };
    parameters.set("width", pixels(size.width()));
    parameters.set("height", pixels(size.height()));
    return parameters;
}

}  // namespace

RenderPane::RenderPane(const Engine& engine, RenderState& render, VolumeState& volume, ViewState& view, Background& work, QWidget* parent)
    : QWidget(parent),
      engine_(engine),
      render_(render),
      volume_(volume),
      view_(view),
      work_(work),
      key_(std::to_string(reinterpret_cast<std::uintptr_t>(this))),
      bar_(new RenderBar(render, view, this)),
      processorOnly_(Settings::instance().rendersOnProcessor()) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setCursor(Qt::OpenHandCursor);
    setAccessibleName(tr("Rendering"));
    showBackend({});
    rest_.setSingleShot(true);
    rest_.setInterval(kRestMilliseconds);
    connect(&rest_, &QTimer::timeout, this, &RenderPane::rest);
    connect(&render_, &RenderState::changed, this, &RenderPane::touch);
    const auto recolour = [this] {
        if (picture_ && !showsLight()) updateColours();
        update();
    };
    connect(&view_, &ViewState::displayChanged, this, recolour);
    connect(&Settings::instance(), &Settings::changed, this, [this, recolour] {
        recolour();
        const bool processorOnly = Settings::instance().rendersOnProcessor();
        if (std::exchange(processorOnly_, processorOnly) == processorOnly) return;
        release();
        pictured_.reset();
        touch();
    });
    connect(&volume_, &VolumeState::optionsChanged, this, recolour);
    connect(&volume_, &VolumeState::crosshairChanged, this, qOverload<>(&QWidget::update));
    connect(bar_, &RenderBar::addStepRequested, this, &RenderPane::addStepRequested);
    connect(bar_, &RenderBar::curveRequested, this, &RenderPane::curveRequested);
    connect(bar_, &RenderBar::aloneRequested, this, &RenderPane::aloneRequested);
    bar_->move(6, 6);
}

void RenderPane::setImage(const ImagePtr& image, const QString& notice) {
    notice_ = notice;
    bar_->setVisible(image != nullptr);
    if (image != image_) {
        image_ = image;
        release();
        if (image) {
            bar_->setUnit(sampleUnit(image.get()));
        } else {
            pictured_.reset();
            picture_.reset();
            shown_ = {};
        }
        touch();
    }
    update();
}

void RenderPane::setLabel(const PaneLabel& label, bool outdated) {
    label_ = label;
    outdated_ = outdated;
    update();
    setAccessibleName(tr("Rendering, %1 %2").arg(label.badge, label.title));
}

void RenderPane::setActive(bool active) {
    if (active == active_) return;
    active_ = active;
    update();
}

void RenderPane::setAnnotated(bool annotated) {
    annotated_ = annotated;
    update();
}

void RenderPane::setPaused(bool paused) {
    if (paused == paused_) return;
    paused_ = paused;
    if (paused) release();
    else touch();
}

ParameterBlock RenderPane::fullParameters() const { return sized(render_.parameters(), QSizeF(size()) * devicePixelRatioF()); }

ParameterBlock RenderPane::quickParameters() const {
    ParameterBlock coarse = sized(render_.parameters(), QSizeF(size()) * devicePixelRatioF() / reduction_);
    coarse.set("step", std::min(kLargestStep, std::get<double>(coarse.get("step")) * kCoarseStep));
    return coarse;
}

void RenderPane::cancel() {
    work_.cancel(key_);
    rest_.stop();
    running_ = Running::nothing;
}

void RenderPane::release() {
    cancel();
    renderer_.reset();
    fullMilliseconds_ = 0;
}

void RenderPane::touch() {
    error_.clear();
    if (!image_ || paused_ || !isVisible() || current()) return update();
    if (picture_ && made_.as<RenderParameters>().mode != render_.parameters().as<RenderParameters>().mode) fullMilliseconds_ = 0;
    rest_.start();
    // A stream of changes must not cancel every picture: the running one is delivered, and its successor has the newest camera.
    const bool slow = running_ == Running::live && sinceStart_.elapsed() >= kSlowMilliseconds;
    if (slow) reduction_ = std::min(2 * reduction_, kMaxReduction);
    behind_ = running_ == Running::live && !slow;
    if (!behind_) start(true);
}

void RenderPane::rest() {
    if (!image_ || paused_ || !isVisible() || current()) return;
    if (running_ == Running::full) return;
    // A picture comes soon.
    if (running_ == Running::live && sinceStart_.elapsed() < kSlowMilliseconds) return rest_.start();
    start(false);
}

void RenderPane::start(bool live) {
    const bool coarse = live && !(fullMilliseconds_ > 0 && fullMilliseconds_ <= budget());
    const ParameterBlock parameters = coarse ? quickParameters() : fullParameters();
    running_ = live ? Running::live : Running::full;
    behind_ = false;
    sinceStart_.start();
    if (!renderer_)
        renderer_ = std::make_shared<LiveRenderer>(engine_, render_.operation(), image_, processorOnly_, Settings::instance().device());
    work_.request(
        key_,
        [renderer = renderer_, parameters, coarse](const std::stop_token& stop) {
            Outcome outcome;
            const auto begin = std::chrono::steady_clock::now();
            guarded(
                {},
                [&] {
                    RunContext context{.stop = stop};
                    outcome.picture = renderer->render(parameters, coarse, context);
                    if (isLight(parameters)) outcome.light = lightPicture(outcome.picture.image->view());
                },
                [&](ErrorCode, const Message& message) { outcome.error = message.plainText(); });
            outcome.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
            return outcome;
        },
        [this, self = QPointer<RenderPane>(this), renderer = renderer_, parameters, coarse](Outcome outcome) {
            if (!self || renderer != renderer_) return;
            take(parameters, coarse, std::move(outcome));
        });
}

void RenderPane::take(const ParameterBlock& parameters, bool coarse, Outcome outcome) {
    running_ = Running::nothing;
    if (!outcome.picture.image) {
        error_ = outcome.error;
        shown_ = {};
        picture_.reset();
        rest_.stop();
        return update();
    }
    showBackend(outcome.picture);
    picture_ = std::move(outcome.picture.image);
    pictured_ = image_;
    made_ = parameters;
    frame_ = rayFrame(*image_, parameters);
    if (!outcome.picture.first) {
        // The time follows the number of pixels.
        const double slower = outcome.milliseconds / budget();
        if (!coarse) fullMilliseconds_ = outcome.milliseconds;
        else if (slower > 1.2 || slower < 0.7)
            reduction_ = std::clamp(reduction_ * std::sqrt(std::clamp(slower, 0.25, 9.0)), 1.0, kMaxReduction);
    }
    if (showsLight()) shown_ = std::move(outcome.light);
    else updateColours();
    update();
    emit pictureChanged();
    if (behind_ && !current()) start(true);
}

void RenderPane::showBackend(const LiveRenderer::Picture& picture) {
    onDevice_ = picture.onDevice;
    backend_ = picture.backend;
    backendText_ = QString::fromStdString(backend_);
    QStringList tip{
        tr("Drag, arrow keys: turn. Wheel, + and −: zoom. Middle drag or Shift+drag: pan. Double click or Home: initial camera. "
           "Enter: single pane or all panes.")};
    if (!backend_.empty()) tip.prepend(tr("Rendering of the volume by %1.").arg(backendText_));
    if (picture.fallback) {
        tip << tr("The GPU is not used: %1").arg(picture.fallback->message.plainText());
        backendText_ =
            (picture.fallback->code == ErrorCode::memory ? tr("%1, GPU memory is short") : tr("%1, the GPU failed")).arg(backendText_);
    }
    setToolTip(tip.join(QLatin1Char(' ')));
    setAccessibleDescription(backendText_);
}

void RenderPane::updateColours() {
    const PlaneColours colours({.difference = false, .display = view_.display(), .dithered = Settings::instance().dithers()},
                               volume_.inverted());
    shown_ = valuePicture(picture_->view(), colours);
}

bool RenderPane::showsLight() const { return isLight(made_); }

std::optional<QPointF> RenderPane::placeOf(const Voxel& voxel) const {
    const Voxel n = volume_.frame().counts();
    if (!picture_ || !pictured_) return {};
    const Shape& volume = pictured_->shape();
    if (n != Voxel{volume.width, volume.height, volume.depth}) return {};
    return placeOf(std::array{static_cast<double>(voxel[0]), static_cast<double>(voxel[1]), static_cast<double>(voxel[2])});
}

QPointF RenderPane::placeOf(const std::array<double, 3>& index) const {
    const QPointF pixel = pixelOf(frame_, index);
    return {(pixel.x() + 0.5) / static_cast<double>(picture_->shape().width) * width(),
            (pixel.y() + 0.5) / static_cast<double>(picture_->shape().height) * height()};
}

QImage RenderPane::pictureShown() {
    QImage image((QSizeF(size()) * devicePixelRatioF()).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(devicePixelRatioF());
    render(&image, {}, {}, DrawWindowBackground);
    return image;
}

void RenderPane::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Qt::black);
    if (!shown_.isNull()) {
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.setOpacity(outdated_ ? 0.75 : 1);
        painter.drawImage(rect(), shown_);
        painter.setOpacity(1);
        painter.setRenderHint(QPainter::Antialiasing);
        if (volume_.crosshairShown()) paintCrosshair(painter);
        if (annotated_) paintTexts(painter);
    }
    paintNotice(painter);
    const Theme& theme = currentTheme();
    if (hasFocus() || active_ || theme.highContrast)  // black panes in a black window
        paintFrame(painter, rect(), hasFocus() || active_ ? theme.accent : theme.border, active_);
}

void RenderPane::paintCrosshair(QPainter& painter) const {
    const Voxel& voxel = volume_.crosshair();
    const std::optional<QPointF> middle = placeOf(voxel);
    if (!middle) return;
    const Voxel n = volume_.frame().counts();
    double longest = 0;
    for (std::size_t a = 0; a < 3; ++a) longest = std::max(longest, static_cast<double>(n[a]) * frame_.spacing[a]);
    const auto endOf = [&](int axis, double mm) {
        std::array<double, 3> index{static_cast<double>(voxel[0]), static_cast<double>(voxel[1]), static_cast<double>(voxel[2])};
        index[static_cast<std::size_t>(axis)] += mm / frame_.spacing[axis];
        return placeOf(index);
    };
    painter.setBrush(Qt::NoBrush);
    for (const auto& [colour, thick] : {std::pair{QColor(0, 0, 0, 130), 3.5}, std::pair{kCrosshair, 1.3}}) {
        painter.setPen(QPen(colour, thick));
        for (int axis = 0; axis < 3; ++axis) painter.drawLine(endOf(axis, -kAxisShare * longest), endOf(axis, kAxisShare * longest));
        painter.drawEllipse(*middle, 4, 4);
    }
}

void RenderPane::paintTexts(QPainter& painter) const {
    const QFontMetrics metrics(font());
    const auto paint = [&](const QString& text, int x) {
        paintShadowed(painter, QRect(x, height() - metrics.height() - 5, metrics.horizontalAdvance(text) + 6, metrics.height() + 2), text,
                      kText);
    };
    const QString camera = cameraText();
    paint(camera, 4);
    const QString backend = metrics.elidedText(backendText_, Qt::ElideRight, width() - metrics.horizontalAdvance(camera) - 20);
    paint(backend, width() - metrics.horizontalAdvance(backend) - 10);
}

QString RenderPane::cameraText() const {
    const QLocale locale;
    const auto degrees = [&](const char* key) { return locale.toString(std::get<double>(made_.get(key)), 'f', 0); };
    const QString full = tr("Azimuth %1°, elevation %2°").arg(degrees("azimuth"), degrees("elevation"));
    if (fontMetrics().horizontalAdvance(full) + fontMetrics().horizontalAdvance(backendText_) + 24 <= width()) return full;
    return QStringLiteral("%1°, %2°").arg(degrees("azimuth"), degrees("elevation"));
}

void RenderPane::paintNotice(QPainter& painter) const {
    const QString text = !notice_.isEmpty()          ? notice_
                         : !error_.isEmpty()         ? error_
                         : image_ && shown_.isNull() ? tr("Rendering …")
                                                     : QString();
    if (text.isEmpty()) return;
    const QRect area = rect().adjusted(24, 40, -24, -24);
    paintBox(painter, painter.boundingRect(area, Qt::AlignCenter | Qt::TextWordWrap, text).adjusted(-10, -6, 10, 6));
    painter.setPen(kText);
    painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, text);
}

void RenderPane::resizeEvent(QResizeEvent*) {
    fullMilliseconds_ = 0;
    bar_->fit(width() - 12);
    touch();
}

void RenderPane::showEvent(QShowEvent*) { touch(); }

void RenderPane::hideEvent(QHideEvent*) { release(); }

void RenderPane::wheelEvent(QWheelEvent* event) {
    const int delta = event->angleDelta().y();
    if (delta == 0) return event->ignore();
    event->accept();
    const QPointF from = event->position() - QPointF(width() / 2.0, height() / 2.0);
    render_.zoom(std::pow(2.0, delta / 360.0), {from.x() / dragSize().width(), from.y() / dragSize().height()});
}

void RenderPane::mousePressEvent(QMouseEvent* event) {
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && shift)) drag_ = Drag::pan;
    else if (event->button() == Qt::LeftButton) drag_ = Drag::turn;
    else return event->ignore();
    from_ = event->position();
    cameraFrom_ = render_.parameters();
    setCursor(Qt::ClosedHandCursor);
}

void RenderPane::mouseMoveEvent(QMouseEvent* event) {
    const QPointF way = event->position() - from_;
    if (drag_ == Drag::turn) {
        const double perPixel = kDegreesAcross / std::min(dragSize().width(), dragSize().height());
        render_.turn(cameraFrom_, way.x() * perPixel, way.y() * perPixel);
    } else if (drag_ == Drag::pan) {
        render_.pan(cameraFrom_, {way.x() / dragSize().width(), way.y() / dragSize().height()});
    }
}

void RenderPane::mouseReleaseEvent(QMouseEvent*) {
    drag_ = Drag::none;
    setCursor(Qt::OpenHandCursor);
}

void RenderPane::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) render_.resetCamera();
}

void RenderPane::contextMenuEvent(QContextMenuEvent* event) {
    if (image_) bar_->menu().popup(event->reason() == QContextMenuEvent::Keyboard ? mapToGlobal(rect().center()) : event->globalPos());
    event->accept();
}

bool RenderPane::event(QEvent* event) {
    // The window has other commands for these keys.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        constexpr int own[] = {Qt::Key_Left,  Qt::Key_Right, Qt::Key_Up,   Qt::Key_Down,   Qt::Key_Plus,
                               Qt::Key_Equal, Qt::Key_Minus, Qt::Key_Home, Qt::Key_Return, Qt::Key_Enter};
        const bool plain = !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
        if (plain && std::find(std::begin(own), std::end(own), key->key()) != std::end(own)) event->accept();
    }
    return QWidget::event(event);
}

void RenderPane::keyPressEvent(QKeyEvent* event) {
    const double by = event->modifiers() & Qt::ShiftModifier ? 1 : kKeyDegrees;
    const auto turn = [&](double right, double down) { render_.turn(ParameterBlock(render_.parameters()), right, down); };
    switch (event->key()) {
        case Qt::Key_Left: return turn(-by, 0);
        case Qt::Key_Right: return turn(by, 0);
        case Qt::Key_Up: return turn(0, -by);
        case Qt::Key_Down: return turn(0, by);
        case Qt::Key_Plus:
        case Qt::Key_Equal: return render_.zoom(kKeyZoom);
        case Qt::Key_Minus: return render_.zoom(1 / kKeyZoom);
        case Qt::Key_Home: return render_.resetCamera();
        case Qt::Key_Return:
        case Qt::Key_Enter: return emit aloneRequested();
        default: QWidget::keyPressEvent(event);
    }
}

}  // namespace parallax::ui
