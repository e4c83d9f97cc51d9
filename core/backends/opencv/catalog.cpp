// SPDX-License-Identifier: GPL-3.0-or-later
// Backend "opencv" and the list of its implementations.
#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>

#include "core/backends/host_backend.hpp"
#include "core/engine/backend/backend_names.hpp"
#include "core/engine/backend/plugin.hpp"
#include "core/operations/convolution/opencv/implementations.hpp"
#include "core/operations/convolution/volume/by_axes.hpp"
#include "core/operations/tone_mapping/opencv/implementations.hpp"

namespace parallax {
namespace {

class OpencvBackend final : public HostBackend {
public:
    OpencvBackend() {
        implementations_.push_back(byAxes(makeOpencvConvolution()));
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
};

Backend* createBackend() { return new OpencvBackend; }

}  // namespace
}  // namespace parallax

PARALLAX_PLUGIN_ENTRY(parallax::createBackend)
