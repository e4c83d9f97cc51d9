// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/session.hpp"

#include "ui/models/document/input_name.hpp"
#include "ui/session/lab.hpp"
#include "ui/session/medical_names.hpp"

namespace parallax::ui {
namespace {

constexpr std::size_t kMaxKeptBytes = std::size_t{512} << 20;  // of memory for the next results
constexpr int kTrimDelayMilliseconds = 3000;                   // a slider that rested longer can wait for new memory

}  // namespace

Session::Session(const Catalog& catalog, QObject* parent)
    : QObject(parent),
      engine_(catalog),
      memory_(std::make_shared<RecyclingAllocator>(kMaxKeptBytes)),
      document_(tasks_, catalog),
      panes_(tasks_, memory_),
      previews_(tasks_, engine_),
      comparison_(tasks_, panes_, document_, engine_, memory_),
      benchmark_(tasks_, document_, comparison_, engine_),
      saver_(tasks_),
      kernels_(tasks_, engine_.catalog()) {
    connectParts();
    trimDelay_.setSingleShot(true);
    trimDelay_.setInterval(kTrimDelayMilliseconds);
    connect(&trimDelay_, &QTimer::timeout, this, &Session::releaseSpareMemory);
    connect(&tasks_, &Tasks::busyChanged, &trimDelay_, [this] { tasks_.idle() ? trimDelay_.start() : trimDelay_.stop(); });
    lab_ = std::make_unique<Lab>(*this);
}

Session::~Session() { tasks_.shutDown(); }

void Session::connectParts() {
    connect(&document_, &Document::originalChanged, this, &Session::takeOriginal);
    connect(&document_.pipeline(), &PipelineModel::setupChanged, &benchmark_, &Benchmark::checkProblem);
    connect(&comparison_, &Comparison::waitingChanged, this, &Session::busyChanged);
    connect(&previews_, &Previews::waitingChanged, this, &Session::busyChanged);
    connect(&tasks_, &Tasks::busyChanged, this, &Session::busyChanged);
    connect(&kernels_, &Kernels::compiled, this, [this] {
        comparison_.computeAgain(kUserBackend);
        comparison_.computeAgain(kUserCudaBackend);
    });
}

void Session::takeOriginal() {
    if (original() && original()->source.medical) noteMedicalInput();
    previews_.setOriginal(original());
    // While a series plays, each result stays in view until the next one is there.
    const PyramidPtr before = panes_.pyramid(PaneRole::original);
    if (!before || !before->image() || !original() || !inOneSeries(*before->image(), *original())) {
        comparison_.reset();
        panes_.clear();
    }
    benchmark_.reset();
    if (original()) panes_.show(PaneRole::original, original());
    emit originalChanged();
    emit comparison_.differenceChanged();
    emit benchmark_.recordChanged();
    for (const PaneRole role : kAllPanes)
        if (role != PaneRole::original) emit panes_.pyramidChanged(role);
    benchmark_.cancel();
    comparison_.update();
}

void Session::open(const QString& input) {
    if (isReport(input)) return lab_->openReport(input);
    benchmark_.cancel();
    document_.open(input);
}

void Session::openPicture(const QImage& picture, const QString& path) {
    benchmark_.cancel();
    document_.openPicture(picture, path);
}

void Session::close() {
    benchmark_.cancel();
    for (const Side each : sides()) tasks_.drop({TaskKind::compute, letterOf(each)});
    document_.close();
    emit panes_.pyramidChanged(PaneRole::original);
    tasks_.announce();
}

void Session::saveImage(PaneRole role, const QString& path, const SaveOptions& options) {
    if (const ImagePtr image = imageOf(role)) return saver_.saveImage(image, path, options);
    tasks_.raise({Message::Kind::information, tr("No image to save yet"), {}, {}, sourceOf({TaskKind::save})});
}

void Session::saveReport(const QString& path, bool overwrite) {
    Report report{lab_->reportRecords(), {}, lab_->reportComparisons()};
    if (report.records.empty())
        return tasks_.raise({Message::Kind::information, tr("No report to save yet"), tr("no benchmark has been run"),
                             tr("Run a benchmark first"), sourceOf({TaskKind::save})});
    const bool own = record() && lab_->recordSource().isEmpty();
    if (own && benchmark_.pictures()) report.pictures.push_back(*benchmark_.pictures());
    saver_.saveReport(std::move(report), path, overwrite);
}

void Session::cancel() {
    const bool checkWaited = comparison_.waiting(), comparing = tasks_.pending({TaskKind::difference});
    comparison_.stopWaiting();
    const Tasks::Cancelled cancelled = tasks_.cancel(checkWaited);
    kernels_.settle();
    comparison_.markCancelled(comparing);
    tasks_.announce();
    if (cancelled.any || checkWaited)
        tasks_.raise(
            {Message::Kind::information, tr("Cancelled"), cancelled.savesLost.join(QLatin1String(", ")), {}, QStringLiteral("cancel")});
}

ImagePtr Session::imageOf(PaneRole role) const {
    if (role == PaneRole::original) return original();
    if (role == PaneRole::difference) return comparison_.differenceImage();
    const auto& result = side(sideOf(role).value_or(Side::a)).result;
    return result ? result->image : nullptr;
}

}  // namespace parallax::ui
