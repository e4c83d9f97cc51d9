// SPDX-License-Identifier: GPL-3.0-or-later
// Long work of a session: keeps the machine awake meanwhile, and tells by a notification of the desktop when it ends while no window of the
// program is active.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <array>
#include <chrono>
#include <memory>
#include <optional>

#include "ui/desktop/suspend_block.hpp"
#include "ui/models/benchmark/timing_model.hpp"
#include "ui/models/document/message.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {

class LongWork : public QObject {
    Q_OBJECT
public:
    /// Work is long from this time on.
    static constexpr std::chrono::milliseconds kLong{10'000};
    explicit LongWork(Session& session, std::chrono::milliseconds longTime = kLong, QObject* parent = nullptr);
    ~LongWork() override;
    /// Is something followed, or just over?
    bool following() const;

private:
    enum class Kind { benchmark, sweep, ceilings, save, computation };
    static constexpr std::size_t kKinds = 5;
    static constexpr std::array<Kind, kKinds> kAllKinds{Kind::benchmark, Kind::sweep, Kind::ceilings, Kind::save, Kind::computation};
    /// The parts of one computation follow each other with short breaks.
    static constexpr std::chrono::milliseconds kBreak{300};
    /// Work of one kind without a longer break.
    struct Run {
        QElapsedTimer time;
        std::optional<qint64> length;  ///< ms, unless it is running
        bool failed = false;
        int done = 0;  ///< benchmarks or files that ended, also with a failure
    };
    struct Text {
        QString title, text;
    };

    bool running(Kind kind) const;
    void follow();
    /// Tells the end of what no longer runs.
    void finish();
    void notice(const Message& message);
    std::optional<Run>& runOf(Kind kind) { return runs_[static_cast<std::size_t>(kind)]; }
    /// What to say about finished work, without names of files; nothing if it was cancelled.
    std::optional<Text> textOf(Kind kind, const Run& run) const;
    std::optional<Text> sweepText(const Run& run) const;

    Session& session_;
    std::chrono::milliseconds longTime_;
    std::array<std::optional<Run>, kKinds> runs_;
    QTimer becomesLong_, over_;
    std::unique_ptr<SuspendBlock> block_;
};

/// "openmp.simd is 2.10x faster than openmp.scalar": the outcome of a benchmark in one sentence.
QString verdictOf(const TimingSummary& summary);

}  // namespace parallax::ui
