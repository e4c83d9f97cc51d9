// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/checksum/checksum.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "core/image/sha256.hpp"
#include "tests/support/sha256.hpp"

namespace parallax {
namespace {

std::string digest(std::string_view text, bool accelerated, std::size_t piece = 1000) {
    Sha256 sha(accelerated);
    for (std::size_t at = 0; at < text.size(); at += piece) sha.add(std::as_bytes(std::span(text.substr(at, piece))));
    return sha.finish();
}

/// FIPS 180-4 examples and the long message of NIST's "Secure Hashing" examples; both code paths, in pieces of any length.
TEST(Sha256, HasTheDigestsOfNist) {
    const std::string million(1'000'000, 'a');
    for (const bool accelerated : {false, true}) {
        EXPECT_EQ(digest("", accelerated), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        EXPECT_EQ(digest("abc", accelerated), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        EXPECT_EQ(digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", accelerated),
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        EXPECT_EQ(digest("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
                         "nopqrstu",
                         accelerated),
                  "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
        for (const std::size_t piece : {1U, 63U, 64U, 65U, 1000U})
            EXPECT_EQ(digest(million, accelerated, piece), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0") << piece;
    }
}

TEST(Sha256, AgreesWithAnotherImplementationAtEveryLength) {
    std::string text;
    for (int length = 0; length < 200; ++length) {
        test::Sha256 other;
        other.add({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
        const std::string expected = other.finish();
        for (const bool accelerated : {false, true}) EXPECT_EQ(digest(text, accelerated, 7), expected) << length;
        text += static_cast<char>(37 * length + 11);
    }
}

TEST(Checksum, HashesSamplesInTheirOrderWithoutPadding) {
    const Shape shape{3, 2, 2, 2};
    std::vector<float> dense(24), padded(2 * 2 * 2 * 5, std::nanf(""));
    for (std::size_t i = 0; i < dense.size(); ++i) dense[i] = static_cast<float>(i) - 7.5F;
    View<float> rows{padded.data(), shape, 5, 10, 20};
    const View<const float> all = denseView<const float>(dense.data(), shape);
    for (std::int64_t c = 0; c < 2; ++c)
        for (std::int64_t z = 0; z < 2; ++z)
            for (std::int64_t y = 0; y < 2; ++y)
                for (std::int64_t x = 0; x < 3; ++x) rows.at(x, y, z, c) = all.at(x, y, z, c);
    Sha256 sha;
    sha.add(std::as_bytes(std::span(dense)));
    EXPECT_EQ(checksumOf(all), sha.finish());
    EXPECT_EQ(checksumOf(rows), checksumOf(all));
    EXPECT_TRUE(sameBits(rows, all));
    rows.at(2, 1, 1, 1) = std::nextafter(rows.at(2, 1, 1, 1), 100.F);
    EXPECT_NE(checksumOf(rows), checksumOf(all));
    EXPECT_FALSE(sameBits(rows, all));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(checksumOf(all, stop.get_token()), "");
}

}  // namespace
}  // namespace parallax
