// SPDX-License-Identifier: GPL-3.0-or-later
// Above the parameters: the presets of the chosen step's operation, those that come with it and those that a person has saved, and a menu
// that saves, renames and deletes the latter.
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
    /// All presets of the step with the values that they would give it, those of the operation first.
    std::vector<PresetChoice> choices() const;
    /// Applies one of choices().
    void choose(int choice);

signals:
    /// There are other presets than before.
    void choicesChanged();
    /// Something could not be done.
    void refused(const QString& what);

private:
    const Operation* operation() const { return row_ < 0 || row_ >= model_.rowCount() ? nullptr : model_.step(row_).operation; }
    void refresh();
    void showChosen();
    void apply(int index);
    void applyBuiltIn(const ParameterPreset& preset);
    void applyOwn(const QString& name);
    /// Where the preset that was applied stands in the box, or -1.
    int appliedIndex() const;
    void askSave();
    void askRename();
    void askRemove();
    void save(const QString& name, bool overwrite);
    /// Runs what may fail, tells if it does, and shows what is there then.
    template <class Work>
    void attempt(Work&& work);

    PipelineModel& model_;
    PresetStore store_;
    QComboBox* box_;
    QAction *rename_ = nullptr, *remove_ = nullptr;
    const Operation* listed_ = nullptr;                    // whose presets the box holds
    std::vector<std::pair<QString, ParameterBlock>> own_;  // that are not damaged, as they were when the box was filled
    QString applied_;                                      // the own preset chosen or saved last, which Rename and Delete mean
    QString builtIn_;                                      // key of the one that came with the operation, if that was chosen last
    ParameterBlock appliedValues_;
    int row_ = -1;
};

}  // namespace parallax::ui
