// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/kernels/kernels.hpp"

#include <QFile>
#include <algorithm>
#include <utility>

#include "ui/session/tasks.hpp"

namespace parallax::ui {
namespace {

constexpr std::size_t kMaxVersions = 200;
constexpr qint64 kMaxSourceBytes = 1 << 20;

QByteArray sourceAt(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.read(kMaxSourceBytes) : QByteArray();
}

}  // namespace

const KernelVersion* OpenKernelState::find(int number) const {
    const auto at = std::find_if(versions.begin(), versions.end(), [&](const KernelVersion& v) { return v.number == number; });
    return at == versions.end() ? nullptr : &*at;
}

std::optional<KernelSpeedup> OpenKernelState::speedupOf(const KernelVersion& later) const {
    if (later.times.values.empty()) return std::nullopt;
    const KernelVersion* before = nullptr;
    for (const KernelVersion& v : versions)
        if (v.number < later.number && !v.times.values.empty()) before = &v;
    if (!before) return std::nullopt;
    return KernelSpeedup{before->number, median(before->times.values) / median(later.times.values),
                         judge(ratioIntervals(before->times, later.times, Measured::apart).sure)};
}

const OpenKernelState* Kernels::find(const QString& path) const {
    const auto at = std::find_if(kernels_.begin(), kernels_.end(), [&](const OpenKernelState& k) { return k.path == path; });
    return at == kernels_.end() ? nullptr : &*at;
}

OpenKernelState& Kernels::state(const QString& path) {
    if (const OpenKernelState* known = find(path)) return kernels_[static_cast<std::size_t>(known - kernels_.data())];
    return kernels_.emplace_back(OpenKernelState{.path = path});
}

void Kernels::compile(const QString& path) {
    const TaskId id{TaskKind::kernel, path};
    tasks_.drop({TaskKind::kernelTimes, path});
    tasks_.drop({TaskKind::sanitizer, path});
    OpenKernelState& kernel = state(path);
    kernel.phase = OpenKernelState::Phase::compiling;
    kernel.stamp = stampOf(path);
    kernel.check.reset();
    kernel.error = {};
    kernel.sanitizing = kernel.measuring = false;
    kernel.sanitized.reset();
    kernel.noSanitizer.reset();
    ++kernel.version;
    if (!kernel.versions.empty() && kernel.versions.back().outcome == KernelVersion::Outcome::open)
        kernel.versions.back().outcome = KernelVersion::Outcome::replaced;
    if (kernel.versions.size() == kMaxVersions) kernel.versions.erase(kernel.versions.begin());
    kernel.versions.push_back({.number = kernel.version, .time = QDateTime::currentDateTime()});
    emit changed(path);
    auto update = tasks_.updatesOfNext(id);
    tasks_.submit(
        id, tr("Kernel %1").arg(QFileInfo(path).fileName()),
        [this, path, update, catalog = &catalog_](const std::stop_token& stop) {
            update([this, path, source = sourceAt(path)] { state(path).versions.back().source = source; });
            const OpenedKernel opened = openKernel(*catalog, QFile::encodeName(path).toStdString(), stop);
            update([this, path, opened] { take(path, opened); });
            KernelCheckOptions options{.threads = 0, .stop = stop, .onProgress = {}};
            return checkKernel(Engine(*catalog), opened.operation, parseTarget(opened.target()), options);
        },
        [this, path](KernelCheck check) { takeCheck(path, std::move(check)); },
        [this, path](ErrorCode code, const Message& message) { fail(path, code, message); });
}

void Kernels::take(const QString& path, OpenedKernel kernel) {
    OpenKernelState& now = state(path);
    now.phase = OpenKernelState::Phase::checking;
    now.compiled = std::move(kernel);
    now.check.reset();
    emit changed(path);
    emit compiled(path);
}

void Kernels::takeCheck(const QString& path, KernelCheck check) {
    OpenKernelState& done = state(path);
    done.phase = OpenKernelState::Phase::done;
    done.versions.back().outcome = check.passed() ? KernelVersion::Outcome::agrees : KernelVersion::Outcome::disagrees;
    done.check = std::move(check);
    if (sanitizes_) sanitize(path);
    else measure(path);
}

void Kernels::setSanitizes(bool on) {
    if (on == sanitizes_) return;
    sanitizes_ = on;
    for (OpenKernelState& kernel : kernels_) {
        const bool checked = kernel.phase == OpenKernelState::Phase::done && kernel.check;
        if (on && checked && !kernel.sanitized) sanitize(QString(kernel.path));
        if (on || !kernel.sanitizing) continue;
        tasks_.drop({TaskKind::sanitizer, kernel.path});
        kernel.sanitizing = false;
        measure(QString(kernel.path));
    }
}

/// The kernel that panes compute with stays as it is.
void Kernels::sanitize(const QString& path) {
    state(path).sanitizing = true;
    state(path).noSanitizer.reset();
    emit changed(path);
    tasks_.submit(
        {TaskKind::sanitizer, path}, tr("Memory errors of %1").arg(QFileInfo(path).fileName()),
        [catalog = &catalog_, path](const std::stop_token& stop) {
            KernelCheckOptions options{.threads = 0, .stop = stop, .onProgress = {}};
            return checkSanitized(*catalog, QFile::encodeName(path).toStdString(), options);
        },
        [this, path](KernelCheck check) { takeSanitized(path, std::move(check)); },
        [this, path](ErrorCode code, const Message& message) {
            OpenKernelState& kernel = state(path);
            kernel.sanitizing = false;
            if (code != ErrorCode::cancelled) kernel.noSanitizer = message;
            measure(path);
        });
}

void Kernels::takeSanitized(const QString& path, KernelCheck check) {
    OpenKernelState& kernel = state(path);
    kernel.sanitizing = false;
    if (!errorsOf(check).empty()) kernel.versions.back().outcome = KernelVersion::Outcome::memoryError;
    kernel.sanitized = std::move(check);
    measure(path);
}

/// After the computation of panes, which follow a new version, so that neither disturbs the other. Once for each version, unless it
/// crashes.
void Kernels::measure(const QString& path) {
    OpenKernelState& kernel = state(path);
    if (!kernel.measuring && !kernel.check->crashed && kernel.versions.back().times.values.empty()) {
        kernel.measuring = true;
        tasks_.submit(
            {TaskKind::kernelTimes, path}, tr("Times of %1").arg(QFileInfo(path).fileName()),
            [catalog = &catalog_, compiled = *kernel.compiled](const std::stop_token& stop) {
                return timeKernel(*catalog, compiled, stop);
            },
            [this, path, number = kernel.version](const RunEntry& entry) {
                state(path).measuring = false;
                std::vector<KernelVersion>& versions = state(path).versions;
                const auto at = std::find_if(versions.begin(), versions.end(), [&](const KernelVersion& v) { return v.number == number; });
                if (at != versions.end()) {
                    at->times = timesOf(entry, Time::compute);
                    at->flops = entry.flops;
                    at->bytes = entry.bytes;
                }
                emit changed(path);
            },
            [this, path](ErrorCode code, const Message& message) {
                state(path).measuring = false;
                emit changed(path);
                tasks_.raise(code, message);
            });
    }
    emit changed(path);
}

void Kernels::settle() {
    for (OpenKernelState& kernel : kernels_) {
        const QString path = kernel.path;
        if (kernel.busy() && !tasks_.pending({TaskKind::kernel, path}))
            fail(path, ErrorCode::cancelled, {.kind = Message::Kind::information, .what = tr("Cancelled")});
        if (kernel.sanitizing && !tasks_.pending({TaskKind::sanitizer, path})) kernel.sanitizing = false;
        if (kernel.measuring && !tasks_.pending({TaskKind::kernelTimes, path})) kernel.measuring = false;
        emit changed(path);
    }
}

void Kernels::fail(const QString& path, ErrorCode code, const Message& message) {
    OpenKernelState& failed = state(path);
    failed.phase = code == ErrorCode::cancelled && failed.compiled ? OpenKernelState::Phase::done : OpenKernelState::Phase::failed;
    failed.error = message;
    failed.versions.back().outcome = code == ErrorCode::cancelled ? KernelVersion::Outcome::replaced : KernelVersion::Outcome::failed;
    emit changed(path);
}

}  // namespace parallax::ui
