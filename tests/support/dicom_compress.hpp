// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed frames to test with, by GDCM's encoders.
#pragma once

#include <gdcmImage.h>
#include <gdcmImageChangeTransferSyntax.h>
#include <gdcmSequenceOfFragments.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace parallax::test {

/// The code stream of an image, grey or of three interleaved colours; `samples` are little-endian, of 8 or 16 bits each. Throws if GDCM
/// cannot.
inline std::vector<std::uint8_t> compressedByGdcm(const std::string& transferSyntax, unsigned width, unsigned height,
                                                  unsigned short bitsAllocated, unsigned short bitsStored, bool isSigned,
                                                  const std::vector<std::uint8_t>& samples, unsigned short components = 1) {
    gdcm::SmartPointer<gdcm::Image> image = new gdcm::Image;
    image->SetNumberOfDimensions(2);
    image->SetDimension(0, width);
    image->SetDimension(1, height);
    image->SetPixelFormat(gdcm::PixelFormat(components, bitsAllocated, bitsStored, static_cast<unsigned short>(bitsStored - 1), isSigned));
    image->SetPhotometricInterpretation(components == 3 ? gdcm::PhotometricInterpretation::RGB
                                                        : gdcm::PhotometricInterpretation::MONOCHROME2);
    image->SetTransferSyntax(gdcm::TransferSyntax::ExplicitVRLittleEndian);
    gdcm::DataElement pixels(gdcm::Tag(0x7fe0, 0x0010));
    pixels.SetByteValue(reinterpret_cast<const char*>(samples.data()), static_cast<std::uint32_t>(samples.size()));
    image->SetDataElement(pixels);
    gdcm::ImageChangeTransferSyntax change;
    change.SetTransferSyntax(gdcm::TransferSyntax(gdcm::TransferSyntax::GetTSType(transferSyntax.c_str())));
    change.SetInput(*image);
    if (!change.Change()) throw std::runtime_error("GDCM does not encode " + transferSyntax);
    const gdcm::SequenceOfFragments* fragments = change.GetOutput().GetDataElement().GetSequenceOfFragments();
    if (!fragments) throw std::runtime_error("GDCM made no fragments of " + transferSyntax);
    std::vector<std::uint8_t> stream(fragments->ComputeByteLength());
    fragments->GetBuffer(reinterpret_cast<char*>(stream.data()), stream.size());
    return stream;
}

}  // namespace parallax::test
