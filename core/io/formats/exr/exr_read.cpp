// SPDX-License-Identifier: GPL-3.0-or-later
#include <ImfChannelList.h>
#include <ImfMultiPartInputFile.h>
#include <ImfThreading.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <utility>

#include "core/engine/run/run_context.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/exr/exr.hpp"
#include "core/io/formats/exr/exr_deep.hpp"
#include "core/io/formats/exr/exr_errors.hpp"
#include "core/io/formats/exr/exr_header.hpp"
#include "core/io/formats/exr/exr_metadata.hpp"
#include "core/io/formats/exr/exr_planes.hpp"
#include "core/io/formats/exr/exr_sampled.hpp"
#include "core/io/limits.hpp"
#include "core/io/sample_budget.hpp"

namespace parallax {
namespace {

void noteLargeIntegers(Image& image, const Imf::Header& header, const ExrSelection& selection) {
    for (std::size_t c = 0; c < std::min(selection.stored.size(), image.source.storedStatistics.size()); ++c)
        if (header.channels()[selection.stored[c]].type == Imf::UINT && image.source.storedStatistics[c].max > 0x1p24)
            image.source.warnings.push_back("Channel '" + selection.names[c] +
                                            "' has integers above 2^24, which float cannot hold exactly");
}

Image loadParts(const std::string& path, const std::string& choice, const LoadOptions& options) {
    const int threads = useExrThreads(options.threads);
    const std::uint64_t tables = checkExrHeaders(path);
    Imf::MultiPartInputFile file(path.c_str(), threads);
    const ExrSelection selection = selectExr(path, file, choice);
    if (isDeepPart(file.header(selection.part))) {
        Image image = loadDeep(path, file, selection, tables, threads, options);
        noteLargeIntegers(image, file.header(selection.part), selection);
        return image;
    }
    const CheckedHeader checked = checkHeader(path, file, selection, tables, options);
    const std::optional<PartRange> part = checked.subsampled ? std::nullopt : options.part;
    checkAffordable(path, shapeToRead(checked.shape, part), std::filesystem::file_size(path), options);
    Image image;
    if (!withinSampleBudget(checked.shape)) {
        image = Image(sampleBuffer(checked.shape), selection.names);
        describeExr(image, file, selection);
        return image;
    }
    if (part) {
        image = Image(sampleBuffer(checked.shape, part), selection.names);
        describeExr(image, file, selection);
        if (image.samples().empty()) return image;
        ExrRowReader(path, options, choice).read(part->first, image.view());
        for (std::int64_t c = 0; c < checked.shape.channels; ++c)
            image.source.storedStatistics.push_back(computeStatistics(std::as_const(image).view().channel(c)));
    } else if (checked.subsampled) {
        image = loadSampled(path, file, checked, threads, options);
    } else {
        image = Image(Buffer(checked.shape), selection.names);
        describeExr(image, file, selection);
        readPlanes(path, file, checked, image, threads, options);
    }
    noteLargeIntegers(image, file.header(selection.part), selection);
    return image;
}

}  // namespace

Loader exrLoader() {
    return {"OpenEXR",
            {"exr"},
            [](std::span<const std::uint8_t> head, const std::string& path) {
                return startsWith(head, "\x76\x2f\x31\x01") || hasExtension(path, {"exr"});
            },
            [](const std::string& path, const std::string& choice, const LoadOptions& options) {
                return withReason(path, [&] { return loadParts(path, choice, options); });
            },
            true};
}

int useExrThreads(int wanted) {
    RunContext context;
    context.threads = wanted;
    const int threads = effectiveThreads(context);
    // One pool for the process. It only grows, so that concurrent loads do not take threads from each other.
    static std::mutex growing;
    const std::lock_guard lock(growing);
    if (Imf::globalThreadCount() < threads) Imf::setGlobalThreadCount(threads);
    return threads;
}

std::int64_t exrBlockLines(int compression) {
    switch (compression) {
        case Imf::ZIP_COMPRESSION:
        case Imf::PXR24_COMPRESSION: return 16;
        case Imf::PIZ_COMPRESSION:
        case Imf::B44_COMPRESSION:
        case Imf::B44A_COMPRESSION:
        case Imf::DWAA_COMPRESSION: return 32;
        case Imf::DWAB_COMPRESSION: return 256;
        default: return 1;
    }
}

std::uint64_t exrBlockBytes(int compression, std::uint64_t rowBytes, std::int64_t height, int threads) {
    const std::int64_t lines = exrBlockLines(compression), blocks = std::min<std::int64_t>(2 * threads, (height + lines - 1) / lines);
    constexpr std::uint64_t kCopies = 3;
    return kCopies * static_cast<std::uint64_t>(blocks * lines) * rowBytes;
}

}  // namespace parallax
