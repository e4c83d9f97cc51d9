// SPDX-License-Identifier: GPL-3.0-or-later
// As GoogleTest's own main(), but returns 77 if all tests were skipped for lack of a device.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const int result = RUN_ALL_TESTS();
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    constexpr int kSkipped = 77;
    return result == 0 && all.successful_test_count() == 0 && all.skipped_test_count() > 0 ? kSkipped : result;
}
