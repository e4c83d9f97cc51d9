// SPDX-License-Identifier: GPL-3.0-or-later
// Models and other code that needs no window; edits_test.cpp has the edits of pipelines and panes.
#include <QAbstractItemModelTester>
#include <QDir>
#include <QLocale>
#include <QStandardPaths>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/image/synthetic.hpp"
#include "tests/support/fake_device.hpp"
#include "ui/models/benchmark/timing_model.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/metadata_model.hpp"
#include "ui/models/pipeline/preset_store.hpp"
#include "ui/models/pipeline/slider_scale.hpp"
#include "ui/models/pipeline/target_model.hpp"
#include "ui/models/view/histogram.hpp"
#include "ui/models/view/pixel_model.hpp"
#include "ui/models/view/pyramid.hpp"
#include "ui/models/view/view_state.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr auto kMode = QAbstractItemModelTester::FailureReportingMode::QtTest;

ImagePtr synthetic(const char* text) { return std::make_shared<const Image>(makeSynthetic(parseSynthetic(text))); }

}  // namespace

class ModelsTest : public QObject {
    Q_OBJECT
private slots:
    void presetsOfTheOldFolderMove() {
        QStandardPaths::setTestModeEnabled(true);
        const QString old = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/presets";
        QDir(PresetStore::standardFolder()).removeRecursively();
        const Operation& operation = *processCatalog().operations().front();
        PresetStore(processCatalog(), old).save(operation, "mine", ParameterBlock(operation.parameters()), true);
        QCOMPARE(PresetStore(processCatalog()).names(operation), QStringList{"mine"});
        QVERIFY(!QDir(old).exists());
        QVERIFY2(PresetStore::standardFolder().endsWith("/share/parallax/presets"), qPrintable(PresetStore::standardFolder()));
        QDir(PresetStore::standardFolder()).removeRecursively();
    }
    void unavailableTargetsAreListedWithTheReason() {
        TargetModel model(processCatalog());
        QAbstractItemModelTester tester(&model, kMode);
        QVERIFY(model.find("reference") >= 0);
        for (const auto& backend : processCatalog().backends()) {
            const int row = model.find(QString::fromStdString(backend->id()));
            QVERIFY(row >= 0);
            const QModelIndex index = model.index(row);
            QCOMPARE(bool(index.flags() & Qt::ItemIsEnabled), backend->availability().yes);
            QVERIFY(!index.data(Qt::ToolTipRole).toString().isEmpty());
            if (!backend->availability().yes)
                QVERIFY(index.data(Qt::ToolTipRole).toString().contains(QString::fromStdString(backend->availability().reason)));
        }
    }
    void severalDevicesAreOfferedTogether() {
        std::vector<std::shared_ptr<Backend>> backends;
        const std::vector<DeviceInfo> three{{.index = 0, .name = "X"}, {.index = 1, .name = "X"}, {.index = 2, .name = "X"}};
        backends.push_back(std::make_shared<test::FakeBackend>("one"));
        backends.push_back(std::make_shared<test::FakeBackend>("many", three));
        const Catalog catalog({}, std::move(backends));
        const TargetModel model(catalog);
        QStringList labels;
        for (int row = 0; row < model.rowCount(); ++row) labels << model.index(row).data(TargetModel::labelRole).toString();
        QCOMPARE(labels, (QStringList{"one", "many", "many@2", "many@3"}));
    }
    void theNumberOfRanksIsNoRowOfItsOwn() {
        std::vector<std::shared_ptr<Backend>> backends;
        backends.push_back(std::make_shared<test::FakeBackend>("mpi"));
        const Catalog catalog({}, std::move(backends));
        TargetModel model(catalog);
        QAbstractItemModelTester tester(&model, kMode);
        QCOMPARE(model.findOrList("mpi@4"), 0);
        QCOMPARE(model.rowCount(), 1);
        // A variant that is not listed is added once, whatever the number of ranks.
        QCOMPARE(model.findOrList("mpi.openmp.direct@4"), 1);
        QCOMPARE(model.findOrList("mpi.openmp.direct@2"), 1);
        QCOMPARE(model.rowCount(), 2);
        model.refresh();
        QCOMPARE(model.rowCount(), 1);
    }
    void onlyVariantsOfTheStepsAreOffered() {
        const Catalog& catalog = processCatalog();
        TargetModel model(catalog);
        QAbstractItemModelTester tester(&model, kMode);
        const int all = model.rowCount();
        for (const char* steps : {"convolve", "tonemap", "convolve tonemap"}) {
            std::vector<std::string> texts;
            for (const QByteArray& step : QByteArray(steps).split(' ')) texts.push_back(step.toStdString());
            const Pipeline pipeline = parsePipeline(catalog, texts);
            model.setPipeline(pipeline);
            QVERIFY2(model.rowCount() < all, steps);
            for (int row = 0; row < model.rowCount(); ++row) {
                if (!(model.index(row).flags() & Qt::ItemIsEnabled)) continue;
                const Target target = parseTarget(model.index(row).data(TargetModel::labelRole).toString().toStdString());
                for (const Step& step : pipeline.steps) {
                    const auto candidates = catalog.implementations(step.operation->id(), target.backend);
                    QVERIFY2(std::any_of(candidates.begin(), candidates.end(),
                                         [&](const Implementation* i) { return target.variant.empty() || i->variant() == target.variant; }),
                             qPrintable(model.index(row).data().toString() + " for " + steps));
                }
            }
            // Every backend stays in the list.
            for (const auto& backend : catalog.backends()) QVERIFY(model.find(QString::fromStdString(backend->id())) >= 0);
        }
        model.setPipeline({});
        QCOMPARE(model.rowCount(), all);
    }
    void anUnlistedTargetIsAddedOnce() {
        TargetModel model(processCatalog());
        QAbstractItemModelTester tester(&model, kMode);
        const int before = model.rowCount();
        QCOMPARE(model.findOrList("reference"), model.find("reference"));
        QCOMPARE(model.rowCount(), before);
        const int row = model.findOrList("cuda.tiled+pinned");
        QCOMPARE(model.rowCount(), before + 1);
        QVERIFY(row > model.find("cuda"));
        QCOMPARE(model.index(row).data(Qt::DisplayRole).toString().trimmed(), QStringLiteral("cuda.tiled+pinned"));
        QCOMPARE(model.findOrList("cuda.tiled+pinned"), row);
        QCOMPARE(model.rowCount(), before + 1);
        QCOMPARE(model.findOrList("unheard-of"), -1);
    }
    void metadata() {
        MetadataModel model;
        QAbstractItemModelTester tester(&model, kMode);
        Image image = makeSynthetic(parseSynthetic("synthetic:gradient:32x16,channels=3"));
        image.metadata.push_back({"owner", "string", "somebody", {}});
        model.setImage(std::make_shared<const Image>(std::move(image)));
        QVERIFY(model.rowCount() > 3);
        const auto found = model.match(model.index(0, 0), Qt::DisplayRole, "owner", 1, Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.front().siblingAtColumn(1).data().toString(), QStringLiteral("somebody"));
        // Counts have groups of three digits.
        Image stored = makeSynthetic(parseSynthetic("synthetic:gradient:32x16"));
        stored.source.storedChannels = {{"Y", "float"}};
        stored.source.storedStatistics.assign(1, {.nan = 12345, .positiveInfinity = 20000, .negativeInfinity = 3456});
        model.setImage(std::make_shared<const Image>(std::move(stored)));
        const auto row = model.match(model.index(0, 0), Qt::DisplayRole, "Stored Y", 1, Qt::MatchExactly);
        QCOMPARE(row.size(), 1);
        const QString value = row.front().siblingAtColumn(1).data().toString();
        QVERIFY2(value.contains("12,345 NaN") && value.contains("23,456 infinite"), qPrintable(value));
        model.setImage(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
    void pixels() {
        PixelModel model;
        QAbstractItemModelTester tester(&model, kMode);
        const ImagePtr image = synthetic("synthetic:gradient:32x16,channels=3");
        model.setImages(image, image, nullptr);
        model.setPosition(PixelPosition{31, 3});
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(*model.sample(0, PixelModel::originalColumn), static_cast<double>(image->view().at(31, 3, 0, 0)));
        QVERIFY(!model.sample(0, PixelModel::bColumn));
        QVERIFY(!model.sample(0, PixelModel::differenceColumn));
        model.setImages(image, image, image);
        QCOMPARE(*model.sample(0, PixelModel::differenceColumn), 0.0);
        Image negative(Buffer(Shape{32, 16, 1, 1}));
        negative.view().at(31, 3) = -1.5F;
        const auto darker = std::make_shared<const Image>(std::move(negative));
        model.setImages(darker, darker, darker);
        QCOMPARE(model.index(0, PixelModel::aColumn).data(Qt::ToolTipRole).toString(), QStringLiteral("−1.5"));
        QVERIFY(model.toText().contains("-1.5"));  // for programs
        model.setImages(image, image, image);
        model.setPosition(PixelPosition{-1, 3});
        QVERIFY(!model.sample(0, PixelModel::originalColumn));
    }
    void timings() {
        TimingModel model;
        QAbstractItemModelTester tester(&model, kMode);
        RunRecord record;
        record.baseline = "reference";
        for (const char* label : {"reference", "fast", "wrong", "absent"}) {
            RunEntry entry;
            entry.label = entry.backend = label;
            entry.verification = entry.label == "wrong" ? Verification::disagrees : Verification::agrees;
            const std::int64_t time = entry.label == "reference" ? 8'000'000 : 2'000'000;
            if (entry.label == "absent") {
                entry.status = RunStatus::skipped;
                entry.reason = "not here";
            } else {
                for (int i = 0; i < 8; ++i) {
                    StageTimes t;
                    t[Stage::compute] = time + i;
                    entry.samples.push_back(t);
                }
            }
            record.entries.push_back(entry);
        }
        const auto summary = summariseTimings(record);
        model.setSummary(summary);
        QCOMPARE(model.rowCount(), 4);
        const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
        QCOMPARE(text(0, TimingModel::speedupColumn), QStringLiteral("baseline"));
        QCOMPARE(text(1, TimingModel::speedupColumn), QStringLiteral("4.00×"));
        QCOMPARE(text(2, TimingModel::speedupColumn), QString());  // wrong results have no speedup
        QVERIFY(text(2, TimingModel::errorColumn).startsWith(QStringLiteral("✗")));
        QCOMPARE(text(3, TimingModel::computeColumn), QStringLiteral("skipped"));
        QVERIFY(model.index(3, 0).data(Qt::ToolTipRole).toString().contains("not here"));
        QCOMPARE(model.toText().split('\n').size(), 5);
        // Memory has a column where it is known.
        QVERIFY(model.isEmpty(TimingModel::memoryColumn));
        QVERIFY(!model.toText().contains("Memory"));
        record.entries[0].memory = {.estimatedHost = 12U << 20, .host = 13U << 20};
        record.entries[1].memory = {.estimatedHost = 12U << 20, .estimatedDevice = 24U << 20, .host = 12U << 20, .device = 25U << 20};
        record.entries[2].memory = {.estimatedHost = 12U << 20};  // of an older version
        model.setSummary(summariseTimings(record));
        QVERIFY(!model.isEmpty(TimingModel::memoryColumn));
        QVERIFY(model.toText().contains("Memory"));
        QCOMPARE(text(0, TimingModel::memoryColumn), QStringLiteral("13.0 MiB"));
        QCOMPARE(text(1, TimingModel::memoryColumn), QStringLiteral("12.0 MiB + 25.0 MiB"));
        QCOMPARE(text(2, TimingModel::memoryColumn), QString());
        const auto tipOf = [&](int row) { return model.index(row, 0).data(Qt::ToolTipRole).toString(); };
        QVERIFY2(tipOf(1).contains("Memory besides the input: 12.0 MiB estimated, 12.0 MiB at most\n"
                                   "Memory of the device: 24.0 MiB estimated, 25.0 MiB at most"),
                 qPrintable(tipOf(1)));
        QVERIFY2(tipOf(2).contains("Memory besides the input: 12.0 MiB estimated\n"), qPrintable(tipOf(2)));
        record.entries[1].verification = Verification::inconclusive;
        record.entries[1].tolerance = 1.09e12;
        model.setSummary(summariseTimings(record));
        QVERIFY(text(1, TimingModel::errorColumn).startsWith(QStringLiteral("?")));
        const QString tip = model.index(1, 0).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("allows any result") && !tip.contains("e12") && !tip.contains("e+12"), qPrintable(tip));
        model.setSummary(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
    void slidersReachEveryValue() {
        const ValueScale images[] = {{}, {.typical = 0.4, .largest = 1}, {.typical = 2, .largest = 5e4}, {.typical = 120, .largest = 3071}};
        for (const auto& operation : processCatalog().operations())
            for (const ParameterInfo& info : operation->parameters().infos()) {
                if (info.kind != ParameterKind::integer && info.kind != ParameterKind::real) continue;
                for (const ValueScale& image : images) {
                    const SliderScale scale(info, image);
                    QVERIFY(scale.minimum() >= info.minimum && scale.maximum() <= info.maximum);
                    QCOMPARE(scale.toValue(0), scale.minimum());
                    QCOMPARE(scale.toValue(scale.steps()), scale.maximum());
                    double last = scale.minimum() - 1;
                    for (int i = 0; i <= scale.steps(); ++i) {
                        const double v = scale.toValue(i);
                        QVERIFY2(v >= last, info.key.c_str());
                        QVERIFY2(std::abs(scale.toPosition(v) - i) <= 1 || v == last || info.kind == ParameterKind::integer,
                                 info.key.c_str());
                        last = v;
                    }
                }
            }
    }
    void slidersDoNotJumpByOrdersOfMagnitude() {
        // 12 pixels of the shortest slider.
        constexpr double kPart = 12.0 / 120;
        const ValueScale image{.typical = 0.5, .largest = 900};
        for (const auto& operation : processCatalog().operations())
            for (const ParameterInfo& info : operation->parameters().infos()) {
                if (info.kind != ParameterKind::integer && info.kind != ParameterKind::real) continue;
                const SliderScale scale(info, image);
                const int move = static_cast<int>(kPart * scale.steps());
                for (int i = 0; i + move <= scale.steps(); ++i) {
                    const double from = scale.toValue(i), jump = scale.toValue(i + move) - from;
                    // Linear scales of pixels and degrees end below 10,000.
                    QVERIFY2(jump <= 10 * std::fabs(from) || jump <= 1000, (info.key + " from " + std::to_string(from)).c_str());
                }
            }
    }
    void slidersAreBoundedByTheImage() {
        const auto info = [](const char* operation, const char* key) {
            for (const auto& o : processCatalog().operations())
                if (o->id() == operation) return o->parameters().infos().at(static_cast<std::size_t>(o->parameters().find(key)));
            return ParameterInfo{};
        };
        const ValueScale image{.typical = 0.5, .largest = 900};
        const SliderScale white(info("tonemap", "white"), image);
        QCOMPARE(white.maximum(), 900.0);
        QCOMPARE(white.toValue(0), 0.0);  // "largest"
        QVERIFY(white.toValue(1) > 0 && white.toValue(1) < 0.01);
        QCOMPARE(white.toPosition(1e8), white.steps());  // a typed value beyond the end
        const SliderScale offset(info("convolve", "offset"), image);
        QCOMPARE(offset.minimum(), -900.0);
        QCOMPARE(offset.toValue(offset.steps() / 2), 0.0);
        // An angle moves by whole degrees.
        const SliderScale angle(info("convolve", "angle"), image);
        QCOMPARE(angle.toValue(angle.toPosition(45) + 1), 46.0);
    }
    void magnitudesOfAnImageIgnoreWhatIsNotFinite() {
        Buffer samples({.width = 4, .height = 1, .depth = 1, .channels = 1});
        const float values[] = {0, -3, std::numeric_limits<float>::infinity(), 1};
        std::copy(std::begin(values), std::end(values), samples.view<float>().row(0));
        const ValueScale scale = valueScaleOf(Image(std::move(samples)));
        QCOMPARE(scale.largest, 3.0);
        QCOMPARE(scale.typical, 2.0);
        QCOMPARE(scale.extent, 4.0);
        Buffer black({.width = 1, .height = 1, .depth = 1, .channels = 1});
        black.view<float>().row(0)[0] = 0;
        QCOMPARE(valueScaleOf(Image(std::move(black))).largest, 1.0);
    }
    void pyramidKeepsMeansAndStrongest() {
        const ImagePtr image = synthetic("synthetic:impulse:1001x777");
        const Pyramid mean(image, Reduction::mean, {});
        const Pyramid strongest(image, Reduction::strongest, {});
        QVERIFY(mean.complete());
        QVERIFY(mean.levels() >= 3);
        const int last = strongest.levels() - 1;
        float largest = 0;
        std::int64_t step = 0;
        for (std::int64_t y = 0; y < strongest.height(last); ++y)
            for (std::int64_t x = 0; x < strongest.width(last); ++x) largest = std::max(largest, strongest.row(last, y, 0, step)[x]);
        QCOMPARE(largest, 1.0F);  // a single wrong pixel stays visible
        // Without reduced levels, rows are still inside the image.
        const Pyramid bare(image);
        for (std::int64_t y = 0; y < bare.height(last); ++y) {
            const float* row = bare.row(last, y, 0, step);
            QVERIFY((bare.width(last) - 1) * step < image->shape().width);
            QVERIFY(row >= image->view().row(0) && row < image->view().row(0) + image->shape().pixels());
        }
    }
    void numbersAreFormattedWithUnits() {
        QLocale::setDefault(QLocale::c());
        QCOMPARE(formatDuration(1.2345e6), QStringLiteral("1.23 ms"));
        QCOMPARE(formatDuration(123.4e9), QStringLiteral("123 s"));
        QCOMPARE(formatSample(std::nan("")), QStringLiteral("NaN"));
        QCOMPARE(formatError(0), QStringLiteral("0"));
        QCOMPARE(formatFactor(12.345), QStringLiteral("12.3×"));
        QCOMPARE(formatFactor(0.99999), QStringLiteral("1.00×"));
        // Shares, counts and Hounsfield units in the form that people read.
        QCOMPARE(formatPercent(0.714111), QStringLiteral("0.71 %"));
        QCOMPARE(formatPercent(12.345), QStringLiteral("12.3 %"));
        QCOMPARE(formatPercent(0), QStringLiteral("0 %"));
        QCOMPARE(formatPercent(100), QStringLiteral("100 %"));
        QCOMPARE(formatPercent(0.0001), QStringLiteral("< 0.01 %"));
        QCOMPARE(formatCount(1234567), QStringLiteral("1,234,567"));
        QCOMPARE(formatQuantity(46.1333, "HU"), QStringLiteral("46.1 HU"));
        QCOMPARE(formatQuantity(-1024, "HU"), QStringLiteral("−1024 HU"));
        QCOMPARE(formatQuantity(0.714111, "%"), QStringLiteral("0.71 %"));
        QCOMPARE(formatQuantity(0.25, ""), QStringLiteral("0.25"));
        // The minus sign, not a hyphen; texts for programs are formatted elsewhere.
        const double negative = -1.5, small = -1.25e-7;
        for (const QString& text : QStringList{formatSample(negative), formatShort(small, 6), ui::formatError(small),
                                               ui::formatNumber(negative), formatSample(-std::numeric_limits<double>::infinity())})
            QVERIFY2(text.contains(QChar(0x2212)) && !text.contains('-'), qPrintable(text));
        QCOMPARE(formatShort(-1.25e-7, 6), QStringLiteral("−1.2e−7"));
        QCOMPARE(formatPsnr(-12.345), QStringLiteral("−12.3"));
        QCOMPARE(formatPsnr(std::numeric_limits<double>::infinity()), QStringLiteral("∞"));
    }
    void histogramCountsEverySample() {
        // Every sample is in a bin with fitting edges, below, NaN or infinite.
        constexpr float inf = std::numeric_limits<float>::infinity();
        const std::vector<float> values{0, -0.0F, 1, 1, 0.25F, 1000, 1e-30F, -3, std::nanf(""), inf, -inf, 0x1p-149F};
        Buffer buffer(Shape{static_cast<std::int64_t>(values.size()), 1, 1, 1});
        std::copy(values.begin(), values.end(), buffer.view<float>().row(0));
        const Image image(std::move(buffer));
        for (const HistogramScale scale : {HistogramScale::automatic, HistogramScale::linear, HistogramScale::logarithmic}) {
            const Histogram h = computeHistogram(image, {}, scale, {});
            QCOMPARE(h.logarithmic, scale == HistogramScale::logarithmic);  // automatic: there are negative values
            const ChannelHistogram& c = h.channels.at(0);
            QVERIFY(std::is_sorted(h.edges.begin(), h.edges.end()));
            QCOMPARE(h.edges.size(), c.counts.size() + 1);
            std::uint64_t sum = c.below + c.nan + c.infinite;
            for (const std::uint64_t n : c.counts) sum += n;
            QCOMPARE(sum, std::uint64_t{values.size()});
            QCOMPARE(c.nan, std::uint64_t{1});
            QCOMPARE(c.infinite, std::uint64_t{2});
            QCOMPARE(c.minimum, -3.0);
            QCOMPARE(c.maximum, 1000.0);
            for (std::size_t i = 0; i < c.counts.size(); ++i) {
                std::uint64_t inside = 0;
                for (const float v : values)
                    if (std::isfinite(v) && v >= h.edges[i] && (v < h.edges[i + 1] || (i + 1 == c.counts.size() && v <= h.edges[i + 1])))
                        ++inside;
                QCOMPARE(c.counts[i], inside);
            }
        }
    }
    void histogramOfDegenerateImages() {
        for (const char* text : {"synthetic:hdr-ramp:257x31,channels=3", "synthetic:noise:1x1", "synthetic:shepp-logan:16x16x5"})
            for (const ChannelHistogram& c : computeHistogram(*synthetic(text), {}, HistogramScale::automatic, {}).channels)
                QCOMPARE(c.below + std::accumulate(c.counts.begin(), c.counts.end(), std::uint64_t{0}),
                         static_cast<std::uint64_t>(synthetic(text)->shape().pixels()));
        QVERIFY(computeHistogram(*synthetic("synthetic:hdr-ramp:64x64"), {}, HistogramScale::automatic, {}).logarithmic);
        Buffer black(Shape{3, 2, 1, 1});
        std::fill_n(black.view<float>().row(0), 6, 0.0F);
        const Histogram nothing = computeHistogram(Image(std::move(black)), {}, HistogramScale::logarithmic, {});
        QCOMPARE(nothing.channels[0].counts[0], std::uint64_t{6});  // all zero: a linear axis from 0 to 1
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(computeHistogram(*synthetic("synthetic:noise:64x64"), {}, HistogramScale::linear, stop.get_token()),
                                 Error);
    }
    void zoomKeepsThePositionUnderTheCursor() {
        ViewState view;
        view.setPaneSize(QSizeF(500, 300));
        view.setImageSize(QSizeF(4000, 3000));
        const QPointF cursor(120, -70);
        const QPointF before = view.centre() + cursor / view.scale();
        for (const double factor : {1.3, 2.0, 0.4, 7.0}) {
            view.zoomAt(cursor, factor);
            const QPointF now = view.centre() + cursor / view.scale();
            QVERIFY(std::hypot(now.x() - before.x(), now.y() - before.y()) < 1e-6);
        }
        view.fit();
        QCOMPARE(view.scale(), 0.1);
    }
};

QTEST_GUILESS_MAIN(ModelsTest)
#include "models_test.moc"
