// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of users that are open in this session: compiled, and checked against the reference, in the background.
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/kernels/backend.hpp"
#include "core/measure/kernel_check/kernel_check.hpp"
#include "core/measure/sampling/entry_times.hpp"
#include "ui/models/document/file_stamp.hpp"
#include "ui/models/document/message.hpp"

namespace parallax::ui {

class Tasks;

/// A version of a kernel: its source, and what was found about it.
struct KernelVersion {
    enum class Outcome { open, failed, disagrees, agrees, memoryError, replaced };
    int number = 0;  ///< 1, 2, ...
    QDateTime time;  ///< when it was read
    QByteArray source;
    Outcome outcome = Outcome::open;
    BlockedSamples times;  ///< of its computation on kKernelTimedInput, ns; empty: not measured
    double flops = 0;      ///< of that computation, as the operation states them
    double bytes = 0;      ///< likewise
};

/// How often a version is as fast as an earlier one.
struct KernelSpeedup {
    int before = 0;  ///< number of the earlier version
    double factor = 0;
    Verdict verdict = Verdict::undecided;
};

/// A kernel and its newest version.
struct OpenKernelState {
    enum class Phase { compiling, checking, done, failed };
    QString path;
    Phase phase = Phase::compiling;
    int version = 0;                       ///< of the file, as it was compiled: 1, 2, ...
    FileStamp stamp;                       ///< of the file before it was read
    std::optional<OpenedKernel> compiled;  ///< the last version that could be compiled
    std::optional<KernelCheck> check;      ///< of that version
    Message error;                         ///< of the newest version, if it failed
    bool sanitizing = false;               ///< the newest version runs with a sanitizer
    std::optional<KernelCheck> sanitized;  ///< of the newest version, with a sanitizer; empty: not checked with one
    std::optional<Message> noSanitizer;    ///< why the newest version was not checked with one
    bool measuring = false;                ///< the newest version
    std::vector<KernelVersion> versions;   ///< the newest one last; the oldest ones are dropped
    const KernelVersion* find(int number) const;
    /// Against the last version before it that was measured. Both were measured apart from each other.
    std::optional<KernelSpeedup> speedupOf(const KernelVersion& later) const;
    bool busy() const { return phase == Phase::compiling || phase == Phase::checking; }
};

class Kernels : public QObject {
    Q_OBJECT
public:
    Kernels(Tasks& tasks, const Catalog& catalog) : tasks_(tasks), catalog_(catalog) {}

    const std::vector<OpenKernelState>& all() const { return kernels_; }
    const OpenKernelState* find(const QString& path) const;
    /// Compiles a kernel, then checks it, if wanted with a sanitizer too, then measures it; a newer version replaces the work on an older
    /// one. `path` is absolute.
    void compile(const QString& path);
    bool sanitizes() const { return sanitizes_; }
    /// Whether kernels are checked with a sanitizer, too: AddressSanitizer or compute-sanitizer. Versions that were checked without one
    /// are checked now.
    void setSanitizes(bool on);
    /// After tasks were cancelled: no kernel waits for them.
    void settle();

signals:
    void changed(const QString& path);
    /// A new version is a variant of the backend `user`.
    void compiled(const QString& path);

private:
    OpenKernelState& state(const QString& path);
    void take(const QString& path, OpenedKernel kernel);
    void takeCheck(const QString& path, KernelCheck check);
    void sanitize(const QString& path);
    void takeSanitized(const QString& path, KernelCheck check);
    void measure(const QString& path);
    void fail(const QString& path, ErrorCode code, const Message& message);

    Tasks& tasks_;
    const Catalog& catalog_;
    std::vector<OpenKernelState> kernels_;
    bool sanitizes_ = false;
};

}  // namespace parallax::ui
