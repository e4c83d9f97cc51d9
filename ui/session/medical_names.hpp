// SPDX-License-Identifier: GPL-3.0-or-later
// Names of DICOM files and folders may identify a patient: decides which names are shown and stored while patient data are hidden.
#pragma once

#include <QString>

class QFileDialog;

namespace parallax::ui {

/// Could this input be a DICOM file, or a folder of such files? Judges by the name alone: everything but files of other known formats.
bool mayBeDicom(const QString& input);
/// The short name of an input that is not open yet; "medical data" if it may be DICOM and the settings hide patient data.
QString nameBeforeOpening(const QString& input);

/// Notes that a medical image was opened: from now on, folders that users choose are not stored while patient data are hidden.
void noteMedicalInput();
/// Remembers a folder that the user chose, between sessions or, if its path may identify a patient, until the program ends.
/// `mayHoldDicom`: it was chosen to open what is in it.
void rememberFolder(const QString& key, const QString& folder, bool mayHoldDicom = false);
/// Keeps Qt from storing the folders that a file dialog shows in its own settings file, while patient data are hidden.
void leaveNoHistory(QFileDialog& dialog);

}  // namespace parallax::ui
