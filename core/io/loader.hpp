// SPDX-License-Identifier: GPL-3.0-or-later
// Files to images. Formats are equal doors behind one interface; loaders.cpp lists them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "parallax/image/image.hpp"

namespace parallax {

struct LoadOptions {
    int threads = 0;  ///< 0: all
    std::stop_token stop;
    std::function<void(double)> progress;  ///< 0 to 1, from the loading thread

    void throwIfStopped() const;
    void report(double fraction) const {
        if (progress) progress(fraction);
    }
};

class Loader {
public:
    virtual ~Loader() = default;
    virtual std::string format() const = 0;                   ///< "OpenEXR"
    virtual std::vector<std::string> extensions() const = 0;  ///< lower case, without dot
    /// Is it this format, by its first bytes (up to 512) or, for formats without a signature, by its name? A file that is
    /// recognised and then cannot be read is damaged, not "of an unknown format".
    virtual bool recognises(std::span<const std::uint8_t> head, const std::string& path) const = 0;
    /// Throws Error(input), Error(memory) or Error(cancelled).
    virtual Image load(const std::string& path, const LoadOptions& options) const = 0;
};

/// In the order in which they are asked.
const std::vector<std::unique_ptr<Loader>>& loaders();

/// What can be opened, for file dialogs and documentation.
struct LoadableFormat {
    std::string title;
    std::vector<std::string> extensions;
};
std::vector<LoadableFormat> loadableFormats();

/// Loads a file. Throws Error(input) with what, why and what to do: missing, a folder, empty, unknown, damaged, unsupported.
Image loadImage(const std::string& path, const LoadOptions& options = {});

/// Loads a file or makes a generated image: what IN means on the command line.
Image openInput(const std::string& input, const LoadOptions& options = {});

/// Extension of a path in lower case, without dot.
std::string lowerExtension(const std::string& path);

}  // namespace parallax
