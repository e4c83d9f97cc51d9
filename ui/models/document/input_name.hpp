// SPDX-License-Identifier: GPL-3.0-or-later
// An input is a file, "synthetic:..." for a generated image, or "raw:ENTRIES:FILE" for raw samples with their layout: parses these.
#pragma once

#include <QString>

#include "core/image/image.hpp"

namespace parallax::ui {

bool isGeneratedInput(const QString& input);
bool isRawInput(const QString& input);
/// The file of an input; empty for generated images.
QString fileOf(const QString& input);
/// The same without "#N", which chooses a series of a folder or a volume of a file, and without the part of an OpenEXR file.
QString pathOnDisk(const QString& input);
/// The text behind the '#' that pathOnDisk() leaves out; empty if there is none.
QString choiceOf(const QString& input);
/// Whether two images are volumes, or pages, of one file and have the same shape.
bool inOneSeries(const Image& a, const Image& b);
/// For display: the file name without its folder, or the generated input.
QString shortNameOf(const QString& input);
/// The same with the entries of raw samples: "ct.raw (512 × 512 × 78, int16)".
QString longNameOf(const QString& input);
/// The short name. For medical images of which the settings hide what identifies a patient, such as the file name: "CT 512 × 512 × 78".
QString shownNameOf(const QString& input, const Image& image);
/// The input with the absolute path of its file.
QString lastingInput(const QString& input);

}  // namespace parallax::ui
