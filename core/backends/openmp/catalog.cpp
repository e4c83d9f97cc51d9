// SPDX-License-Identifier: GPL-3.0-or-later
// Backend "openmp" and the list of its implementations.
#include <hwy/highway.h>

#include <cstdlib>

#include "core/backends/host_backend.hpp"
#include "core/backends/openmp/affinity.hpp"
#include "core/backends/openmp/instructions.hpp"
#include "core/engine/backend/backend_names.hpp"
#include "core/engine/backend/plugin.hpp"
#include "core/operations/convolution/openmp/fft_lines.hpp"
#include "core/operations/convolution/openmp/implementations.hpp"
#include "core/operations/convolution/volume/by_axes.hpp"
#include "core/operations/convolution/volume/openmp/implementations.hpp"
#include "core/operations/diffuse/openmp/implementations.hpp"
#include "core/operations/edges/openmp/implementation.hpp"
#include "core/operations/example_scale/openmp/implementation.hpp"
#include "core/operations/fill/openmp/implementations.hpp"
#include "core/operations/poisson/openmp/implementations.hpp"
#include "core/operations/render/openmp/implementation.hpp"
#include "core/operations/repair/openmp/implementation.hpp"
#include "core/operations/tone_mapping/openmp/implementations.hpp"
#include "core/operations/wavelet/openmp/implementations.hpp"

namespace parallax {
namespace {

std::string highwayVersion() { return std::to_string(HWY_MAJOR) + '.' + std::to_string(HWY_MINOR) + '.' + std::to_string(HWY_PATCH); }
std::string fftwVersion() { return fftwState().there ? fftwState().version : fftwState().reason; }

class OpenmpBackend final : public HostBackend {
public:
    OpenmpBackend() {
        releaseCallingThread();
        // To test and measure the code for older CPUs.
        if (const char* best = std::getenv("PARALLAX_SIMD")) limitVectorInstructions(best);
        implementations_.push_back(byAxes(makeOpenmpDirectConvolution(), makeOpenmpVolumeDirect()));
        implementations_.push_back(byAxes(makeOpenmpSeparableConvolution(), makeOpenmpVolumeSeparable()));
        implementations_.push_back(byAxes(makeOpenmpFftConvolution(), makeOpenmpVolumeFft()));
        implementations_.push_back(byAxes(makeOpenmpScalarConvolution(), makeOpenmpVolumeScalar()));
        implementations_.push_back(makeOpenmpEdges());
        implementations_.push_back(makeOpenmpSimdToneMapping());
        // Before 'scalar', which is there to be compared with.
        implementations_.push_back(makeOpenmpMultigridToneMapping());
        implementations_.push_back(makeOpenmpTransformToneMapping());
        implementations_.push_back(makeOpenmpScalarToneMapping());
        implementations_.push_back(makeOpenmpWaveletTransform());
        implementations_.push_back(makeOpenmpInverseWaveletTransform());
        implementations_.push_back(makeOpenmpWaveletDenoise());
        implementations_.push_back(makeOpenmpWaveletCompress());
        implementations_.push_back(makeOpenmpMultigridDiffuse());
        implementations_.push_back(makeOpenmpCgDiffuse());
        implementations_.push_back(makeOpenmpTransformDiffuse());
        implementations_.push_back(makeOpenmpMultigridPoisson());
        implementations_.push_back(makeOpenmpCgPoisson());
        implementations_.push_back(makeOpenmpTransformPoisson());
        implementations_.push_back(makeOpenmpMultigridFill());
        implementations_.push_back(makeOpenmpCgFill());
        implementations_.push_back(makeOpenmpRepair());
        implementations_.push_back(makeOpenmpRender());
        implementations_.push_back(makeOpenmpExampleScale());
    }

    std::string id() const override { return "openmp"; }
    std::string title() const override { return kOpenmpTitle; }
    std::vector<DeviceInfo> devices() const override {
        DeviceInfo device = hostDevice();
        device.details.insert(device.details.end(), {{"vector instructions", openmpVectorInstructions()},
                                                     {"Highway", highwayVersion()},
                                                     {"FFTW", fftwVersion()},
                                                     {"threads", threadBinding()}});
        return {device};
    }
    std::vector<std::pair<std::string, std::string>> buildDetails() const override {
        return {{"OpenMP", std::to_string(_OPENMP)},
                {"Highway", highwayVersion()},
                {"vector instructions", openmpVectorInstructions()},
                {"FFTW", fftwVersion()},
                {"threads", threadBinding()}};
    }
};

Backend* createBackend() { return new OpenmpBackend; }

}  // namespace
}  // namespace parallax

PARALLAX_PLUGIN_ENTRY(parallax::createBackend)
