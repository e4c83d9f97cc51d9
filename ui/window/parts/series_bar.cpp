// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/parts/series_bar.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <limits>
#include <utility>

#include "ui/models/document/settings.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

const QString kFramesKey = QStringLiteral("volume/frames-per-second");
constexpr int kInitialFrames = 10;

/// Volumes of the open file, as far as a slider can count; 0 without an image.
int volumesOf(const Session& session) {
    const ImagePtr& image = session.original();
    return image ? static_cast<int>(std::min<std::int64_t>(image->source.volumes, std::numeric_limits<int>::max())) : 0;
}

int shownVolume(const Session& session) { return session.original() ? static_cast<int>(session.original()->source.volume) : 0; }

/// "7.5 s", if the file tells the time of this volume and it is the open one.
QString timeOf(const Session& session, int volume) {
    if (!session.original() || volume != shownVolume(session)) return {};
    const auto& metadata = session.original()->metadata;
    const auto time = std::find_if(metadata.begin(), metadata.end(), [](const MetadataEntry& entry) { return entry.name == "time"; });
    return time == metadata.end() ? QString() : QString::fromStdString(time->text);
}

}  // namespace

SeriesBar::SeriesBar(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      play_(iconButton(QStringLiteral("play"), {})),
      name_(new QLabel),
      number_(new QLabel),
      slider_(new QSlider(Qt::Horizontal)),
      frames_(new QSpinBox) {
    setObjectName(QStringLiteral("seriesBar"));
    number_->setObjectName(QStringLiteral("seriesNumber"));
    described(play_, tr("Play"), tr("Show the volumes one after another (P)"), "playSeries");
    play_->setCheckable(true);
    slider_->setObjectName(QStringLiteral("seriesSlider"));
    slider_->setPageStep(10);
    described(frames_, tr("Frames per second"),
              tr("Volumes per second while playing. Reading and computing may take longer than a frame; then playing is slower."),
              "framesPerSecond");
    frames_->setRange(1, kMaxFrames);
    frames_->setKeyboardTracking(false);
    frames_->setSuffix(tr(" / s"));
    const int kept = Settings::instance().remembered(kFramesKey, kInitialFrames).toInt();
    frames_->setValue(std::clamp(kept, 1, kMaxFrames));
    name_->setBuddy(slider_);
    auto* row = makeLayout<QHBoxLayout>(this, 6);
    row->setContentsMargins(8, 2, 8, 2);
    for (QWidget* widget : {static_cast<QWidget*>(play_), static_cast<QWidget*>(name_)}) row->addWidget(widget);
    row->addWidget(slider_, 1);
    row->addWidget(number_);
    row->addWidget(frames_);
    describe(false);
    hide();
    connect(play_, &QToolButton::toggled, this, &SeriesBar::setPlaying);
    connect(slider_, &QSlider::valueChanged, this, [this](int volume) {
        setPlaying(false);
        showNumber();
        ask(volume);
    });
    connect(frames_, &QSpinBox::valueChanged, this, [this](int frames) {
        Settings::instance().remember(kFramesKey, frames);
        if (playing()) timer_.start(1000 / frames);
    });
    connect(&timer_, &QTimer::timeout, this, &SeriesBar::advance);
    connect(&session_, &Session::originalChanged, this, &SeriesBar::follow);
    // A volume that could not be read leaves the slider where the shown one is.
    connect(&session_, &Session::busyChanged, this, [this] {
        if (reading()) return;
        if (const auto wanted = std::exchange(wanted_, {})) ask(*wanted);
        else if (slider_->value() != shownVolume(session_)) follow();
    });
}

bool SeriesBar::reading() const { return session_.tasks().pending({TaskKind::load}); }

bool SeriesBar::computing() const {
    const auto sides = session_.sides();
    return std::any_of(sides.begin(), sides.end(), [this](Side side) { return session_.side(side).pending; });
}

void SeriesBar::setPlaying(bool playing) {
    if (playing && volumesOf(session_) < 2) playing = false;
    {
        const QSignalBlocker blocker(play_);
        play_->setChecked(playing);
    }
    if (playing == timer_.isActive()) return;
    play_->setIcon(actionIcon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
    played_.reset();
    if (playing) timer_.start(1000 / frames_->value());
    else timer_.stop();
    emit changed();
}

bool SeriesBar::canStep(int by) const {
    const int to = shownVolume(session_) + by;
    return to >= 0 && to < volumesOf(session_);
}

void SeriesBar::step(int by) {
    setPlaying(false);
    if (canStep(by)) ask(shownVolume(session_) + by);
}

void SeriesBar::advance() {
    if (reading() || computing()) return;  // a frame later
    const int shown = shownVolume(session_);
    if (played_ && *played_ != shown) return setPlaying(false);  // it could not be read
    played_ = (shown + 1) % volumesOf(session_);
    emit volumeAsked(*played_);
}

void SeriesBar::ask(int volume) {
    if (reading()) {
        wanted_ = volume;
        return;
    }
    wanted_.reset();
    if (volume != shownVolume(session_)) emit volumeAsked(volume);
}

void SeriesBar::describe(bool pages) {
    name_->setText(pages ? tr("Page") : tr("Volume"));
    described(slider_, pages ? tr("Page of the file") : tr("Volume of the file"),
              pages ? tr("Page of the file to show; the steps are the same for each")
                    : tr("Volume of the file to show, such as a time point; the steps are the same for each"));
}

void SeriesBar::follow() {
    const int volumes = volumesOf(session_);
    if (volumes < 2) {
        setPlaying(false);
        wanted_.reset();
    }
    setVisible(volumes > 1);
    if (const auto wanted = std::exchange(wanted_, {}); wanted && *wanted < volumes && *wanted != shownVolume(session_)) {
        emit volumeAsked(*wanted);
    } else if (volumes > 1) {
        describe(!session_.original()->geometry);
        const QSignalBlocker blocker(slider_);
        slider_->setRange(0, volumes - 1);
        slider_->setValue(shownVolume(session_));
        showNumber();
    }
    emit changed();
}

void SeriesBar::showNumber() {
    const QString last = QString::number(slider_->maximum() + 1);
    const auto withTime = [time = timeOf(session_, slider_->value())](const QString& text) {
        return time.isEmpty() ? text : text + QStringLiteral(" · ") + time;
    };
    number_->setText(withTime(tr("%1 / %2").arg(slider_->value() + 1).arg(last)));
    // The slider keeps its width while numbers grow.
    const int needed = number_->fontMetrics().horizontalAdvance(withTime(tr("%1 / %2").arg(last, last)));
    number_->setMinimumWidth(std::max(needed, number_->minimumWidth()));
}

}  // namespace parallax::ui
