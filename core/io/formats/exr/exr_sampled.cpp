// SPDX-License-Identifier: GPL-3.0-or-later
// Channels of lower resolution: luminance with chroma, and others.
#include "core/io/formats/exr/exr_sampled.hpp"

#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfInputPart.h>
#include <ImfRgbaFile.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/image/host/host_vector.hpp"
#include "core/io/formats/exr/exr_metadata.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

/// Reads subsampled channels at their own size.
struct SampledPlane {
    std::int64_t width = 0, height = 0;
    HostVector<float> samples;
};
std::vector<SampledPlane> readSampled(const std::string& path, Imf::MultiPartInputFile& file, const CheckedHeader& checked, int threads,
                                      const LoadOptions& options) {
    const Imath::Box2i& window = checked.window;
    const std::vector<std::string>& names = checked.selection.stored;
    Imf::InputPart part(file, checked.selection.part);
    std::vector<SampledPlane> planes(names.size());
    std::vector<ExrPlane> inFileOrder;
    Imf::FrameBuffer frame;
    for (auto it = part.header().channels().begin(); it != part.header().channels().end(); ++it) {
        const Imf::Channel& channel = it.channel();
        const auto first = [](int lo, int s) { return (lo >= 0 ? (lo + s - 1) / s : lo / s); };
        const auto last = [](int hi, int s) { return (hi >= 0 ? hi / s : -((-hi + s - 1) / s)); };
        const int x0 = first(window.min.x, channel.xSampling), x1 = last(window.max.x, channel.xSampling);
        const int y0 = first(window.min.y, channel.ySampling), y1 = last(window.max.y, channel.ySampling);
        const auto name = std::find(names.begin(), names.end(), it.name());
        if (name == names.end()) {
            inFileOrder.emplace_back();
            continue;
        }
        SampledPlane& p = planes[static_cast<std::size_t>(name - names.begin())];
        p.width = std::max(0, x1 - x0 + 1);
        p.height = std::max(0, y1 - y0 + 1);
        p.samples.resize(static_cast<std::size_t>(p.width * p.height));
        inFileOrder.push_back({p.samples.data(), p.width});
        frame.insert(it.name(), Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(p.samples.data() - (y0 * p.width + x0)), sizeof(float),
                                           sizeof(float) * static_cast<std::size_t>(p.width), channel.xSampling, channel.ySampling));
    }
    part.setFrameBuffer(frame);
    const ExrChunks chunks(path, file, checked.selection.part, checked.tables);
    const std::size_t step = rowsOfChunks(part.header(), chunks, checked.shape, threads);
    ExrChunkWork work(path);
    for (std::size_t i = 0; i < chunks.all().size(); i += step) {
        options.throwIfStopped();
        const std::span band = std::span(chunks.all()).subspan(i, std::min(step, chunks.all().size() - i));
        for (const ExrChunk& chunk : band) {
            if (const std::string why = chunks.damage(chunk, work); !why.empty()) throw std::runtime_error(why);
            if (chunks.decodable()) chunks.decode(chunk, work, inFileOrder, 0, checked.shape.height);
        }
        if (!chunks.decodable())
            part.readPixels(static_cast<int>(window.min.y + band.front().y),
                            static_cast<int>(window.min.y + band.back().y + band.back().height - 1));
    }
    return planes;
}

/// The filters that reconstruct chroma and the conversion are OpenEXR's own.
void convertLuminanceChroma(const std::string& path, Image& image, const Imath::Box2i& window, int threads, const LoadOptions& options) {
    Imf::RgbaInputFile file(path.c_str(), threads);
    const View<float> v = image.view();
    constexpr int kLines = 64;
    std::vector<Imf::Rgba> band(static_cast<std::size_t>(v.shape.width) * kLines);
    for (int y = window.min.y; y <= window.max.y; y += kLines) {
        options.throwIfStopped();
        options.report(static_cast<double>(y - window.min.y) / static_cast<double>(v.shape.height));
        const int end = std::min(window.max.y, y + kLines - 1);
        file.setFrameBuffer(band.data() - (static_cast<std::ptrdiff_t>(y) * v.shape.width + window.min.x), 1,
                            static_cast<std::size_t>(v.shape.width));
        file.readPixels(y, end);
        for (int row = y; row <= end; ++row)
            for (std::int64_t x = 0; x < v.shape.width; ++x) {
                const Imf::Rgba& p = band[static_cast<std::size_t>((row - y) * v.shape.width + x)];
                const std::int64_t iy = row - window.min.y;
                v.at(x, iy, 0, 0) = p.r;
                v.at(x, iy, 0, 1) = p.g;
                v.at(x, iy, 0, 2) = p.b;
                if (v.shape.channels > 3) v.at(x, iy, 0, 3) = p.a;
            }
    }
}

void repeatTo(View<float> v, const SampledPlane& p) {
    for (std::int64_t y = 0; y < v.shape.height; ++y)
        for (std::int64_t x = 0; x < v.shape.width; ++x)
            v.at(x, y) = p.samples.empty()
                             ? 0.0F
                             : p.samples[static_cast<std::size_t>(std::min(p.height - 1, y * p.height / v.shape.height) * p.width +
                                                                  std::min(p.width - 1, x * p.width / v.shape.width))];
}

}  // namespace

Image loadSampled(const std::string& path, Imf::MultiPartInputFile& file, const CheckedHeader& checked, int threads,
                  const LoadOptions& options) {
    std::vector<std::string> names = checked.selection.names;
    const auto has = [&](const char* n) { return std::find(names.begin(), names.end(), n) != names.end(); };
    const bool chroma = has("RY") && has("BY") && has("Y"), alpha = has("A");
    if (chroma && (checked.selection.part > 0 || checked.selection.some))
        refuseFile(path, "the chosen part or layer has luminance and subsampled chroma, which is supported in the first part alone",
                   "Convert it to R, G and B");
    const auto planes = readSampled(path, file, checked, threads, options);
    if (chroma) names = {"R", "G", "B"};
    if (chroma && alpha) names.emplace_back("A");
    Image image(Buffer(Shape{checked.shape.width, checked.shape.height, 1, static_cast<std::int64_t>(names.size())}), names);
    if (chroma) convertLuminanceChroma(path, image, checked.window, threads, options);
    else
        for (std::size_t c = 0; c < names.size(); ++c) repeatTo(image.view().channel(static_cast<std::int64_t>(c)), planes[c]);
    describeExr(image, file, checked.selection);
    for (const SampledPlane& p : planes)
        image.source.storedStatistics.push_back(
            p.samples.empty() ? SampleStatistics{} : computeStatistics(denseView(p.samples.data(), Shape{p.width, p.height})));
    image.source.warnings.push_back(chroma ? "Luminance and subsampled chroma were converted to R, G and B"
                                           : "Channels of lower resolution were enlarged by repeating samples");
    return image;
}

}  // namespace parallax
