// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document/core_text.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <optional>
#include <vector>

namespace parallax::ui {
namespace {

/// Sentences of core, with %1 to %9 for what changes. Sentences that are not listed stay English.
constexpr const char* kSentences[] = {
    QT_TRANSLATE_NOOP("core", "The build is not optimised, so its times are meaningless"),
    QT_TRANSLATE_NOOP("core", "Build the release preset"),
    QT_TRANSLATE_NOOP("core", "The CPU governor is '%1', so the clock rate may change during the measurement"),
    QT_TRANSLATE_NOOP("core", "Set it to 'performance': sudo cpupower frequency-set -g performance"),
    QT_TRANSLATE_NOOP("core", "The machine runs on battery, which may limit the clock rate"),
    QT_TRANSLATE_NOOP("core", "Connect the power supply"),
    QT_TRANSLATE_NOOP("core", "Other programs load the machine (load average %1 on %2 hardware threads)"),
    QT_TRANSLATE_NOOP("core", "Close them or wait a minute"),
    QT_TRANSLATE_NOOP("core", "The CPU was throttled %1 times during the measurement because of heat"),
    QT_TRANSLATE_NOOP("core", "Improve the cooling, or take shorter measurements with pauses"),
    QT_TRANSLATE_NOOP("core", "Other programs used %1 of %2 hardware threads during the measurement"),
    QT_TRANSLATE_NOOP("core", "Close them"),
    QT_TRANSLATE_NOOP("core", "The host gave %1 hardware threads of this virtual machine to others during the measurement"),
    QT_TRANSLATE_NOOP("core", "Measure while the host is idle, or on a physical machine"),
    QT_TRANSLATE_NOOP("core", "Only %1 of at least %2 timing samples were taken before the time limit"),
    QT_TRANSLATE_NOOP("core", "Use a higher effort or a smaller image"),
    QT_TRANSLATE_NOOP("core", "%1 threads share the %2 hardware threads available to this process"),
    QT_TRANSLATE_NOOP("core", "Use at most that many threads"),
    QT_TRANSLATE_NOOP("core", "A timing sample is shorter than 20 clock steps of %1 ns"),
    QT_TRANSLATE_NOOP("core", "Use a larger image"),
    QT_TRANSLATE_NOOP("core", "The measurement was stopped before its end, so there are fewer samples than it would have taken"),
    QT_TRANSLATE_NOOP("core", "The median is known only to +-%1"),
    QT_TRANSLATE_NOOP("core", "Reduce other load or use a higher effort"),
    QT_TRANSLATE_NOOP("core", "%1 of %2 timing samples are far from the median"),
    QT_TRANSLATE_NOOP("core", "Look at the runs chart: other programs may have interfered"),
    QT_TRANSLATE_NOOP("core", "Times changed by %1 between the first and the last third of the samples"),
    QT_TRANSLATE_NOOP("core", "Let the machine cool down or warm up first: the clock rate may have changed"),
    QT_TRANSLATE_NOOP("core", "Let it cool down or improve its cooling"),
    QT_TRANSLATE_NOOP("core", "'%1' and '%2' have the same output '%3'"),
    QT_TRANSLATE_NOOP("core", "Add {name} to the name of the output, as in out/{name}.png"),
    QT_TRANSLATE_NOOP("core", "Add {folder} or {number} to the name of the output"),
    QT_TRANSLATE_NOOP("core", "The output '%1' has an unknown placeholder"),
    QT_TRANSLATE_NOOP("core", "{%1} stands for nothing"),
    QT_TRANSLATE_NOOP("core", "Use {name}, {ext}, {folder}, {number}, {op} or {backend}"),
    QT_TRANSLATE_NOOP("core", "The output '%1' is an input of the batch"),
    QT_TRANSLATE_NOOP("core", "Write to another folder"),
    QT_TRANSLATE_NOOP("core", "%1 outputs exist, '%2' among them"),
    QT_TRANSLATE_NOOP("core", "The folder '%1' has no image"),
    QT_TRANSLATE_NOOP("core", "none of its files has the ending of a known format"),
    QT_TRANSLATE_NOOP("core", "No kernel is open"),
    QT_TRANSLATE_NOOP("core", "Open one: File > Open kernel in the window, --kernel in parallax-cli"),
    QT_TRANSLATE_NOOP("core", "1 slice is missing: %1"),
    QT_TRANSLATE_NOOP("core", "%1 slices are missing: %2"),
    QT_TRANSLATE_NOOP("core", "between %1 (slice %2) and %3 (slice %4) the distance is %5 instead of %6"),
    QT_TRANSLATE_NOOP("core", "and %1 more gaps"),
    QT_TRANSLATE_NOOP("core", "Nothing was interpolated"),
    QT_TRANSLATE_NOOP(
        "core", "The slices are unevenly spaced: their distances are %1 to %2, the median is %3, %4 of %5 differ from it by more than 1 %"),
    QT_TRANSLATE_NOOP("core", "The slices have no positions"),
    QT_TRANSLATE_NOOP("core", "they are ordered by instance number, with their thickness as distance (%1)"),
    QT_TRANSLATE_NOOP("core", "The file has no pixel spacing"),
    QT_TRANSLATE_NOOP("core", "1 mm is assumed"),
    QT_TRANSLATE_NOOP("core", "1 mm is assumed across and, by the aspect ratio, %1 down"),
    QT_TRANSLATE_NOOP("core", "The pixel spacing is that of the detector, not of the patient"),
    QT_TRANSLATE_NOOP("core", "The slices are sheared (gantry tilt): the line of their positions is %1 degrees off their normal"),
    QT_TRANSLATE_NOOP("core", "%1 along it are %2 across the slices"),
    QT_TRANSLATE_NOOP("core", "The slices are shifted sideways by up to %1"),
    QT_TRANSLATE_NOOP("core", "The slices have no orientation"),
    QT_TRANSLATE_NOOP("core", "axial is assumed"),
    QT_TRANSLATE_NOOP("core", "1 slice is at the position of another one (%1)"),
    QT_TRANSLATE_NOOP("core", "%1 slices are at the position of another one (%2)"),
    QT_TRANSLATE_NOOP("core", "the one with the lowest number was used"),
    QT_TRANSLATE_NOOP("core", "The rescale slope of the file is 0"),
    QT_TRANSLATE_NOOP("core", "1 was used"),
    QT_TRANSLATE_NOOP("core", "1 file is a copy of others and was left out"),
    QT_TRANSLATE_NOOP("core", "%1 files are copies of others and were left out"),
    QT_TRANSLATE_NOOP("core", "1 subfolder was skipped for lack of read permission"),
    QT_TRANSLATE_NOOP("core", "%1 subfolders were skipped for lack of read permission"),
    QT_TRANSLATE_NOOP("core", "images may be missing"),
    QT_TRANSLATE_NOOP("core", "1 DICOM file of the folder cannot be read"),
    QT_TRANSLATE_NOOP("core", "%1 DICOM files of the folder cannot be read"),
    QT_TRANSLATE_NOOP("core", "The modality LUT of the file was not applied"),
    QT_TRANSLATE_NOOP("core", "The spacing of axis %1 is invalid"),
    QT_TRANSLATE_NOOP("core", "The unit '%1' of its distances is unknown"),
    QT_TRANSLATE_NOOP("core", "mm are assumed"),
    QT_TRANSLATE_NOOP("core", "The header has no directions of axes"),
    QT_TRANSLATE_NOOP("core", "x to the left, y to the back and z to the head are assumed, as in ITK"),
    QT_TRANSLATE_NOOP("core", "The directions of its axes are invalid"),
    QT_TRANSLATE_NOOP("core", "the orientation is unknown"),
    QT_TRANSLATE_NOOP("core", "The two orientations in the header (sform and qform) differ by up to %1 mm"),
    QT_TRANSLATE_NOOP("core", "sform is used"),
    QT_TRANSLATE_NOOP("core", "The header has no orientation"),
    QT_TRANSLATE_NOOP("core", "x to the left and the origin in the centre are assumed"),
    QT_TRANSLATE_NOOP("core", "The file holds %1 volumes"),
    QT_TRANSLATE_NOOP("core", "The file holds %1 pages"),
    QT_TRANSLATE_NOOP("core", "The file holds %1 images"),
    QT_TRANSLATE_NOOP("core", "the first was opened"),
    QT_TRANSLATE_NOOP("core", "The colour profile is not applied"),
    QT_TRANSLATE_NOOP("core", "The colour profile '%1' is not applied"),
    QT_TRANSLATE_NOOP("core", "The file declares samples of narrow range (cICP), which is not applied"),
    QT_TRANSLATE_NOOP("core", "they are taken as full range"),
    QT_TRANSLATE_NOOP("core", "The header does not name the space of its axes"),
    QT_TRANSLATE_NOOP("core", "Directions and origin are not used: the space '%1' has no orientation in the patient"),
    QT_TRANSLATE_NOOP("core", "samples are taken as sRGB"),
    QT_TRANSLATE_NOOP("core", "only its tone curve is used"),
    QT_TRANSLATE_NOOP("core", "%1 samples were below 0, above 1 or NaN and were clipped"),
    QT_TRANSLATE_NOOP("core", "EXR, float TIFF and PFM keep them"),
    QT_TRANSLATE_NOOP("core", "%1 samples of type %2 exceed the range of float and became infinite"),
    QT_TRANSLATE_NOOP("core", "%1 samples of type %2 need more than the 24 bits of a float and were rounded"),
    QT_TRANSLATE_NOOP("core", "The file is damaged: %1 of %2 tiles could not be read and are 0 (%3)"),
    QT_TRANSLATE_NOOP("core", "The file is damaged: %1 of %2 lines could not be read and are 0 (%3)"),
    QT_TRANSLATE_NOOP("core", "The file has %1 parts"),
    QT_TRANSLATE_NOOP("core", "part 0, '%1', was opened"),
    QT_TRANSLATE_NOOP("core", "Luminance and subsampled chroma were converted to R, G and B"),
    QT_TRANSLATE_NOOP("core", "Channels of lower resolution were enlarged by repeating samples"),
    QT_TRANSLATE_NOOP("core", "Channel '%1' has integers above 2^24, which float cannot hold exactly"),
    QT_TRANSLATE_NOOP("core", "The file is truncated: %1 of %2 scan lines were read, the others are 0"),
    QT_TRANSLATE_NOOP("core", "%1 samples were negative, too large or NaN, which Radiance HDR cannot hold"),
    QT_TRANSLATE_NOOP("core", "EXR and PFM keep them"),
    QT_TRANSLATE_NOOP("core", "The file ends too early: a part of the picture may be missing"),
    QT_TRANSLATE_NOOP("core", "%1 of %2 strips or tiles are damaged and shown as 0 (%3)"),
    QT_TRANSLATE_NOOP("core", "Samples of type %1 are opened as numbers, without a transfer curve"),
    QT_TRANSLATE_NOOP("core", "Saved as NIfTI-2, since a side has more than 32,767 samples"),
    QT_TRANSLATE_NOOP("core", "Parameter '%1' of %2 has no effect here: it matters only with %3"),
    QT_TRANSLATE_NOOP(
        "core",
        "The filters do not reconstruct perfectly: the image changes by up to %1 of its samples in each pass, even without thresholding"),
    QT_TRANSLATE_NOOP("core", "The filters do not reconstruct perfectly: the result differs by up to %1 of the samples in each pass"),
    QT_TRANSLATE_NOOP("core", "The coefficients do not record the size of the image"),
    QT_TRANSLATE_NOOP("core", "assuming %1"),
    QT_TRANSLATE_NOOP("core", "Set width, height and depth if this is wrong."),
    QT_TRANSLATE_NOOP("core", "The coefficients do not record their transform"),
    QT_TRANSLATE_NOOP("core", "Set the parameters of the transform if they differ"),
    QT_TRANSLATE_NOOP("core", "EXR, PNG and .raw files keep them."),
    QT_TRANSLATE_NOOP("core", "converged"),
    QT_TRANSLATE_NOOP("core", "most iterations"),
    QT_TRANSLATE_NOOP("core", "stagnated"),
    QT_TRANSLATE_NOOP("core", "direct"),
    QT_TRANSLATE_NOOP("core", "step %1"),
    QT_TRANSLATE_NOOP("core", "level %1"),
    QT_TRANSLATE_NOOP("core", "Cancelled"),
    QT_TRANSLATE_NOOP("core", "Cannot open '%1'"),
    QT_TRANSLATE_NOOP("core", "Cannot read '%1'"),
    QT_TRANSLATE_NOOP("core", "Cannot write '%1'"),
    QT_TRANSLATE_NOOP("core", "Cannot save '%1'"),
    QT_TRANSLATE_NOOP("core", "the file does not exist"),
    QT_TRANSLATE_NOOP("core", "Check the name"),
    QT_TRANSLATE_NOOP("core", "it is a folder"),
    QT_TRANSLATE_NOOP("core", "it is a device or a pipe"),
    QT_TRANSLATE_NOOP("core", "it is not an ordinary file"),
    QT_TRANSLATE_NOOP("core", "Give a file or a folder"),
    QT_TRANSLATE_NOOP("core", "Give a file"),
    QT_TRANSLATE_NOOP("core", "there is not enough memory"),
    QT_TRANSLATE_NOOP("core", "Close other images, or use a smaller one"),
    QT_TRANSLATE_NOOP("core", "Close other images or use a smaller one"),
    QT_TRANSLATE_NOOP("core", "Close other images"),
    QT_TRANSLATE_NOOP("core", "Close other programs"),
    QT_TRANSLATE_NOOP("core", "Close other programs, or raise the limit (ulimit)"),
    QT_TRANSLATE_NOOP("core", "memory or the allowed number of threads is used up"),
    QT_TRANSLATE_NOOP("core", "Free some space or choose another folder"),
    QT_TRANSLATE_NOOP("core", "Choose another folder"),
    QT_TRANSLATE_NOOP("core", "Choose a shorter name"),
    QT_TRANSLATE_NOOP("core", "Cannot make the folder '%1'"),
    QT_TRANSLATE_NOOP("core", "it is a part of the input '%1'"),
    QT_TRANSLATE_NOOP("core", "Choose another name"),
    QT_TRANSLATE_NOOP("core", "the name is empty"),
    QT_TRANSLATE_NOOP("core", "Give a file name"),
    QT_TRANSLATE_NOOP("core", "the folder '%1' does not exist"),
    QT_TRANSLATE_NOOP("core", "'%1' is not a folder"),
    QT_TRANSLATE_NOOP("core", "Create it"),
    QT_TRANSLATE_NOOP("core", "Saving was cancelled"),
    QT_TRANSLATE_NOOP("core", "Not enough memory"),
    QT_TRANSLATE_NOOP("core", "Not enough memory on %1"),
    QT_TRANSLATE_NOOP("core", "the run needs %1, %2 are available"),
    QT_TRANSLATE_NOOP("core", "the run needs %1, %2 are available; %3"),
    QT_TRANSLATE_NOOP("core", "the run needs %1, %2 are free"),
    QT_TRANSLATE_NOOP("core", "%1 MiB of host memory were refused"),
    QT_TRANSLATE_NOOP("core", "%1 MiB of host memory were refused; %2"),
    QT_TRANSLATE_NOOP("core", "scratch files are switched off"),
    QT_TRANSLATE_NOOP("core", "the scratch folder '%1' has room for %2 MiB"),
    QT_TRANSLATE_NOOP("core", "the scratch folder '%1' does not exist"),
    QT_TRANSLATE_NOOP("core", "the scratch folder '%1' is in memory itself (tmpfs)"),
    QT_TRANSLATE_NOOP("core", "the scratch folder '%1' cannot be written: %2"),
    QT_TRANSLATE_NOOP("core", "a scratch file of %1 MiB in '%2' is not possible: %3"),
    QT_TRANSLATE_NOOP("core", "Free some disk space, or choose another folder with --scratch or PARALLAX_SCRATCH"),
    QT_TRANSLATE_NOOP("core", "measurements use no scratch files, whose times would be those of the disk ('run' does)"),
    QT_TRANSLATE_NOOP("core", "Cannot measure this image"),
    QT_TRANSLATE_NOOP("core", "it is in a scratch file, since memory is short"),
    QT_TRANSLATE_NOOP("core", "Close other images and open it again, or use a smaller one"),
    QT_TRANSLATE_NOOP("core", "Memory is short: it was in scratch files, which takes longer"),
    QT_TRANSLATE_NOOP("core", "Use a smaller image, another device or a CPU backend"),
    QT_TRANSLATE_NOOP("core", "Use a smaller image"),
    QT_TRANSLATE_NOOP("core", "Images of different size cannot be compared"),
    QT_TRANSLATE_NOOP("core", "Backend '%1' is not available"),
    QT_TRANSLATE_NOOP("core", "Backend '%1' does not implement '%2'"),
    QT_TRANSLATE_NOOP("core", "'%1' cannot do this"),
    QT_TRANSLATE_NOOP("core", "'%1' is not available here"),
    QT_TRANSLATE_NOOP("core", "Choose another backend or change the parameters"),
    QT_TRANSLATE_NOOP("core", "Its plug-in %1 was not built or not installed"),
    QT_TRANSLATE_NOOP("core", "Build Parallax on a machine where its requirements are installed"),
    QT_TRANSLATE_NOOP("core", "Parameter '%1' cannot be '%2'"),
    QT_TRANSLATE_NOOP("core", "There is no parameter '%1'"),
    QT_TRANSLATE_NOOP("core", "known are %1"),
    QT_TRANSLATE_NOOP("core", "The image has no channel '%1'"),
    QT_TRANSLATE_NOOP("core", "There is no channel '%1'"),
    QT_TRANSLATE_NOOP("core", "its channels are %1"),
    QT_TRANSLATE_NOOP("core", "the image has %1"),
    QT_TRANSLATE_NOOP("core", "Give names from this list, or 'all'"),
    QT_TRANSLATE_NOOP("core", "Tone mapping works on images only"),
    QT_TRANSLATE_NOOP("core", "the input is a volume of %1 slices"),
    QT_TRANSLATE_NOOP("core", "Adjust the display range of the view instead"),
    QT_TRANSLATE_NOOP("core", "Cannot make this convolution kernel"),
    QT_TRANSLATE_NOOP("core", "Cannot read recipe '%1'"),
    QT_TRANSLATE_NOOP("core", "Cannot read report '%1'"),
    QT_TRANSLATE_NOOP("core", "it is not valid JSON"),
    QT_TRANSLATE_NOOP("core", "Use a JSON report written by 'parallax-cli bench --report'"),
    QT_TRANSLATE_NOOP("core", "If you trust the file, use --allow-large"),
    QT_TRANSLATE_NOOP("core", "The records are of different machines: '%1' and '%2'"),
    QT_TRANSLATE_NOOP("core", "The records have different input images"),
    QT_TRANSLATE_NOOP("core", "The records have different recipes"),
    QT_TRANSLATE_NOOP("core", "Base record: %1"),
    QT_TRANSLATE_NOOP("core", "New record: %1"),
    QT_TRANSLATE_NOOP("core", "'%1' was not measured in both records"),
    QT_TRANSLATE_NOOP("core", "'%1' is in the base record only"),
    QT_TRANSLATE_NOOP("core", "Get an intact copy of the file"),
    QT_TRANSLATE_NOOP("core", "its format is unknown (first bytes %1)"),
    QT_TRANSLATE_NOOP("core", "Convert it to one of %1"),
    QT_TRANSLATE_NOOP("core", "'%1' has no volume '%2'"),
    QT_TRANSLATE_NOOP("core", "The GPU has lowered its clocks because of its temperature (now %1 MHz, %2 degrees Celsius)"),
    QT_TRANSLATE_NOOP("core", "The GPU has lowered its clocks to stay within its power limit (now %1 MHz, %2 degrees Celsius)"),
    QT_TRANSLATE_NOOP("core", "Lock the clocks at a lower rate with 'nvidia-smi --lock-gpu-clocks'"),
    QT_TRANSLATE_NOOP("core", "The hardware has lowered the clocks of the GPU (now %1 MHz, %2 degrees Celsius)"),
    QT_TRANSLATE_NOOP("core", "Check its power supply and 'nvidia-smi -q'"),
    QT_TRANSLATE_NOOP("core", "%1 other process(es) use this GPU"),
    QT_TRANSLATE_NOOP("core", "End them or choose another device"),
    QT_TRANSLATE_NOOP("core", "the kernel is a column times a row: %1 instead of %2 multiply-adds a sample"),
};

struct Sentence {
    const char* source;
    QRegularExpression pattern;
};

const std::vector<Sentence>& sentences() {
    static const std::vector<Sentence> all = [] {
        static const QRegularExpression place(QStringLiteral("%(\\d)"));
        std::vector<Sentence> made;
        for (const char* source : kSentences) {
            QString pattern;
            const QString text = QString::fromUtf8(source);
            qsizetype from = 0;
            for (auto places = place.globalMatch(text); places.hasNext();) {
                const QRegularExpressionMatch at = places.next();
                pattern += QRegularExpression::escape(text.mid(from, at.capturedStart() - from)) +
                           QStringLiteral("(?<v%1>.*?)").arg(at.captured(1));
                from = at.capturedEnd();
            }
            pattern += QRegularExpression::escape(text.mid(from));
            made.push_back({source, QRegularExpression(QRegularExpression::anchoredPattern(pattern))});
        }
        return made;
    }();
    return all;
}

QString translated(const QString& text);

/// A number with the decimal sign of the language.
std::optional<QString> localNumber(const QString& text) {
    static const QRegularExpression number(QStringLiteral("^[-+]?\\d+\\.\\d+(e[-+]?\\d+)?( ?[a-zµ%°]+)?$"));
    return number.match(text).hasMatch() ? std::optional(QString(text).replace(QLatin1Char('.'), QLocale().decimalPoint())) : std::nullopt;
}

/// Numbers are localised; sentences within sentences are translated.
QString value(const QString& text) {
    if (const auto number = localNumber(text)) return *number;
    return text.contains(QLatin1Char(' ')) ? translated(text) : text;
}

std::optional<QString> whole(const QString& text) {
    for (const Sentence& sentence : sentences()) {
        const QRegularExpressionMatch match = sentence.pattern.match(text);
        if (!match.hasMatch()) continue;
        QString result = QCoreApplication::translate("core", sentence.source);
        // Values may contain places themselves, so all are replaced in one pass.
        static const QRegularExpression place(QStringLiteral("%(\\d)"));
        QString filled;
        qsizetype from = 0;
        for (auto places = place.globalMatch(result); places.hasNext();) {
            const QRegularExpressionMatch at = places.next();
            filled += result.mid(from, at.capturedStart() - from) + value(match.captured(QStringLiteral("v") + at.captured(1)));
            from = at.capturedEnd();
        }
        return filled + result.mid(from);
    }
    return std::nullopt;
}

QString translated(const QString& text) {
    if (const auto known = whole(text)) return *known;
    if (text.endsWith(QLatin1Char('.')) && !text.endsWith(QLatin1String(".."))) return translated(text.chopped(1)) + QLatin1Char('.');
    // A name before a condition, as in "load: Other programs ...".
    static const QRegularExpression named(QStringLiteral("^([a-z-]+: )([A-Z0-9].*)$"));
    if (const auto match = named.match(text); match.hasMatch()) return match.captured(1) + translated(match.captured(2));
    for (const QString& between : {QStringLiteral(". "), QStringLiteral("; ")}) {
        const QStringList parts = text.split(between);
        if (parts.size() < 2) continue;
        QStringList each;
        for (const QString& part : parts) each << localNumber(part).value_or(translated(part));
        return each.join(between);
    }
    return text;
}

}  // namespace

QString coreText(const std::string& text) {
    // The signs of terminals.
    return translated(QString::fromStdString(text)).replace(QStringLiteral(" +-"), QStringLiteral(" ±"));
}

}  // namespace parallax::ui
