// SPDX-License-Identifier: GPL-3.0-or-later
// Backend "opencv" and the list of its implementations.
#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/backend_names.hpp"
#include "core/engine/backend/plugin.hpp"
#include "core/operations/convolution/opencv/implementations.hpp"
#include "core/operations/tone_mapping/opencv/implementations.hpp"

namespace parallax {
namespace {

class OpencvBackend final : public Backend {
public:
    OpencvBackend() {
        implementations_.push_back(makeOpencvConvolution());
        implementations_.push_back(makeOpencvToneMapping());
    }

    std::string id() const override { return "opencv"; }
    std::string title() const override { return kOpencvTitle; }
    std::vector<DeviceInfo> devices() const override {
        DeviceInfo device = hostDevice();
        device.details.emplace_back("OpenCV", cv::getVersionString());
        return {device};
    }
    std::vector<std::pair<std::string, std::string>> buildDetails() const override {
        return {{"OpenCV", cv::getVersionString()}, {"processor features", cv::getCPUFeaturesLine()}};
    }
    std::vector<const Implementation*> implementations() const override {
        std::vector<const Implementation*> all;
        for (const auto& i : implementations_) all.push_back(i.get());
        return all;
    }
    std::unique_ptr<BackendSession> open(const RunContext& context) const override {
        if (context.device != 0)
            throw Error(ErrorCode::unavailable, "Backend 'opencv' has no device " + std::to_string(context.device),
                        "the processor is its only device, number 0");
        return makeHostSession();
    }

private:
    std::vector<std::unique_ptr<Implementation>> implementations_;
};

Backend* createBackend() { return new OpencvBackend; }

}  // namespace
}  // namespace parallax

PARALLAX_PLUGIN_ENTRY(parallax::createBackend)
