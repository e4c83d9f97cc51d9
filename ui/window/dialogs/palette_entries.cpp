// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/palette_entries.hpp"

#include <QAction>

#include "core/engine/operation/capabilities.hpp"
#include "core/image/error.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/models/pipeline/pipeline_model.hpp"
#include "ui/models/pipeline/preset_store.hpp"

namespace parallax::ui {
namespace {

/// Returns the row of the last step of an operation, which is added if there is none.
int rowOf(PipelineModel& model, const Operation& operation) {
    for (int row = model.rowCount() - 1; row >= 0; --row)
        if (model.step(row).operation == &operation) return row;
    model.addStep(operation);
    return model.rowCount() - 1;
}

class Collector {
public:
    Collector(PipelineModel& model, QObject& owner) : model_(model), owner_(owner), store_(model.catalog()) {}

    void addChoices(const Operation& operation, const ParameterInfo& info) {
        for (const ParameterChoice& choice : info.choices)
            add(catalogText(choice.title), catalogText(operation.title()) + QStringLiteral(" › ") + catalogText(info.title),
                choice.help.empty() ? catalogText(info.help) : catalogText(choice.help),
                [&model = model_, op = &operation, key = info.key, value = choice.key] {
                    model.setParameter(rowOf(model, *op), key, ParameterValue(value));
                });
    }
    void addPresets(const Operation& operation) {
        const QString path = catalogText(operation.title()) + QStringLiteral(" › ") + QObject::tr("Presets");
        for (const ParameterPreset& preset : presetsOf(operation))
            add(catalogText(preset.title), path, catalogText(preset.help), [&model = model_, op = &operation, preset] {
                const int row = rowOf(model, *op);
                ParameterBlock values = model.step(row).parameters;
                applyPreset(values, preset);
                model.setParameters(row, values, catalogText(preset.title));
            });
        for (const QString& name : store_.names(operation))
            add(name, path, QObject::tr("Apply this preset of yours"), [&model = model_, op = &operation, name] {
                try {
                    const ParameterBlock values = PresetStore(model.catalog()).load(*op, name);
                    model.setParameters(rowOf(model, *op), values, name);
                } catch (const Error&) {  // removed or damaged since the palette was opened; the preset list marks it
                }
            });
    }
    std::vector<ActionEntry> entries;

private:
    template <class Effect>
    void add(const QString& title, const QString& path, const QString& tip, Effect effect) {
        auto* action = new QAction(title, &owner_);
        QObject::connect(action, &QAction::triggered, &owner_, std::move(effect));
        entries.push_back({action, title, path, {}, tip});
    }

    PipelineModel& model_;
    QObject& owner_;
    PresetStore store_;
};

}  // namespace

std::vector<ActionEntry> pipelineEntries(PipelineModel& model, QObject& owner) {
    Collector collector(model, owner);
    for (const auto& operation : model.catalog().operations()) {
        for (const ParameterInfo& info : operation->parameters().infos()) collector.addChoices(*operation, info);
        collector.addPresets(*operation);
    }
    return std::move(collector.entries);
}

}  // namespace parallax::ui
