// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document/metadata_model.hpp"

#include <QStringList>

#include "core/image/host/memory_use.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/settings.hpp"

namespace parallax::ui {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

QString windowText(const Window& w) { return QStringLiteral("(%1, %2) – (%3, %4)").arg(w.minX).arg(w.minY).arg(w.maxX).arg(w.maxY); }

}  // namespace

void MetadataModel::setImage(const ImagePtr& image) {
    beginResetModel();
    rows_.clear();
    if (image) {
        const Shape& shape = image->shape();
        const SourceInfo& source = image->source;
        const auto add = [&](const QString& name, const QString& value, const QString& tip = {}) {
            if (!value.isEmpty()) rows_.push_back({name, value, tip.isEmpty() ? value : tip});
        };
        const bool hidden = source.medical && Settings::instance().hidesPatientData();
        if (hidden) add(tr("File"), tr("hidden"), tr("Paths of medical files may identify a patient. Edit > Settings can show them."));
        else add(tr("File"), text(source.path));
        add(tr("Format"), text(source.format));
        add(tr("Size"), formatExtent(shape.width, shape.height, shape.depth) + tr(" px"));
        const QString bytes = formatBytes(static_cast<double>(image->samples().bytes()));
        add(tr("Memory"), isInScratchFile(image->samples().data()) ? tr("%1 in a scratch file, since memory is short").arg(bytes) : bytes,
            tr("Memory taken by the float32 samples"));
        QStringList names;
        for (const std::string& name : image->channelNames()) names << text(name);
        add(tr("Channels"), names.join(QStringLiteral(", ")));
        for (std::size_t i = 0; i < source.storedChannels.size(); ++i) {
            const StoredChannel& channel = source.storedChannels[i];
            QString value = text(channel.type);
            if (i < source.storedStatistics.size()) {
                const SampleStatistics& s = source.storedStatistics[i];
                value += tr(", %1 … %2, mean %3").arg(formatSample(s.min), formatSample(s.max), formatSample(s.mean));
                if (s.nan > 0) value += tr(", %1 NaN").arg(formatCount(s.nan));
                const auto infinite = s.positiveInfinity + s.negativeInfinity;
                if (infinite > 0) value += tr(", %1 infinite").arg(formatCount(infinite));
            }
            add(tr("Stored %1").arg(text(channel.name)), value, tr("Type and range of the samples as stored in the file"));
        }
        if (!source.storedChannels.empty())
            add(tr("Colour encoding"),
                source.transfer == TransferFunction::linear ? tr("linear")
                : source.transfer == TransferFunction::sRgb ? tr("sRGB, decoded to linear")
                                                            : tr("gamma %1, decoded to linear").arg(source.gamma),
                tr("How stored values are decoded to the linear light that operations use"));
        if (image->dataWindow) add(tr("Data window"), windowText(*image->dataWindow));
        if (image->displayWindow) add(tr("Display window"), windowText(*image->displayWindow));
        if (image->pixelAspectRatio != 1) add(tr("Pixel aspect ratio"), formatSample(image->pixelAspectRatio));
        QStringList parts;
        for (const std::string& part : source.parts) parts << text(part);
        if (parts.size() > 1) add(tr("Parts"), parts.join(QStringLiteral(", ")), tr("The first part is shown"));
        for (const std::string& warning : source.warnings) add(tr("Warning"), text(warning));
        for (const MetadataEntry& entry : image->metadata)
            add(text(entry.name), text(entry.text), entry.type.empty() ? QString() : text(entry.type + ": " + entry.text));
        if (!hidden)
            for (const MetadataEntry& entry : source.personal)
                add(text(entry.name), text(entry.text), tr("Patient data: %1").arg(text(entry.text)));
        for (const std::string& step : image->provenance) add(tr("Made by"), text(step));
    }
    endResetModel();
}

int MetadataModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }
int MetadataModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 2; }

QVariant MetadataModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::DisplayRole) return index.column() == 0 ? row.name : row.value;
    if (role == Qt::ToolTipRole) return row.tip;
    return {};
}

QVariant MetadataModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
    return section == 0 ? tr("Name") : tr("Value");
}

}  // namespace parallax::ui
