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
    explicit MpiBackend(std::span<const std::shared_ptr<Backend>> backends) { implementations_ = describeRanks(backends); }

    std::string id() const override { return kMpiBackend; }
    std::string title() const override { return kMpiTitle; }
    Availability availability() const override { return mpiAvailability(); }
    std::vector<DeviceInfo> devices() const override {
        DeviceInfo device = hostDevice();
        device.details = {{"launcher", mpiLauncher()}, {"worker", workerPath()}, {"ranks without @N", std::to_string(defaultRanks())}};
        return {device};
    }
    std::unique_ptr<RemoteRun> preparePipeline(const Target& target, const RunPlan& plan, const ImagePtr& input,
                                               std::vector<StepPlan>& records, RunContext& context) const override {
        return prepareOnRanks(target, plan, input, records, context);
    }
};

}  // namespace

std::shared_ptr<Backend> makeMpiBackend(std::span<const std::shared_ptr<Backend>> backends) {
    return std::make_shared<MpiBackend>(backends);
}

}  // namespace parallax
