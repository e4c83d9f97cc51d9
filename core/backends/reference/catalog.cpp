// SPDX-License-Identifier: GPL-3.0-or-later
// Backend "reference" and the list of its implementations.
#include "core/backends/reference/backend.hpp"

#include "core/backends/host_backend.hpp"
#include "core/operations/convolution/reference.hpp"
#include "core/operations/convolution/volume/by_axes.hpp"
#include "core/operations/convolution/volume/reference.hpp"
#include "core/operations/diffuse/reference.hpp"
#include "core/operations/edges/reference.hpp"
#include "core/operations/example_scale/reference.hpp"
#include "core/operations/fill/reference.hpp"
#include "core/operations/poisson/reference.hpp"
#include "core/operations/render/reference.hpp"
#include "core/operations/repair/reference.hpp"
#include "core/operations/tone_mapping/reference.hpp"
#include "core/operations/wavelet/reference.hpp"

namespace parallax {
namespace {

class ReferenceBackend final : public HostBackend {
public:
    ReferenceBackend() {
        implementations_.push_back(byAxes(makeReferenceConvolution(), makeReferenceVolumeConvolution()));
        implementations_.push_back(makeReferenceEdges());
        implementations_.push_back(makeReferenceToneMapping());
        implementations_.push_back(makeReferenceWaveletTransform());
        implementations_.push_back(makeReferenceInverseWaveletTransform());
        implementations_.push_back(makeReferenceWaveletDenoise());
        implementations_.push_back(makeReferenceWaveletCompress());
        implementations_.push_back(makeReferenceDiffuse());
        implementations_.push_back(makeReferencePoisson());
        implementations_.push_back(makeReferenceFill());
        implementations_.push_back(makeReferenceRepair());
        implementations_.push_back(makeReferenceRender());
        implementations_.push_back(makeReferenceExampleScale());
    }

    std::string id() const override { return kReferenceBackend; }
    std::string title() const override { return "Reference"; }
    bool isSerial() const override { return true; }
    std::vector<DeviceInfo> devices() const override { return {hostDevice()}; }
    std::unique_ptr<BackendSession> open(const RunContext&) const override { return makeHostSession(); }
};

}  // namespace

std::shared_ptr<Backend> makeReferenceBackend() { return std::make_shared<ReferenceBackend>(); }

}  // namespace parallax
