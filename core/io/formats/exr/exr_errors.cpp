// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/exr/exr_errors.hpp"

#include <new>
#include <string_view>

namespace parallax {

std::string reasonOf(const std::string& said, const std::string& path) {
    std::string why = said;
    const std::string name = '"' + path + "\". ";
    if (const auto at = why.find(name); at != std::string::npos) why.erase(0, at + name.size());
    while (!why.empty() && (why.back() == '.' || why.back() == ' ')) why.pop_back();
    return why.empty() ? said : why;
}

void refuseFailed(const std::string& path, const std::string& said) {
    if (said.find("Unknown compression type") != std::string::npos)
        refuseFile(path, "it has a compression that this version of OpenEXR does not know", "Save it with ZIP compression");
    refuseFile(path, reasonOf(said, path));
}

void rethrowIfOutOfMemory(const std::exception& e) {
    if (dynamic_cast<const std::bad_alloc*>(&e) || std::string_view(e.what()).find("bad_alloc") != std::string_view::npos)
        throw std::bad_alloc();
}

}  // namespace parallax
