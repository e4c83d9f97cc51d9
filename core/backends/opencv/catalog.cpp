// SPDX-License-Identifier: GPL-3.0-or-later
// Backend "opencv", the peer, and the list of its implementations.
#include <opencv2/core.hpp>

#include "parallax/engine/plugin.hpp"
#include "parallax/operations/convolution/opencv.hpp"

namespace parallax {
namespace {

class OpenCvBackend final : public Backend {
public:
    OpenCvBackend() { implementations_.push_back(makeOpenCvConvolution()); }
    std::string id() const override { return "opencv"; }
    std::string title() const override { return "OpenCV"; }
    std::vector<DeviceInfo> devices() const override {
        DeviceInfo device = hostDevice();
        device.details.emplace_back("OpenCV", CV_VERSION);
        return {device};
    }
    std::vector<const Implementation*> implementations() const override {
        std::vector<const Implementation*> all;
        for (const auto& i : implementations_) all.push_back(i.get());
        return all;
    }
    std::unique_ptr<BackendSession> open(const RunContext&) const override { return makeHostSession(); }

private:
    std::vector<std::unique_ptr<Implementation>> implementations_;
};

Backend* create() { return new OpenCvBackend; }

}  // namespace
}  // namespace parallax

PARALLAX_PLUGIN_ENTRY(parallax::create)
