// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/compare/input_store.hpp"

#include "ui/models/document/input_name.hpp"
#include "ui/session/document.hpp"
#include "ui/session/large_files.hpp"
#include "ui/session/medical_names.hpp"

namespace parallax::ui {

void InputStore::use(const QSet<QString>& inputs) {
    const QList<QString> before = opened_.keys();
    for (const QString& input : before) {
        if (inputs.contains(input)) continue;
        tasks_.drop({TaskKind::paneInput, input});
        opened_.remove(input);
    }
    for (const QString& input : inputs)
        if (!opened_.contains(input)) open(input);
}

void InputStore::reload(const QString& input) {
    if (opened_.contains(input)) open(input);
}

void InputStore::reloadAll() {
    for (const QString& input : inputs()) open(input);
}

void InputStore::open(const QString& input) {
    opened_.insert(input, {});
    auto unpacked = std::make_shared<std::uint64_t>(0);
    tasks_.submit(
        {TaskKind::paneInput, input}, tr("Opening %1").arg(nameBeforeOpening(input)),
        [input, unpacked, progress = tasks_.progress(), limit = LargeFiles::instance().limitOf(input)](const std::stop_token& stop) {
            const FileStamp stamp = stampOf(pathOnDisk(input));
            LoadOptions options;
            options.stop = stop;
            options.progress = progressInto(progress);
            options.unpacked = limit;
            return std::pair(openNotingSize(input, options, *unpacked), stamp);
        },
        [this, input](const std::pair<ImagePtr, FileStamp>& opened) {
            if (opened.first->source.medical) noteMedicalInput();
            opened_[input] = {opened.first, {}, opened.second};
            emit changed(input);
        },
        [this, input, unpacked](ErrorCode, const Message& message) {
            opened_[input] = {nullptr, withoutMedicalPath(message, input), {}};
            emit changed(input);
            LargeFiles::instance().ask(input, *unpacked, [this, input] {
                reload(input);
                emit changed(input);
            });
        });
}

void InputStore::markCancelled(const Message& message) {
    for (auto it = opened_.begin(); it != opened_.end(); ++it)
        if (!it->image && !it->error && !tasks_.pending({TaskKind::paneInput, it.key()})) it->error = message;
}

}  // namespace parallax::ui
