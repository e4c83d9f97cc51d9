// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/jobs.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/backend/rank_launcher.hpp"

namespace parallax {
namespace {

using namespace std::chrono_literals;

class Jobs {
public:
    ~Jobs() {
        // All of them end at the same time.
        endAll();
    }

    std::shared_ptr<Job> get(int ranks, const std::stop_token& stop) {
        const std::shared_ptr<Kept> kept = keptOf(mpiLauncher(), ranks);
        // Only one thread starts it.
        std::unique_lock starting(kept->starting, std::defer_lock);
        while (!starting.try_lock_for(20ms))
            if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
        if (const std::shared_ptr<Job> job = current(*kept)) return job;
        auto job = std::make_shared<Job>(kept->launcher, ranks, stop);
        const std::scoped_lock lock(mutex_);
        kept->job = job;
        return job;
    }

    void endAll() noexcept {
        const std::scoped_lock lock(mutex_);
        for (const auto& kept : kept_)
            if (kept->job) kept->job->end();
    }

private:
    struct Kept {
        std::string launcher;
        int ranks = 0;
        std::timed_mutex starting;
        std::shared_ptr<Job> job;  // null while it starts
    };

    std::shared_ptr<Kept> keptOf(const std::string& launcher, int ranks) {
        const std::scoped_lock lock(mutex_);
        std::erase_if(ending_, [](const auto& job) { return job->hasEnded(); });
        const auto found =
            std::find_if(kept_.begin(), kept_.end(), [&](const auto& k) { return k->launcher == launcher && k->ranks == ranks; });
        if (found != kept_.end()) {
            std::rotate(found, found + 1, kept_.end());
            return kept_.back();
        }
        for (std::size_t i = 0; kept_.size() >= kMaxKeptJobs && i < kept_.size();) {
            Kept& kept = *kept_[i];
            if (kept_[i].use_count() > 1 || (kept.job && kept.job.use_count() > 1)) {
                ++i;
                continue;
            }
            retire(kept);
            kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i));
        }
        kept_.push_back(std::make_shared<Kept>());
        kept_.back()->launcher = launcher;
        kept_.back()->ranks = ranks;
        return kept_.back();
    }

    /// Null if there is none, or if it has ended.
    std::shared_ptr<Job> current(Kept& kept) {
        const std::scoped_lock lock(mutex_);
        if (kept.job && !kept.job->isAlive()) retire(kept);
        return kept.job;
    }

    /// The last owner of a job waits for its launcher, so it stays here until that has ended.
    void retire(Kept& kept) {
        if (!kept.job) return;
        kept.job->end();
        ending_.push_back(std::move(kept.job));
        kept.job = nullptr;
    }

    std::mutex mutex_;
    std::vector<std::shared_ptr<Kept>> kept_;  // in the order of use
    std::vector<std::shared_ptr<Job>> ending_;
};

Jobs& jobs() {
    static Jobs all;
    return all;
}

}  // namespace

std::shared_ptr<Job> jobOf(int ranks, const std::stop_token& stop) { return jobs().get(ranks, stop); }
void endJobs() noexcept { jobs().endAll(); }

}  // namespace parallax
