// SPDX-License-Identifier: GPL-3.0-or-later
// GDCM's decoders of JPEG, JPEG-LS, JPEG 2000 and RLE.
#include <gdcmDataElement.h>
#include <gdcmImageCodec.h>
#include <gdcmJPEG2000Codec.h>
#include <gdcmJPEGCodec.h>
#include <gdcmJPEGLSCodec.h>
#include <gdcmRLECodec.h>
#include <gdcmSequenceOfFragments.h>
#include <gdcmTrace.h>

#include "core/image/error.hpp"
#include "core/io/formats/dicom/dicom_frames.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

/// GDCM prints messages on the terminal, which may quote the file.
void silence() {
    static const bool once = [] {
        gdcm::Trace::DebugOff();
        gdcm::Trace::WarningOff();
        gdcm::Trace::ErrorOff();
        return true;
    }();
    (void)once;
}

template <class Codec>
bool decode(Codec& codec, const FrameLayout& layout, int bits, const gdcm::DataElement& in, gdcm::DataElement& out) {
    const unsigned dimensions[3] = {static_cast<unsigned>(layout.width), static_cast<unsigned>(layout.height), 1};
    codec.SetNumberOfDimensions(2);
    codec.SetDimensions(dimensions);
    codec.SetPlanarConfiguration(0);
    // Colours stay as they are in the stream; only JPEG 2000 has a transform of its own.
    codec.SetPhotometricInterpretation(layout.components == 3 ? gdcm::PhotometricInterpretation::RGB
                                                              : gdcm::PhotometricInterpretation::MONOCHROME2);
    // All bits are used: GDCM asserts that for 8 bits, and the used bits are selected here.
    const auto all = static_cast<unsigned short>(bits);
    codec.SetPixelFormat(
        gdcm::PixelFormat(static_cast<unsigned short>(layout.components), all, all, static_cast<unsigned short>(all - 1), 0));
    return codec.Decode(in, out);
}

}  // namespace

bool canDecodeFrames() { return true; }
std::string whyNoFrames() { return {}; }

DecodedFrame decodeFrame(const FrameLayout& layout, const std::vector<std::uint8_t>& encapsulated) {
    silence();
    DecodedFrame frame;
    const std::string& ts = layout.transferSyntax;
    std::vector<std::uint8_t> stream = checkedStream(layout, joinItems(encapsulated), frame.bits);
    if (stream.size() % 2) stream.push_back(0);  // fragments have an even length
    gdcm::SmartPointer<gdcm::SequenceOfFragments> fragments = new gdcm::SequenceOfFragments;
    gdcm::Fragment fragment;
    fragment.SetByteValue(reinterpret_cast<const char*>(stream.data()), static_cast<std::uint32_t>(stream.size()));
    fragments->AddFragment(fragment);
    gdcm::DataElement in(gdcm::Tag(0x7fe0, 0x0010)), out(gdcm::Tag(0x7fe0, 0x0010));
    in.SetVR(gdcm::VR::OB);
    in.SetValue(*fragments);

    // GDCM has a separate decoder for lossy JPEG of 12 bits, which it would find only after an error on the terminal.
    const bool twelve = ts == "1.2.840.10008.1.2.4.51" && frame.bits == 12;
    const int container = frame.bits <= 8 ? 8 : twelve ? 12 : 16;
    bool done = false;
    if (ts == "1.2.840.10008.1.2.5") {
        gdcm::RLECodec codec;
        codec.SetBufferLength(static_cast<unsigned long>(layout.width * layout.height * (layout.bitsAllocated / 8)));
        done = decode(codec, layout, layout.bitsAllocated, in, out);
    } else if (ts.starts_with("1.2.840.10008.1.2.4.8")) {
        gdcm::JPEGLSCodec codec;
        done = decode(codec, layout, container, in, out);
    } else if (ts.starts_with("1.2.840.10008.1.2.4.9")) {
        gdcm::JPEG2000Codec codec;
        codec.SetNumberOfThreadsForDecompression(0);  // slices are already decoded in parallel
        done = decode(codec, layout, container, in, out);
    } else {
        gdcm::JPEGCodec codec;
        done = decode(codec, layout, container, in, out);
    }
    const gdcm::ByteValue* value = done ? out.GetByteValue() : nullptr;
    const auto pixels = static_cast<std::uint64_t>(layout.width * layout.height * layout.components);
    if (!value || value->GetLength() == 0 || value->GetLength() / pixels == 0)
        throw Error(ErrorCode::input, "Cannot decode its samples", "its compressed samples are damaged (" + nameOfTransferSyntax(ts) + ")");
    // An odd number of 8-bit samples is padded.
    frame.bytesPerSample = static_cast<int>(value->GetLength() / pixels);
    if (frame.bytesPerSample > 4 || frame.bytesPerSample == 3)
        throw Error(ErrorCode::input, "Cannot decode its samples", "their number differs from that of the pixels");
    if (frame.bits > 8 * frame.bytesPerSample) frame.bits = 8 * frame.bytesPerSample;
    const char* const bytes = value->GetPointer();
    frame.bytes.assign(bytes, bytes + pixels * static_cast<std::uint64_t>(frame.bytesPerSample));
    return frame;
}

}  // namespace parallax
