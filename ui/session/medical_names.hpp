// SPDX-License-Identifier: GPL-3.0-or-later
// Names of DICOM files and folders may identify a patient: decides which names are shown and stored while patient data are hidden.
#pragma once

#include <QString>
#include <QStringList>

#include "core/image/image.hpp"
#include "ui/models/document/message.hpp"

class QFileDialog;

namespace parallax::ui {

/// Could this input be a DICOM file, or a folder of such files? Judges by the name alone: everything but files of other known formats.
bool mayBeDicom(const QString& input);
/// The short name of an input that is not open yet; "medical data" if it may be DICOM and the settings hide patient data.
QString nameBeforeOpening(const QString& input);
/// The name of an input in labels and messages: as before opening while the image is null, then as shownNameOf().
QString nameInWindow(const QString& input, const ImagePtr& image);
/// The paths of inputs that are not open, for a message; those that may be DICOM have one name while the settings hide patient data.
QString pathsInWindow(const QStringList& inputs);
/// A text about an input that could not be opened, such as an error, without its path and what follows in the quotes if the settings hide
/// patient data and it may be DICOM.
QString withoutMedicalPath(QString text, const QString& input);
Message withoutMedicalPath(Message message, const QString& input);

/// Notes that a medical image was opened: from now on, folders that users choose are not stored while patient data are hidden.
void noteMedicalInput();
/// Remembers a folder that the user chose, between sessions or, if its path may identify a patient, until the program ends.
/// `mayHoldDicom`: it was chosen to open what is in it.
void rememberFolder(const QString& key, const QString& folder, bool mayHoldDicom = false);
/// Keeps Qt from storing the folders that a file dialog shows in its own settings file, while patient data are hidden.
void leaveNoHistory(QFileDialog& dialog);

}  // namespace parallax::ui
