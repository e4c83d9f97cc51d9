// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces dicom_decode_gdcm.cpp if GDCM was not found.
#include "core/image/error.hpp"
#include "core/io/formats/dicom/dicom_frames.hpp"

namespace parallax {

bool canDecodeFrames() { return false; }
std::string whyNoFrames() { return "this build has no GDCM (Debian package libgdcm-dev)"; }

DecodedFrame decodeFrame(const FrameLayout& layout, const std::vector<std::uint8_t>&) {
    throw Error(ErrorCode::input, "Cannot decode its samples",
                "they are compressed (" + nameOfTransferSyntax(layout.transferSyntax) + "), and " + whyNoFrames(),
                "Install libgdcm-dev and build again, or convert the file to an uncompressed transfer syntax");
}

}  // namespace parallax
