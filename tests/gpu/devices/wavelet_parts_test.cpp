// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms on parts with and without exchange before small levels: bit-identical to the transform of the whole. Through the engine, the
// levels of test images are all small (tests/conformance/parts.cpp).
#include <memory>
#include <utility>

#include "core/operations/wavelet/parameters.hpp"
#include "core/parallel/thread_team.hpp"
#include "gpu/operations/wavelet/parts/part_transform.hpp"
#include "gpu/parallel/peer_transport.hpp"
#include "tests/gpu/devices/group_test.hpp"

namespace parallax::gpu {
namespace {

struct Case {
    int moments;  ///< of a Daubechies wavelet
    WaveletMode mode;
    Shape shape;
    int levels;
};
constexpr Case kCases[] = {{1, WaveletMode::zero, {9, 60, 1, 2}, 4},         {4, WaveletMode::symmetric, {12, 130, 1, 1}, 3},
                           {4, WaveletMode::periodic, {12, 131, 1, 1}, 3},   {3, WaveletMode::periodization, {10, 7, 75, 1}, 3},
                           {2, WaveletMode::antireflect, {11, 8, 67, 2}, 4}, {5, WaveletMode::smooth, {13, 9, 101, 1}, 3},
                           {7, WaveletMode::reflect, {5, 6, 40, 1}, 2}};

class WaveletPartsTest {
public:
    WaveletPartsTest(const Case& c, int parts) : case_(c), image_(noiseImage(c.shape)) {
        WaveletParameters parameters;
        parameters.wavelet = static_cast<WaveletId>(c.moments);
        parameters.mode = c.mode;
        parameters.levels = c.levels;
        plan_ = planWavelet(parameters, c.shape);
        std::vector<CudaSession*> all;
        for (int device = 0; device < parts; ++device) {
            sessions_.push_back(std::make_unique<CudaSession>(device));
            all.push_back(sessions_.back().get());
        }
        team_ = std::make_unique<ThreadTeam>(parts, makePeerTransport(all));
    }

    /// Coefficients of the image and the image of the coefficients.
    std::pair<Buffer, Buffer> whole(WaveletVariant variant) {
        CudaSession& session = *sessions_[0];
        const CurrentDevice current(session.device());
        DeviceTransform transform(plan_, variant, session, true, true);
        Buffer in = session.allocate(plan_.image), out = session.allocate(plan_.image), mosaic = session.allocate(plan_.mosaic);
        session.upload(image_->view(), in.view<float>());
        ProgressShare progress(nullptr, 0, 1);
        RunContext context;
        for (std::int64_t c = 0; c < plan_.image.channels; ++c) {
            transform.forward(in.view<float>().channel(c), mosaic.view<float>().channel(c), context, progress);
            transform.inverse(mosaic.view<float>().channel(c), out.view<float>().channel(c), context, progress);
        }
        return {onHost(session, mosaic), onHost(session, out)};
    }

    std::pair<Buffer, Buffer> onParts(WaveletVariant variant, std::int64_t smallLevel) {
        std::pair<Buffer, Buffer> results{Buffer(plan_.mosaic), Buffer(plan_.image)};
        team_->run([&](Communicator& communicator) {
            CudaSession& session = *sessions_[static_cast<std::size_t>(communicator.rank())];
            const CurrentDevice current(session.device());
            const auto rowsOf = [&](const Shape& shape) {
                return Partition(shape.depth > 1 ? shape.depth : shape.height, communicator.size())[communicator.rank()];
            };
            const PartRange lines = rowsOf(plan_.image), rows = rowsOf(plan_.mosaic);
            std::vector<int> channels;
            for (int c = 0; c < plan_.image.channels; ++c) channels.push_back(c);
            PartTransform transform(plan_, variant,
                                    {.forward = true,
                                     .inverse = true,
                                     .channels = channels,
                                     .mosaics = static_cast<int>(channels.size()),
                                     .smallLevel = smallLevel},
                                    session);
            Buffer in = session.allocate(shapeOf(plan_.image, lines)), out = session.allocate(shapeOf(plan_.image, lines));
            Buffer mosaic = session.allocate(shapeOf(plan_.mosaic, rows));
            session.upload(partOf(image_->view(), lines), in.view<float>());
            EXPECT_TRUE(transform.divide(lines.count(), communicator));
            transform.takeImage(std::as_const(in).view<float>(), communicator);
            ProgressShare progress(nullptr, 0, 1);
            RunContext context;
            for (const int c : channels) transform.forward(c, c, communicator, context, progress);
            transform.giveMosaic(mosaic.view<float>(), rows.count(), communicator);
            // What comes back is not what was kept.
            transform.takeMosaic(std::as_const(mosaic).view<float>(), rows.count(), communicator);
            for (const int c : channels) transform.inverse(c, c, communicator, context, progress);
            transform.giveImage(out.view<float>());
            session.download(std::as_const(mosaic).view<float>(), partOf(results.first.view<float>(), rows));
            session.download(std::as_const(out).view<float>(), partOf(results.second.view<float>(), lines));
            session.drain();
            communicator.barrier();
        });
        return results;
    }

private:
    static Shape shapeOf(Shape shape, const PartRange& range) {
        (shape.depth > 1 ? shape.depth : shape.height) = range.count();
        return shape;
    }
    template <class T>
    static View<T> partOf(View<T> view, const PartRange& range) {
        view.data += range.first * (view.shape.depth > 1 ? view.sliceStride : view.rowStride);
        view.shape = shapeOf(view.shape, range);
        return view;
    }
    static Buffer onHost(CudaSession& session, const Buffer& device) {
        Buffer host(device.shape());
        session.download(device.view<float>(), host.view<float>());
        return host;
    }

    Case case_;
    ImagePtr image_;
    WaveletPlan plan_;
    std::vector<std::unique_ptr<CudaSession>> sessions_;
    std::unique_ptr<ThreadTeam> team_;
};

TEST(WaveletsOnDevices, HaveTheBitsOfOneWithAndWithoutExchange) {
    PARALLAX_NEEDS_DEVICES(2);
    for (const Case& c : kCases)
        for (int parts = 2; parts <= std::min(3, deviceCount()); ++parts) {
            WaveletPartsTest test(c, parts);
            for (const WaveletVariant variant : {WaveletVariant::fused, WaveletVariant::constant}) {
                const auto whole = test.whole(variant);
                for (const std::int64_t smallLevel : {std::int64_t{0}, std::int64_t{400}, PartWindows::kSmallLevel}) {
                    SCOPED_TRACE(testing::Message()
                                 << "db" << c.moments << ", mode " << static_cast<int>(c.mode) << ", " << info(variant).name << " on "
                                 << parts << " parts, small levels of " << smallLevel << " samples");
                    const auto onParts = test.onParts(variant, smallLevel);
                    EXPECT_TRUE(sameBits(onParts.first.view<float>(), whole.first.view<float>())) << "coefficients";
                    EXPECT_TRUE(sameBits(onParts.second.view<float>(), whole.second.view<float>())) << "image";
                }
            }
        }
}

}  // namespace
}  // namespace parallax::gpu
