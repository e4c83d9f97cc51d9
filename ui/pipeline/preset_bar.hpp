// SPDX-License-Identifier: GPL-3.0-or-later
// Presets above the parameters: built-in and user presets of the selected step, and a menu to save, rename and delete user presets.
#pragma once

#include <QWidget>

#include "core/engine/operation/capabilities.hpp"
#include "ui/models/pipeline/pipeline_model.hpp"
#include "ui/models/pipeline/preset_store.hpp"
#include "ui/pipeline/preset_gallery.hpp"

class QAction;
class QComboBox;

namespace parallax::ui {

class PresetBar : public QWidget {
    Q_OBJECT
public:
    explicit PresetBar(PipelineModel& model, QWidget* parent = nullptr);
    /// -1: nothing.
    void setRow(int row);
    PresetStore& store() { return store_; }
    QComboBox& box() { return *box_; }
    /// All presets of the step with their values, built-in ones first.
    std::vector<PresetChoice> choices() const;
    /// Applies one of choices().
    void choose(int choice);

signals:
    /// The list of presets has changed.
    void choicesChanged();
    /// An action failed.
    void refused(const QString& what);

private:
    const Operation* operation() const { return row_ < 0 || row_ >= model_.rowCount() ? nullptr : model_.step(row_).operation; }
    void refresh();
    void showChosen();
    void apply(int index);
    void applyBuiltIn(const ParameterPreset& preset);
    void applyOwn(const QString& name);
    /// Returns the row of the applied preset, or -1.
    int appliedIndex() const;
    void askSave();
    void askRename();
    void askRemove();
    void save(const QString& name, bool overwrite);
    /// Runs an action, reports its error and refreshes the list.
    template <class Work>
    void attempt(Work&& work);

    PipelineModel& model_;
    PresetStore store_;
    QComboBox* box_;
    QAction *rename_ = nullptr, *remove_ = nullptr;
    const Operation* listed_ = nullptr;                    // operation of the listed presets
    std::vector<std::pair<QString, ParameterBlock>> own_;  // valid user presets when the box was filled
    QString applied_;                                      // user preset that Rename and Delete refer to
    QString builtIn_;                                      // key of the built-in preset selected last
    ParameterBlock appliedValues_;
    int row_ = -1;
};

}  // namespace parallax::ui
