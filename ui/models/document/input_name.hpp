// SPDX-License-Identifier: GPL-3.0-or-later
// What is open is named by a file, by "synthetic:..." for generated images, or by "raw:ENTRIES:FILE" for raw samples with what a person
// said about them: here these are told apart.
#pragma once

#include <QString>

namespace parallax::ui {

bool isGeneratedInput(const QString& input);
bool isRawInput(const QString& input);
/// The file behind it; empty if there is none.
QString fileOf(const QString& input);
/// The same without what follows '#': which series of a folder, which volume of a file.
QString pathOnDisk(const QString& input);
/// For people: the name of the file without its folder, or what is generated.
QString shortNameOf(const QString& input);
/// The same with the entries of raw samples: "ct.raw (512 × 512 × 78, int16)".
QString longNameOf(const QString& input);
/// With the full path of the file, so that it means the same in another folder.
QString lastingInput(const QString& input);

}  // namespace parallax::ui
