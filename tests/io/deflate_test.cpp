// SPDX-License-Identifier: GPL-3.0-or-later
// Deflate in parts, inflating in pieces, and the ordered tasks that do it on several threads.
#include "core/io/codec/deflate.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <stop_token>

#include "core/image/error.hpp"
#include "core/io/codec/gzip.hpp"
#include "core/io/codec/inflate.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Text-like, noisy or constant bytes.
Bytes madeBytes(std::size_t n, int kind) {
    std::mt19937 random(static_cast<unsigned>(n) + static_cast<unsigned>(kind));
    Bytes bytes(n, 9);
    for (std::size_t i = 0; i < n; ++i)
        if (kind == 0) bytes[i] = static_cast<std::uint8_t>(random());
        else if (kind == 1) bytes[i] = static_cast<std::uint8_t>("abcdefgh"[random() % 8 * (random() % 3) / 2]);
    return bytes;
}

/// Inflates a raw stream with zlib, independent of the code under test.
Bytes inflatedByZlib(const Bytes& deflated, std::size_t n) {
    Bytes bytes(n + 1);
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, -MAX_WBITS), Z_OK);
    stream.next_in = const_cast<Bytef*>(deflated.data());
    stream.avail_in = static_cast<uInt>(deflated.size());
    stream.next_out = bytes.data();
    stream.avail_out = static_cast<uInt>(bytes.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    EXPECT_EQ(stream.avail_in, 0U);
    bytes.erase(bytes.end() - stream.avail_out, bytes.end());
    inflateEnd(&stream);
    return bytes;
}

TEST(Deflate, PartsJoinToOneStream) {
    for (const Compression compression : {Compression::fast, Compression::standard, Compression::small})
        for (const DeflateInput input : {DeflateInput::samples, DeflateInput::residuals})
            for (const int kind : {0, 1, 2})
                for (const std::size_t part : {1, 70, 40000, 200000}) {
                    const Bytes bytes = madeBytes(std::min<std::size_t>(part * 40, 200001), kind);
                    const std::span all(bytes);
                    Bytes joined;
                    for (std::size_t at = 0; at < all.size(); at += part) {
                        const std::size_t before = std::min<std::size_t>(at, 1 << 15), n = std::min(part, all.size() - at);
                        const Bytes deflated =
                            deflatePart(all.subspan(at - before, before), all.subspan(at, n), at + n == all.size(), compression, input);
                        joined.insert(joined.end(), deflated.begin(), deflated.end());
                    }
                    ASSERT_EQ(inflatedByZlib(joined, bytes.size()), bytes) << kind << ' ' << part;
                }
}

TEST(Deflate, AnEmptyLastPartEndsTheStream) {
    for (const Compression compression : {Compression::fast, Compression::standard, Compression::small}) {
        const Bytes bytes = madeBytes(1000, 1);
        Bytes joined = deflatePart({}, bytes, false, compression, DeflateInput::samples);
        const Bytes end = deflatePart({}, {}, true, compression, DeflateInput::samples);
        joined.insert(joined.end(), end.begin(), end.end());
        EXPECT_EQ(inflatedByZlib(joined, bytes.size()), bytes);
    }
}

TEST(Deflate, SmallIsNotLargerThanFast) {
    const Bytes bytes = madeBytes(300000, 1);
    const auto size = [&](Compression c) { return deflatePart({}, bytes, true, c, DeflateInput::samples).size(); };
    EXPECT_LE(size(Compression::small), size(Compression::fast));
}

TEST(Deflate, ChecksumsAgreeWithZlib) {
    for (const std::size_t n : {0, 1, 15, 16, 5552, 5553, 100003}) {
        const Bytes bytes = madeBytes(n, 0);
        const std::span all(bytes);
        EXPECT_EQ(crc32Of(all), crc32_z(0, bytes.data(), n));
        EXPECT_EQ(adler32Of(all), n ? adler32_z(1, bytes.data(), n) : 1);
        const std::size_t half = n / 3;
        EXPECT_EQ(crc32Of(all.subspan(half), crc32Of(all.first(half))), crc32Of(all));
        EXPECT_EQ(adler32Of(all.subspan(half), adler32Of(all.first(half))), adler32Of(all));
    }
}

Bytes zlibStream(const Bytes& bytes, int level) {
    uLongf n = compressBound(static_cast<uLong>(bytes.size()));
    Bytes stream(n);
    EXPECT_EQ(compress2(stream.data(), &n, bytes.data(), static_cast<uLong>(bytes.size()), level), Z_OK);
    stream.resize(n);
    return stream;
}

/// Inflates in pieces of the given sizes; `unused` counts bytes behind the end of the stream.
Inflater::State inflateInPieces(const Bytes& stream, std::size_t inPiece, std::size_t outPiece, Bytes& out, std::size_t& unused) {
    Inflater inflater(Inflater::Envelope::zlib);
    std::span<const std::uint8_t> rest(stream);
    out.clear();
    for (;;) {
        std::span<const std::uint8_t> in = rest.first(std::min(inPiece, rest.size()));
        Bytes piece(outPiece);
        std::span<std::uint8_t> room(piece);
        const std::size_t given = in.size();
        const Inflater::State state = inflater.step(in, room);
        rest = rest.subspan(given - in.size());
        out.insert(out.end(), piece.begin(), piece.end() - static_cast<std::ptrdiff_t>(room.size()));
        unused = rest.size() + inflater.excess();
        const bool stuck = given == in.size() && room.size() == outPiece;
        if (state != Inflater::State::running || stuck) return state;
    }
}

TEST(Inflate, GivesTheBytesInPiecesOfAnySize) {
    for (const int kind : {0, 1, 2})
        for (const int level : {0, 1, 9})
            for (const auto& [in, out] : {std::pair<std::size_t, std::size_t>{1, 7}, {13, 100000}, {100000, 1}, {100000, 100000}}) {
                const Bytes bytes = madeBytes(50021, kind);
                Bytes stream = zlibStream(bytes, level), result;
                std::size_t unused = 0;
                ASSERT_EQ(inflateInPieces(stream, in, out, result, unused), Inflater::State::ended) << kind << level << in;
                ASSERT_EQ(result, bytes);
                EXPECT_EQ(unused, 0U);
                stream.insert(stream.end(), {1, 2, 3});
                ASSERT_EQ(inflateInPieces(stream, in, out, result, unused), Inflater::State::ended);
                EXPECT_EQ(unused, 3U) << "bytes behind the stream belong to the caller";
            }
}

TEST(Inflate, FindsDamage) {
    const Bytes bytes = madeBytes(5000, 1);
    const Bytes good = zlibStream(bytes, 6);
    Bytes result;
    std::size_t unused = 0;
    Bytes checksum = good;
    checksum.back() ^= 1;
    EXPECT_EQ(inflateInPieces(checksum, 5000, 5000, result, unused), Inflater::State::damaged);
    Bytes header = good;
    header.front() = 0x79;
    EXPECT_EQ(inflateInPieces(header, 5000, 5000, result, unused), Inflater::State::damaged);
    const Bytes cut(good.begin(), good.end() - 10);
    EXPECT_EQ(inflateInPieces(cut, 5000, 5000, result, unused), Inflater::State::running);
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) {
        Bytes damaged = good;
        for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<std::uint8_t>(random());
        const auto state = inflateInPieces(damaged, 1 + random() % 500, 1 + random() % 5000, result, unused);
        EXPECT_TRUE(state != Inflater::State::ended || result == bytes) << "the checksum protects the bytes";
    }
}

Bytes gzipMember(const Bytes& bytes) {
    Bytes member(bytes.size() + 200);
    z_stream stream{};
    EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = const_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = member.data();
    stream.avail_out = static_cast<uInt>(member.size());
    EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
    member.erase(member.end() - stream.avail_out, member.end());
    deflateEnd(&stream);
    return member;
}

TEST(InflateFiles, SeveralMembersFollowEachOtherAndOtherBytesAreIgnored) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "a.gz";
    for (const std::size_t trailing : {0, 1, 5, 300}) {
        Bytes all, file;
        for (const std::size_t n : {0, 1, 2, 100, 131072, 7, 0, 50000, 3}) {
            const Bytes bytes = madeBytes(n, static_cast<int>(n % 3)), member = gzipMember(bytes);
            all.insert(all.end(), bytes.begin(), bytes.end());
            file.insert(file.end(), member.begin(), member.end());
        }
        file.insert(file.end(), trailing, 0x55);
        std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
        for (const std::size_t piece : {1, 1000, 1 << 20}) {
            InflateReader reader(path, 0);
            Bytes result, part(piece);
            for (std::size_t got = 0; (got = reader.readSome(part.data(), piece)) > 0;)
                result.insert(result.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(got));
            ASSERT_EQ(result, all) << trailing << ' ' << piece;
        }
        InflateReader(path, 0).finish({});
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size() - trailing - 3));
        EXPECT_THROW(InflateReader(path, 0).finish({}), Error) << "a cut checksum";
    }
}

TEST(OrderedTasks, TakesEveryResultInOrder) {
    for (const int threads : {1, 2, 7}) {
        LoadOptions options;
        options.threads = threads;
        std::vector<int> made(300, 0);
        std::vector<std::int64_t> taken;
        std::atomic<std::int64_t> furthest{0};
        runOrderedTasks(
            300, options, {},
            [&](std::int64_t i) {
                furthest = std::max<std::int64_t>(furthest, i);
                made[static_cast<std::size_t>(i)] = 1;
            },
            [&](std::int64_t i) {
                EXPECT_EQ(made[static_cast<std::size_t>(i)], 1);
                EXPECT_LT(furthest, i + 4 * threads + threads);
                taken.push_back(i);
            });
        std::vector<std::int64_t> expected(300);
        std::iota(expected.begin(), expected.end(), 0);
        EXPECT_EQ(taken, expected);
    }
}

TEST(OrderedTasks, RethrowsFromBothPartsAndStops) {
    LoadOptions options;
    options.threads = 4;
    for (const bool fromTake : {false, true}) {
        std::atomic<int> takenAfter{0};
        const auto failAt = [](std::int64_t i) {
            if (i == 40) throw std::runtime_error("forty");
        };
        EXPECT_THROW(runOrderedTasks(
                         1000, options, {}, [&](std::int64_t i) { fromTake ? void() : failAt(i); },
                         [&](std::int64_t i) {
                             if (fromTake) failAt(i);
                             takenAfter += i > 40;
                         }),
                     std::runtime_error);
        EXPECT_EQ(takenAfter, 0);
    }
    std::stop_source source;
    options.stop = source.get_token();
    std::atomic<int> taken{0};
    try {
        runOrderedTasks(
            100000, options, {}, [&](std::int64_t i) { i == 20 ? void(source.request_stop()) : void(); }, [&](std::int64_t) { ++taken; });
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::cancelled);
    }
    EXPECT_LT(taken, 100000);
}

TEST(OrderedStage, PassesInOrderAndReleasesThoseWhoWait) {
    LoadOptions options;
    options.threads = 4;
    OrderedStage stage;
    std::vector<std::int64_t> order;
    runTasks(200, options, {}, [&](std::int64_t i) { stage.pass(i, [&] { order.push_back(i); }); });
    std::vector<std::int64_t> expected(200);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(order, expected);
    OrderedStage failing;
    std::atomic<int> passed{0};
    runTasks(200, options, {}, [&](std::int64_t i) {
        if (i == 3) failing.fail();
        else passed += failing.pass(i, [] {});
    });
    EXPECT_LE(passed, 3);
}

}  // namespace
}  // namespace parallax
