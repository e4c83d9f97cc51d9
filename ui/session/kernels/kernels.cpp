// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/kernels/kernels.hpp"

#include <QFile>
#include <algorithm>

#include "ui/session/tasks.hpp"

namespace parallax::ui {

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
    OpenKernelState& kernel = state(path);
    kernel.phase = OpenKernelState::Phase::compiling;
    kernel.stamp = stampOf(path);
    kernel.error = {};
    ++kernel.version;
    emit changed(path);
    auto update = tasks_.updatesOfNext(id);
    tasks_.submit(
        id, tr("Kernel %1").arg(QFileInfo(path).fileName()),
        [this, path, update, catalog = &catalog_](const std::stop_token& stop) {
            const OpenedKernel opened = openKernel(*catalog, QFile::encodeName(path).toStdString(), stop);
            update([this, path, opened] { take(path, opened); });
            KernelCheckOptions options{.threads = 0, .stop = stop, .onProgress = {}};
            return checkKernel(Engine(*catalog), opened.operation, parseTarget(opened.target()), options);
        },
        [this, path](KernelCheck check) {
            OpenKernelState& done = state(path);
            done.phase = OpenKernelState::Phase::done;
            done.check = std::move(check);
            emit changed(path);
        },
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

void Kernels::fail(const QString& path, ErrorCode code, const Message& message) {
    OpenKernelState& failed = state(path);
    failed.phase = code == ErrorCode::cancelled && failed.compiled ? OpenKernelState::Phase::done : OpenKernelState::Phase::failed;
    failed.error = message;
    emit changed(path);
}

}  // namespace parallax::ui
