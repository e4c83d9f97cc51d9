// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/kernel_text.hpp"

#include <algorithm>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/kernels/packed_parameters.hpp"

namespace parallax::user {

namespace {

std::string membersOf(const Operation& operation, const char* between) {
    return joined(operation.parameters().infos(), between, [](const ParameterInfo& p) { return memberNameOf(p.key); });
}

/// Whether the result may have another size than the input.
bool resizes(const Operation& operation) {
    Problem problem;
    problem.shape = {7, 5, 3, 1};
    problem.channelNames = {"Y"};
    problem.parameters = ParameterBlock(operation.parameters());
    try {
        const Shape out = operation.outputShape(problem);
        return out.width != problem.shape.width || out.height != problem.shape.height || out.depth != problem.shape.depth;
    } catch (const Error&) {
        return true;  // as of coefficients, which no image of this size holds
    }
}

std::string copyInCpp(const Operation& operation) {
    const std::string name = structNameOf(operation);
    return "// " + operation.title() +
           ". This kernel copies its input: replace the line that writes the output.\n"
           "#include <parallax/" +
           operation.id() +
           ".h>\n\n"
           "void parallax_kernel(const parallax_input *in, const parallax_output *out, const " +
           name +
           " *p, const parallax_context *context) {\n"
           "    (void)p;  // the parameters: p->" +
           membersOf(operation, ", p->") +
           "\n"
           "    const int64_t rows = out->height * out->depth * out->channels;\n"
           "#pragma omp parallel for num_threads(context->threads) schedule(static)\n"
           "    for (int64_t row = 0; row < rows; ++row) {\n"
           "        const int64_t y = row % out->height, z = row / out->height % out->depth, c = row / out->height / out->depth;\n"
           "        const float *from = in->data + y * in->row + z * in->slice + c * in->channel;\n"
           "        float *to = out->data + y * out->row + z * out->slice + c * out->channel;\n"
           "        for (int64_t x = 0; x < out->width; ++x) to[x] = " +
           (resizes(operation) ? "x < in->width && y < in->height && z < in->depth && c < in->channels ? from[x] : 0" : "from[x]") +
           ";\n"
           "    }\n"
           "}\n";
}

std::string copyInCuda(const Operation& operation) {
    const std::string name = structNameOf(operation);
    return "// " + operation.title() +
           ". This kernel copies its input: replace the line that writes the output.\n"
           "#include <parallax/" +
           operation.id() +
           ".h>\n\n"
           "// launch: block(32, 8) grid(ceil(out_width, 32), ceil(out_height, 8), out_depth)\n"
           "__global__ void copy(parallax_input in, parallax_output out, " +
           name +
           " p, parallax_context context) {\n"
           "    (void)p;  // the parameters: p." +
           membersOf(operation, ", p.") +
           "\n"
           "    const int64_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;\n"
           "    if (x >= out.width || y >= out.height) return;\n"
           "    for (int64_t c = 0; c < out.channels; ++c)\n"
           "        out.data[x + y * out.row + z * out.slice + c * out.channel] = " +
           (resizes(operation) ? "x >= in.width || y >= in.height || z >= in.depth || c >= in.channels ? 0 :\n            " : "") +
           "in.data[x + y * in.row + z * in.slice + c * in.channel];\n"
           "}\n";
}

}  // namespace

std::vector<KernelSample> kernelSamplesOf(const Operation& operation, KernelLanguage language) {
    std::vector<KernelSample> own;
    for (const KernelSample& s : kernelSamples())
        if (s.ending == endingOf(language) && s.text.find("#include <parallax/" + operation.id() + ".h>") != std::string::npos)
            own.push_back(s);
    return own;
}

std::string newKernel(const Operation& operation, const std::string& sample, KernelLanguage language) {
    const std::vector<KernelSample> samples = kernelSamplesOf(operation, language);
    const auto found =
        std::find_if(samples.begin(), samples.end(), [&](const KernelSample& s) { return s.name == (sample.empty() ? "naive" : sample); });
    if (found != samples.end()) return found->text.substr(found->text.find('\n') + 1);  // without the line on the licence
    if (!sample.empty())
        throw Error(ErrorCode::usage, "There is no sample '" + sample + "' of '" + operation.id() + "'",
                    samples.empty() ? "it has none" : "known are " + joined(samples, ", ", &KernelSample::name));
    return language == KernelLanguage::cuda ? copyInCuda(operation) : copyInCpp(operation);
}

}  // namespace parallax::user
