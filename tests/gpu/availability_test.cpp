// SPDX-License-Identifier: GPL-3.0-or-later
// Tests for every machine, with and without a GPU or a driver.
#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "core/engine/backend/catalog.hpp"
#include "gpu/backend.hpp"
#include "gpu/runtime/device.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

/// Set before anything asks for the catalog: the backend also implements the example, which is hidden otherwise.
[[maybe_unused]] const bool kExamplesAreListed = ::setenv("PARALLAX_EXAMPLES", "1", 0) == 0;

TEST(Availability, SaysWhyNotAndStaysListed) {
    const CudaBackend backend;
    const Availability a = backend.availability();
    if (a.yes) {
        EXPECT_FALSE(backend.devices().empty());
        for (const DeviceInfo& d : backend.devices()) {
            EXPECT_FALSE(d.name.empty());
            EXPECT_GT(d.memoryTotal, 0U);
            EXPECT_GT(d.memoryFree, 0U);
            EXPECT_LE(d.memoryFree, d.memoryTotal);
        }
    } else {
        EXPECT_FALSE(a.reason.empty());
        EXPECT_FALSE(a.whatToDo.empty());
        EXPECT_TRUE(backend.devices().empty());
        try {
            (void)backend.open({});
            FAIL() << "a session was opened without a device";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::unavailable);
            EXPECT_EQ(e.why(), a.reason);
        }
    }
    EXPECT_FALSE(deviceIsRequired() && !a.yes) << a.reason;
}

TEST(Availability, NamesTheConditionsOfADevice) {
    const auto names = [](const DeviceState& state) {
        std::string all;
        for (const Condition& c : conditionsOf(state)) {
            EXPECT_FALSE(c.what.empty());
            EXPECT_FALSE(c.advice.empty());
            all += c.name + " ";
        }
        return all;
    };
    EXPECT_EQ(names({}), "");
    EXPECT_EQ(names({.clockReasons = 0x1}), "");  // idle
    EXPECT_EQ(names({.clockReasons = 0x20}), "gpu-throttled ");
    EXPECT_EQ(names({.clockReasons = 0x8 | 0x40}), "gpu-throttled ");
    EXPECT_EQ(names({.clockReasons = 0x4}), "gpu-power-cap ");
    EXPECT_EQ(names({.clockReasons = 0x80}), "gpu-slowdown ");
    EXPECT_EQ(names({.otherProcesses = 2}), "gpu-shared ");
    // A missing device is not an error.
    EXPECT_EQ(names(deviceState(-1)) + names(deviceState(1000)), "");
}

TEST(Availability, PluginIsInTheCatalog) {
    const Backend& backend = processCatalog().backend("cuda");
    const Availability fromPlugin = backend.availability(), here = cudaAvailability();
    EXPECT_EQ(fromPlugin.yes, here.yes) << fromPlugin.reason;
    EXPECT_EQ(fromPlugin.reason, here.reason);
}

TEST(Availability, ListsItsVariants) {
    const CudaBackend backend;
    std::map<std::string, std::set<std::string>> variants;
    for (const Implementation* i : backend.implementations())
        EXPECT_TRUE(variants[i->operation()].insert(i->variant()).second) << i->operation() << ": two are called " << i->variant();
    for (const auto& operation : processCatalog().operations()) EXPECT_FALSE(variants[operation->id()].empty()) << operation->id();
    EXPECT_EQ(variants.size(), processCatalog().operations().size()) << "a variant of an unknown operation";
    EXPECT_GT(variants["convolve"].size(), 1U);
}

}  // namespace
}  // namespace parallax::gpu
