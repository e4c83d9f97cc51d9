// SPDX-License-Identifier: GPL-3.0-or-later
// Gives thousands of damaged streams and blocks to the codecs that the readers of files share. Each must give a result or an Error. Meant
// for the address sanitizer.
//   parallax_fuzz_codecs [ROUNDS [SEED [READER|each]]]
#include <sys/socket.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <span>

#include "core/backends/mpi/messages.hpp"
#include "core/engine/parts/rank_order.hpp"
#include "core/io/codec/colour_profile.hpp"
#include "core/io/codec/exif.hpp"
#include "core/io/codec/gzip.hpp"
#include "core/io/codec/text.hpp"
#include "tests/fuzz/damage.hpp"
#include "tests/support/temporary_folder.hpp"

namespace parallax::test {
namespace {

void inflate(const Bytes& bytes, InflateReader::Envelope envelope) {
    const TemporaryFolder folder;
    write(folder / "stream", bytes);
    InflateReader stream(folder / "stream", 0, envelope);
    Bytes piece(1000);
    stream.read(piece.data(), piece.size());
    stream.skip(100, {});
    (void)stream.readSome(piece.data(), piece.size());
    stream.finish({});
}

void takeText(const Bytes& bytes) {
    const std::string text(bytes.begin(), bytes.end());
    const std::string utf8 = toUtf8(text);
    if (toUtf8(utf8) != utf8) throw std::runtime_error("its conversion is not UTF-8");
    for (const char c : printable(utf8))
        if (static_cast<unsigned char>(c) < 0x20) throw std::runtime_error("a control character is left");
    (void)split(text, ',');
    (void)trimmed(text);
}

/// Reads messages of a process that is no rank, and orders of rank 0.
void takeMessages(const Bytes& bytes) {
    const std::span<const std::byte> message = std::as_bytes(std::span(bytes));
    const auto refused = [&](const auto& read) {
        try {
            read();
            return false;
        } catch (const Error&) {
            return true;
        }
    };
    int refusals = 0;
    refusals += refused([&] { (void)timesOf(messageOf<DoneMessage>(message).times); });
    refusals += refused([&] { (void)messageOf<HelloMessage>(message); });
    refusals += refused([&] { (void)RankOrder::of(message); });
    refusals += refused([&] { (void)messageOf<PrepareMessage>(message); });
    refusals += refused([&] { (void)messageOf<PreparedMessage>(message); });
    refusals += refused([&] { (void)errorOf(messageOf<ErrorMessage>(message)); });
    // A message is at most one of these kinds, but for empty ones.
    if (refusals == 0) throw std::runtime_error("it is taken for anything");
}

/// Reads frames from a socket.
void takeFrames(const Bytes& bytes) {
    std::array<int, 2> sockets{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) throw std::bad_alloc();
    Channel channel{Descriptor(sockets[0])};
    {
        const Descriptor other(sockets[1]);
        (void)!::write(other.get(), bytes.data(), std::min<std::size_t>(bytes.size(), 60'000));
    }
    while (channel.receive()) {}
}

/// The codec of each sample; the name up to the first blank says which.
const std::map<std::string, void (*)(const Bytes&)> kCodecs{
    {"gzip", [](const Bytes& b) { inflate(b, InflateReader::Envelope::zlibOrGzip); }},
    {"deflate", [](const Bytes& b) { inflate(b, InflateReader::Envelope::none); }},
    {"exif", [](const Bytes& b) { (void)exifOrientation(b); }},
    {"profile",
     [](const Bytes& b) {
         SourceInfo source;
         useProfile(source, b, "name", b.size() % 2 == 0);
         (void)namesSrgb(b);
     }},
    {"text", takeText},
    {"message", takeMessages},
    {"frame", takeFrames},
};

/// `window`: 15 for zlib, 31 for gzip, -15 for no envelope.
Bytes deflated(const Bytes& bytes, int window) {
    z_stream s{};
    if (deflateInit2(&s, 6, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
    Bytes out(deflateBound(&s, bytes.size()) + 100);
    s.next_in = const_cast<Bytef*>(bytes.data());
    s.avail_in = static_cast<uInt>(bytes.size());
    s.next_out = out.data();
    s.avail_out = static_cast<uInt>(out.size());
    if (deflate(&s, Z_FINISH) != Z_STREAM_END) throw std::bad_alloc();
    out.resize(s.total_out);
    deflateEnd(&s);
    return out;
}

Bytes bytesOf(std::string_view text) { return {text.begin(), text.end()}; }

DoneMessage exampleDone() {
    DoneMessage done;
    done.times.pieces.resize(3);
    done.tolerances = {0, 1e-6};
    done.statistics = {{1, "white", "White point", "", 2.5}};
    done.series = {{0, "residual", "R", "converged", {1, 2}, {0.5, 0.25}, 1e-6}};
    done.curves = {{1, {0, 1}, {0, 0.5}}};
    done.warnings = {"a warning"};
    return done;
}
PrepareMessage examplePrepare() {
    PrepareMessage prepare;
    prepare.backend = "openmp";
    prepare.steps = {"convolve:size=3", "tonemap"};
    prepare.shape = {64, 48, 1, 3};
    prepare.channelNames = {"R", "G", "B"};
    prepare.facts = {{"parallax.fact", "text"}};
    return prepare;
}
RankOrder exampleOrder() {
    RankOrder order{.kind = RankOrder::Kind::prepare, .id = 3, .build = "a build"};
    order.target = {.backend = "openmp", .modes = {"blocking"}, .parts = 4};
    order.steps = {"convolve:size=3"};
    order.implementations = {"convolve / openmp / direct"};
    order.problem.shape = {64, 48, 1, 3};
    order.problem.facts = {{"parallax.fact", "text"}};
    return order;
}
Bytes asBytes(const std::vector<std::byte>& bytes) {
    Bytes all(bytes.size());
    std::memcpy(all.data(), bytes.data(), all.size());
    return all;
}
/// The bytes of a frame on its socket.
Bytes frameOf(const Bytes& body) {
    std::array<int, 2> sockets{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) throw std::bad_alloc();
    Channel channel{Descriptor(sockets[0])};
    const Descriptor other(sockets[1]);
    channel.send(FrameKind::prepare, std::as_bytes(std::span(body)));
    Bytes frame(body.size() + 100);
    frame.resize(static_cast<std::size_t>(::read(other.get(), frame.data(), frame.size())));
    return frame;
}

std::vector<Sample> samples() {
    using namespace std::string_view_literals;
    Bytes noise(3000);
    std::mt19937 random(1);
    for (std::uint8_t& b : noise) b = static_cast<std::uint8_t>(random() % 23);
    Bytes members = deflated(noise, 31);
    const Bytes second = deflated(noise, 31);
    members.insert(members.end(), second.begin(), second.end());
    Bytes profile(132 - 4, 0);
    const Bytes tags = bytesOf(
        "\0\0\0\x2"
        "kTRC\0\0\0\x9c\0\0\0\xe"
        "rTRC\0\0\0\x9c\0\0\0\xe"
        "curv\0\0\0\0\0\0\0\x1\x2\x33\0\0"sv);
    profile.insert(profile.end(), tags.begin(), tags.end());
    return {
        {"gzip", deflated(noise, 31)},
        {"gzip members", members},
        {"gzip zlib", deflated(noise, 15)},
        {"deflate", deflated(noise, -15)},
        {"exif little", bytesOf("II*\0\x8\0\0\0\x1\0\x12\x1\x3\0\x1\0\0\0\x6\0\0\0\0\0\0\0"sv)},
        {"exif big", bytesOf("MM\0*\0\0\0\x8\0\x1\x1\x12\0\x3\0\0\0\x1\0\x3\0\0\0\0\0\0"sv)},
        {"profile", profile},
        {"message done", asBytes(parallax::bytesOf(exampleDone()))},
        {"message prepare", asBytes(parallax::bytesOf(examplePrepare()))},
        {"message order", asBytes(exampleOrder().bytes())},
        {"frame prepare", frameOf(asBytes(parallax::bytesOf(examplePrepare())))},
        {"text", bytesOf("caf\xc3\xa9 \xe2\x82\xac, \xf0\x9f\x98\x80 caf\xe9, a\x1b[31m\x07\n")},
    };
}

int fuzzCodecs(const FuzzArguments& arguments) {
    return fuzz(samples(), arguments, damaged, [](const Sample& s) { kCodecs.at(s.name.substr(0, s.name.find(' ')))(s.bytes); });
}

}  // namespace
}  // namespace parallax::test

int main(int argc, char** argv) { return parallax::test::fuzzingProgram(argc, argv, parallax::test::fuzzCodecs); }
