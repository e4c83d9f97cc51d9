// SPDX-License-Identifier: GPL-3.0-or-later
// Factories of all loaders, for loaders.cpp.
#pragma once

#include <memory>

#include "core/io/loader.hpp"

namespace parallax {

std::unique_ptr<Loader> makeExrLoader();
std::unique_ptr<Loader> makePngLoader();
std::unique_ptr<Loader> makeRadianceLoader();
std::unique_ptr<Loader> makePfmLoader();
std::unique_ptr<Loader> makeTiffLoader();
std::unique_ptr<Loader> makeOpenCvLoader();
std::unique_ptr<Loader> makeDicomLoader();
std::unique_ptr<Loader> makeNiftiLoader();
std::unique_ptr<Loader> makeNrrdLoader();
std::unique_ptr<Loader> makeMetaImageLoader();
std::unique_ptr<Loader> makeRawLoader();

}  // namespace parallax
