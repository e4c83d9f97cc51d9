// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window about files that hold several images: parts of OpenEXR files, volumes, pages.
#include <QAction>

#include "ui/models/document/input_name.hpp"
#include "ui/window/parts/part_bar.hpp"
#include "ui/window/parts/series_bar.hpp"
#include "ui/window/shell/main_window.hpp"

namespace parallax::ui {

void MainWindow::makePartBars() {
    partBar_ = new PartBar(*session_);
    seriesBar_ = new SeriesBar(*session_);
    connect(partBar_, &PartBar::choiceAsked, this, &MainWindow::openChoice);
    connect(seriesBar_, &SeriesBar::volumeAsked, this, [this](int volume) { openChoice(QString::number(volume)); });
}

void MainWindow::makePartActions() {
    using K = QKeySequence;
    const auto step = [this](int by) {
        if (partBar_->canStep(by)) partBar_->step(by);
        else seriesBar_->step(by);
    };
    makeCommand("next-part", tr("Next part or volume"), {}, {K(tr("Ctrl+PgDown"))},
                tr("Show the next part of the OpenEXR file, or the next volume or page of the file"), [step] { step(1); });
    makeCommand("previous-part", tr("Previous part or volume"), {}, {K(tr("Ctrl+PgUp"))},
                tr("Show the previous part of the OpenEXR file, or the previous volume or page of the file"), [step] { step(-1); });
    makeCheck("play-series", tr("Play volumes"), {}, {K(Qt::Key_P)}, tr("Show the volumes of the file one after another"),
              [this](bool playing) { seriesBar_->setPlaying(playing); });
    const auto follow = [this] {
        action("next-part")->setEnabled(partBar_->canStep(1) || seriesBar_->canStep(1));
        action("previous-part")->setEnabled(partBar_->canStep(-1) || seriesBar_->canStep(-1));
        action("play-series")->setEnabled(seriesBar_->canStep(1) || seriesBar_->canStep(-1));
        action("play-series")->setChecked(seriesBar_->playing());
    };
    connect(partBar_, &PartBar::changed, this, follow);
    connect(seriesBar_, &SeriesBar::changed, this, follow);
    follow();
}

void MainWindow::openChoice(const QString& choice) {
    if (!session_->original()) return;
    const QString file = pathOnDisk(session_->inputName());
    const QString input = choice.isEmpty() ? file : file + QLatin1Char('#') + choice;
    cancelPendingOpen();
    if (currentInput_ >= 0 && currentInput_ < inputs_.size()) inputs_[currentInput_] = input;
    session_->open(input);
}

}  // namespace parallax::ui
