// SPDX-License-Identifier: GPL-3.0-or-later
// Backend "openmp" and the list of its implementations.
#include <hwy/highway.h>

#include <cstdlib>

#include "core/backends/openmp/affinity.hpp"
#include "core/backends/openmp/instructions.hpp"
#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/backend_names.hpp"
#include "core/engine/backend/plugin.hpp"
#include "core/operations/convolution/openmp/fft.hpp"
#include "core/operations/convolution/openmp/implementations.hpp"
#include "core/operations/example_scale/openmp/implementation.hpp"
#include "core/operations/tone_mapping/openmp/implementations.hpp"
#include "core/operations/wavelet/openmp/implementations.hpp"

namespace parallax {
namespace {

class OpenmpBackend final : public Backend {
public:
    OpenmpBackend() {
        releaseCallingThread();
        // To test and measure the code for older CPUs.
        if (const char* best = std::getenv("PARALLAX_SIMD")) limitVectorInstructions(best);
        // The first one that supports a problem is the default, unless another one has a preference.
        implementations_.push_back(makeOpenmpDirectConvolution());
        implementations_.push_back(makeOpenmpSeparableConvolution());
        implementations_.push_back(makeOpenmpFftConvolution());
        implementations_.push_back(makeOpenmpScalarConvolution());
        implementations_.push_back(makeOpenmpSimdToneMapping());
        implementations_.push_back(makeOpenmpScalarToneMapping());
        implementations_.push_back(makeOpenmpWaveletTransform());
        implementations_.push_back(makeOpenmpInverseWaveletTransform());
        implementations_.push_back(makeOpenmpWaveletDenoise());
        implementations_.push_back(makeOpenmpWaveletCompress());
        implementations_.push_back(makeOpenmpExampleScale());
    }

    std::string id() const override { return "openmp"; }
    std::string title() const override { return kOpenmpTitle; }
    std::vector<DeviceInfo> devices() const override {
        DeviceInfo device = hostDevice();
        device.details.emplace_back("vector instructions", openmpVectorInstructions());
        device.details.emplace_back("Highway",
                                    std::to_string(HWY_MAJOR) + '.' + std::to_string(HWY_MINOR) + '.' + std::to_string(HWY_PATCH));
        device.details.emplace_back("FFTW", fftwState().there ? fftwState().version : fftwState().reason);
        device.details.emplace_back("threads", threadBinding());
        return {device};
    }
    std::vector<std::pair<std::string, std::string>> buildDetails() const override {
        return {{"OpenMP", std::to_string(_OPENMP)},
                {"Highway", std::to_string(HWY_MAJOR) + '.' + std::to_string(HWY_MINOR) + '.' + std::to_string(HWY_PATCH)},
                {"vector instructions", openmpVectorInstructions()},
                {"FFTW", fftwState().there ? fftwState().version : fftwState().reason},
                {"threads", threadBinding()}};
    }
    std::vector<const Implementation*> implementations() const override {
        std::vector<const Implementation*> all;
        for (const auto& i : implementations_) all.push_back(i.get());
        return all;
    }
    std::unique_ptr<BackendSession> open(const RunContext& context) const override {
        if (context.device != 0)
            throw Error(ErrorCode::unavailable, "Backend 'openmp' has no device " + std::to_string(context.device),
                        "the processor is its only device, number 0");
        return makeHostSession();
    }

private:
    std::vector<std::unique_ptr<Implementation>> implementations_;
};

Backend* createBackend() { return new OpenmpBackend; }

}  // namespace
}  // namespace parallax

PARALLAX_PLUGIN_ENTRY(parallax::createBackend)
