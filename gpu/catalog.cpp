// SPDX-License-Identifier: GPL-3.0-or-later
// The implementations of the CUDA backend. The default variant of an operation is the one with the highest preference(), or else the first.
#include "core/operations/convolution/volume/by_axes.hpp"
#include "gpu/backend.hpp"
#include "gpu/operations/convolution/convolution.hpp"
#include "gpu/operations/convolution/volume/convolution.hpp"
#include "gpu/operations/diffuse/diffuse.hpp"
#include "gpu/operations/edges/edges.hpp"
#include "gpu/operations/example_scale/example_scale.hpp"
#include "gpu/operations/fill/fill.hpp"
#include "gpu/operations/poisson/poisson.hpp"
#include "gpu/operations/render/render.hpp"
#include "gpu/operations/repair/repair.hpp"
#include "gpu/operations/tone_mapping/tone_mapping.hpp"
#include "gpu/operations/wavelet/wavelet.hpp"

namespace parallax::gpu {

std::vector<std::unique_ptr<Implementation>> makeImplementations() {
    std::vector<std::unique_ptr<Implementation>> all;
    all.push_back(byAxes(makeConvolution(ConvolutionVariant::direct), makeVolumeConvolution(VolumeVariant::direct)));
    all.push_back(byAxes(makeConvolution(ConvolutionVariant::separable), makeVolumeConvolution(VolumeVariant::separable)));
    all.push_back(byAxes(makeFftConvolution()));
    all.push_back(byAxes(makeConvolution(ConvolutionVariant::tiled)));
    all.push_back(byAxes(makeConvolution(ConvolutionVariant::naive), makeVolumeConvolution(VolumeVariant::naive)));
    all.push_back(byAxes(makeNppConvolution()));
    all.push_back(makeEdges());
    for (const auto variant : {WaveletVariant::fused, WaveletVariant::constant, WaveletVariant::shared, WaveletVariant::global}) {
        all.push_back(makeWaveletTransform(variant));
        all.push_back(makeInverseWaveletTransform(variant));
        all.push_back(makeWaveletDenoise(variant));
        all.push_back(makeWaveletCompress(variant));
    }
    for (const ToneVariant variant : {ToneVariant::fused, ToneVariant::primitives, ToneVariant::cub, ToneVariant::textbook})
        all.push_back(makeToneMapping(variant));
    for (const SolverMethod method : {SolverMethod::multigrid, SolverMethod::dct}) all.push_back(makeGradientToneMapping(method));
    for (const SolverMethod method :
         {SolverMethod::multigrid, SolverMethod::cg, SolverMethod::textbook, SolverMethod::csr, SolverMethod::dct}) {
        all.push_back(makePoisson(method));
        all.push_back(makeDiffuse(method));
        if (method != SolverMethod::dct) all.push_back(makeFill(method));
    }
    all.push_back(makeRepair());
    all.push_back(makeRender());
    all.push_back(makeExampleScale());
    return all;
}

}  // namespace parallax::gpu
