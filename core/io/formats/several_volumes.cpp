// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/several_volumes.hpp"

#include "core/image/error.hpp"

namespace parallax {

std::int64_t chosenVolume(const std::string& path, const std::string& choice, std::int64_t volumes, const std::string& what) {
    if (choice.empty()) return 0;
    std::int64_t n = -1;
    const bool digits = choice.size() < 18 && choice.find_first_not_of("0123456789") == std::string::npos;
    if (digits) n = std::stoll(choice);
    if (n < 0 || n >= volumes)
        throw Error(ErrorCode::input, "'" + path + "' has no " + what + " '" + choice + "'",
                    volumes == 1 ? "it holds one " + what : "it holds " + what + "s 0 to " + std::to_string(volumes - 1),
                    volumes == 1 ? "Leave out the '#' and what follows" : "Choose one of these");
    return n;
}

void noteVolume(Image& image, std::int64_t chosen, std::int64_t volumes, const std::string& choice, const char* what) {
    image.source.volume = chosen;
    image.source.volumes = volumes;
    if (volumes > 1 && choice.empty())
        image.source.warnings.push_back("The file holds " + std::to_string(volumes) + " " + what +
                                        "; 0 was opened. FILE#N opens another, N from 0");
}

}  // namespace parallax
