// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/device_communicator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/image/error.hpp"
#include "core/parallel/thread_team.hpp"

namespace parallax {
namespace {

/// A device whose copies happen when something waits for them, as those of a stream may.
class LazyDevice final : public RankDevice {
public:
    std::unique_ptr<RankCopies> startCopies() override { return std::make_unique<Copies>(*this); }
    void useRanks(Communicator* communicator) override { inUse = communicator != nullptr; }

    bool inUse = false;
    int waits = 0;
    std::vector<std::function<void()>> queue;

private:
    class Copies final : public RankCopies {
    public:
        explicit Copies(LazyDevice& device) : device_(device) {}
        ~Copies() override { device_.run(); }
        float* messages(std::int64_t samples) override {
            memory_.assign(static_cast<std::size_t>(samples), -1.0F);
            return memory_.data();
        }
        void toMessage(const View<const float>& samples, float* message) override { copy(samples, denseView(message, samples.shape)); }
        void fromMessage(const float* message, const View<float>& samples) override { copy(denseView(message, samples.shape), samples); }
        void copy(const View<const float>& from, const View<float>& to) override {
            device_.queue.push_back([=] {
                for (std::int64_t c = 0; c < from.shape.channels; ++c)
                    for (std::int64_t y = 0; y < from.shape.height; ++y) std::copy_n(from.row(y, 0, c), from.shape.width, to.row(y, 0, c));
            });
        }
        void waitForMessages() override {
            ++device_.waits;
            device_.run();
        }
        void finish() override {}

    private:
        LazyDevice& device_;
        std::vector<float> memory_;
    };

    void run() {
        for (const auto& work : std::exchange(queue, {})) work();
    }
};

class DeviceExchange : public testing::TestWithParam<ExchangeMode> {};

TEST_P(DeviceExchange, MovesRowsOfEveryChannelViaMessages) {
    constexpr int kSize = 3;
    ThreadTeam(kSize).run([&](Communicator& ranks) {
        LazyDevice device;
        DeviceCommunicator c(ranks, device, GetParam());
        const int rank = c.rank(), next = (rank + 1) % kSize, last = (rank + kSize - 1) % kSize;
        // Two rows of an image of two channels, whose channels lie apart, and a row to itself.
        std::vector<float> image(2 * 20), halo(2 * 8, 0.0F), self(4, 0.0F);
        for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(100 * rank) + static_cast<float>(i);
        const View<const float> rows{image.data() + 4, Shape{4, 2, 1, 2}, 4, 20, 20};
        const View<const float> row{image.data(), Shape{4, 1, 1, 1}, 4, 4, 4};
        {
            const auto exchange = c.startExchange({{next, rows}, {rank, row}},
                                                  {{rank, denseView(self.data(), row.shape)}, {last, denseView(halo.data(), rows.shape)}});
            EXPECT_EQ(device.waits, GetParam() == ExchangeMode::blocking ? 1 : 0);
            exchange->finish();
            EXPECT_EQ(device.waits, 1);
        }
        for (int channel = 0; channel < 2; ++channel)
            for (int i = 0; i < 8; ++i)
                EXPECT_EQ(halo[static_cast<std::size_t>(8 * channel + i)], static_cast<float>(100 * last + 20 * channel + 4 + i));
        EXPECT_EQ(self[3], image[3]);
        c.startExchange({}, {})->finish();
        EXPECT_EQ(device.waits, 1) << "nothing was sent";
    });
}

TEST_P(DeviceExchange, FailsWhereARankDisagreesWithItself) {
    EXPECT_THROW(ThreadTeam(2).run([&](Communicator& ranks) {
        LazyDevice device;
        DeviceCommunicator c(ranks, device, GetParam());
        std::vector<float> from(4), to(3);
        (void)c.startExchange({{c.rank(), denseView<const float>(from.data(), Shape{4, 1, 1, 1})}},
                              {{c.rank(), denseView(to.data(), Shape{3, 1, 1, 1})}});
    }),
                 Error);
}

INSTANTIATE_TEST_SUITE_P(All, DeviceExchange, testing::Values(ExchangeMode::overlapped, ExchangeMode::blocking));

TEST(UnfinishedDeviceExchange, EndsTheRun) {
    try {
        ThreadTeam(2).run([&](Communicator& ranks) {
            LazyDevice device;
            DeviceCommunicator c(ranks, device, ExchangeMode::overlapped);
            std::vector<float> samples(4);
            if (c.rank() == 0) (void)c.startExchange({{1, denseView<const float>(samples.data(), Shape{4, 1, 1, 1})}}, {});
            else c.startExchange({}, {{0, denseView(samples.data(), Shape{4, 1, 1, 1})}})->finish();
        });
        ADD_FAILURE() << "no error";
    } catch (const Error& e) {
        EXPECT_EQ(std::string(e.summary()), "A part has left an exchange unfinished");
    }
}

TEST(RankDevice, IsInUseAsLongAsARun) {
    LazyDevice device;
    ThreadTeam(1).run([&](Communicator& ranks) {
        const RanksInUse inUse(&device, ranks);
        EXPECT_TRUE(device.inUse);
        const RanksInUse nothing(nullptr, ranks);
    });
    EXPECT_FALSE(device.inUse);
}

}  // namespace
}  // namespace parallax
