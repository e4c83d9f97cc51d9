// SPDX-License-Identifier: GPL-3.0-or-later
// Backend "mpi".
#include "core/backends/host_backend.hpp"
#include "core/backends/mpi/backend.hpp"
#include "core/backends/mpi/implementations.hpp"
#include "core/backends/mpi/launcher.hpp"
#include "core/backends/mpi/pipeline.hpp"
#include "core/engine/backend/backend_names.hpp"
#include "core/engine/backend/rank_launcher.hpp"
#include "core/engine/backend/ranks_target.hpp"

namespace parallax {
namespace {

class MpiBackend final : public HostBackend, public RunsPipelines {
public:
    explicit MpiBackend(std::span<const std::shared_ptr<Backend>> backends) : backends_(backends.begin(), backends.end()) {
        implementations_ = describeRanks(backends);
    }

    std::string id() const override { return kMpiBackend; }
    std::string title() const override { return kMpiTitle; }
    Availability availability() const override { return mpiAvailability(); }
    std::vector<DeviceInfo> devices() const override {
        DeviceInfo device = hostDevice();
        device.details = {{"launcher", mpiLauncher()}, {"worker", workerPath()}, {"ranks without @N", std::to_string(defaultRanks())}};
        return {device};
    }
    /// Leaves out backends that are not available. Asks them here, not at the start of the program: drivers take time to answer.
    std::vector<const Implementation*> implementations() const override {
        std::vector<const Implementation*> all = HostBackend::implementations();
        for (const auto& backend : backends_) {
            if (backend->availability().yes) continue;
            std::erase_if(all, [&](const Implementation* i) { return backendAndVariant(i->variant()).first == backend->id(); });
        }
        return all;
    }
    std::unique_ptr<RemoteRun> preparePipeline(const Target& target, const RunPlan& plan, const ImagePtr& input,
                                               std::vector<StepPlan>& records, RunContext& context) const override {
        return prepareOnRanks(target, plan, input, records, context);
    }

private:
    std::vector<std::shared_ptr<Backend>> backends_;
};

}  // namespace

std::shared_ptr<Backend> makeMpiBackend(std::span<const std::shared_ptr<Backend>> backends) {
    return std::make_shared<MpiBackend>(backends);
}

}  // namespace parallax
