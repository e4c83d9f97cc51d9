// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/engine/stages.hpp"

namespace parallax {

std::string_view stageName(Stage stage) {
    switch (stage) {
        case Stage::load: return "load";
        case Stage::decode: return "decode";
        case Stage::prepare: return "prepare";
        case Stage::allocate: return "allocate";
        case Stage::upload: return "upload";
        case Stage::compute: return "compute";
        case Stage::exchange: return "exchange";
        case Stage::download: return "download";
        case Stage::encode: return "encode";
        case Stage::display: return "display";
    }
    return "?";
}

}  // namespace parallax
