// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the session that reads, writes and measures.
#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "core/io/atomic_file.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "core/measure/sampling/protocol.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/report/record/recipe_json.hpp"
#include "core/report/record/redact.hpp"
#include "core/report/record/report.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/session/lab.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {
namespace {

const QString kSaveKey = QStringLiteral("save ");
constexpr qint64 kLiveInterval = 200;  // milliseconds between live updates of a measurement

std::string shellQuoted(const std::string& text) {
    if (text.find_first_of(" '\"$&|;()<>*?`\\\n") == std::string::npos) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::function<void(double)> progressInto(const std::shared_ptr<Progress>& progress) {
    progress->start(1000);
    return [progress, done = std::make_shared<std::int64_t>(0)](double fraction) {
        const auto now = static_cast<std::int64_t>(fraction * 1000);
        progress->add(now - *done);
        *done = now;
    };
}

}  // namespace

QString sampleFolder() {
    const QDir installed(QCoreApplication::applicationDirPath() + QStringLiteral("/../share/parallax/samples"));
    return installed.exists() ? installed.canonicalPath() : QString();
}

QString defaultSample() {
    const QString folder = sampleFolder();
    for (const char* name : {"atrium.exr", "atrium.png"}) {
        const QString path = folder + QLatin1Char('/') + QLatin1String(name);
        if (!folder.isEmpty() && QFileInfo(path).isFile()) return path;
    }
    return QStringLiteral("synthetic:zone-plate:1024x768,channels=3");
}

bool isReport(const QString& input) {
    // Raw samples have their description in JSON, and may have any name.
    return !isRawInput(input) && input.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) &&
           !input.endsWith(QLatin1String(".raw.json"), Qt::CaseInsensitive);
}

void Session::open(const QString& input) {
    if (isReport(input)) return lab_->openReport(input);
    load(input, {});
}

void Session::openPicture(const QImage& picture, const QString& path) {
    load(path, [picture, path] {
        if (!picture.save(path, "PNG"))
            throw Error(ErrorCode::output, "Cannot write " + path.toStdString(), "the folder for temporary files could not be written",
                        "Check that it exists and has free space");
    });
}

void Session::load(const QString& input, std::function<void()> prepare) {
    drop(computeQueue_, QStringLiteral("measure"));
    auto image = std::make_shared<Image>();
    auto stamp = std::make_shared<FileStamp>();
    const QString shown = shortNameOf(input);
    submit(
        ioQueue_, QStringLiteral("load"), tr("Opening %1").arg(shown),
        [image, stamp, input, prepare = std::move(prepare), progress = progress_](const std::stop_token& stop) {
            if (prepare) prepare();
            *stamp = stampOf(pathOnDisk(input));
            LoadOptions options;
            options.stop = stop;
            options.progress = progressInto(progress);
            *image = openInput(input.toStdString(), options);
        },
        [this, image, stamp, input] {
            emit messageCleared(QStringLiteral("load"));
            const std::vector<std::string> warnings = image->source.warnings;
            setOriginal(std::move(*image), input, *stamp);
            if (warnings.empty()) return;
            const QString whatToDo =
                original_->source.volumes > 1 && original_->geometry ? tr("Choose another one under Volume in the Inspector") : QString();
            QStringList sentences;
            for (const std::string& w : warnings) sentences << QString::fromStdString(w);
            emit messageRaised(
                {Message::Kind::warning, tr("Opened with warnings"), sentences.join(QLatin1Char(' ')), whatToDo, QStringLiteral("load")});
        },
        [this](ErrorCode code, const Message& message) {
            if (code != ErrorCode::cancelled) emit messageRaised(message);
        });
}

std::vector<Target> Session::measuredTargets() {
    std::vector<Target> targets;
    if (!original_ || !pipeline_.pipeline().hasEnabledSteps()) {
        emit messageRaised(
            {Message::Kind::information, tr("Nothing to measure"), original_ ? tr("all steps are off") : tr("no image is open"),
             original_ ? tr("Enable or add a step in the Pipeline panel") : tr("Open an image or the sample"), QStringLiteral("measure")});
        return targets;
    }
    const auto add = [&](const Target& target) {
        if (std::find(targets.begin(), targets.end(), target) == targets.end()) targets.push_back(target);
    };
    for (const auto& backend : catalog().backends())
        if (backend->availability().yes) add(Target{.backend = backend->id()});
    for (const SideState& s : sides_)
        if (catalog().backend(s.target.backend).availability().yes) add(s.target);
    return targets;
}

std::string Session::benchCommand(const std::vector<Target>& targets, const QString& effort) const {
    std::string command = "parallax-cli bench -i " + shellQuoted(inputName_.toStdString());
    for (const Step& step : pipeline_.pipeline().steps)
        if (step.enabled) command += " --op " + shellQuoted(toText(step));
    for (const Target& target : targets) command += " --backend " + target.label();
    return command + " --effort " + effort.toStdString();
}

void Session::measure(const QString& effort) {
    const std::vector<Target> targets = measuredTargets();
    if (targets.empty()) return;
    const std::string command = benchCommand(targets, effort);

    using Shown = std::pair<std::shared_ptr<const RunRecord>, std::shared_ptr<const TimingSummary>>;
    const auto show = [this](const Shown& shown) {
        record_ = shown.first;
        summary_ = shown.second;
        recordOutdated_ = false;
        emit recordChanged();
    };
    const auto pack = [](RunRecord record) {
        auto summary = std::make_shared<const TimingSummary>(summariseTimings(record));
        return Shown{std::make_shared<const RunRecord>(std::move(record)), std::move(summary)};
    };
    auto final = std::make_shared<Shown>();
    auto pictures = std::make_shared<ReportPictures>();
    pictures_.reset();
    const quint64 number = newest_.value(QStringLiteral("measure")) + 1;
    submit(
        computeQueue_, QStringLiteral("measure"), tr("Measuring %1 backends").arg(targets.size()),
        [this, address = inbox_.address(), number, final, pictures, pack, show, engine = engine_, pipeline = pipeline_.pipeline(),
         image = original_, targets, command, effort](const std::stop_token& stop) {
            MeasureOptions options;
            options.protocol = protocolFor(effort.toStdString());
            options.command = command;
            options.stop = stop;
            const int side = pictureSide(1);
            // Names of files and pictures may tell who a patient is.
            const bool medical = image->source.medical;
            if (!medical) {
                *pictures = picturesOf(*image, side);
                options.onResult = [&, side](std::size_t entry, const View<const float>& result, const View<const float>& reference) {
                    addPictures(*pictures, entryLabel(targets[entry]), image->channelNames(), result, reference, side);
                };
            }
            QElapsedTimer sinceUpdate;
            sinceUpdate.start();
            options.onProgress = [&](const RunRecord& record) {
                if (sinceUpdate.elapsed() < kLiveInterval) return;
                const Shown live = pack(record);
                address.post([this, number, live, show] {
                    if (newest_.value(QStringLiteral("measure")) == number && measuring()) show(live);
                });
                sinceUpdate.restart();
            };
            RunRecord measured = measureTargets(engine, pipeline, image, targets, options);
            *final = pack(medical ? redacted(std::move(measured)) : std::move(measured));
        },
        [this, final, pictures, show] {
            show(*final);
            pictures_ = original_ && original_->source.medical ? nullptr : pictures;
            lab_->recordMeasured(final->first);
            emit messageCleared(QStringLiteral("measure"));
        },
        [this](ErrorCode code, const Message& message) {
            if (code != ErrorCode::cancelled) emit messageRaised(message);
        },
        JobQueue::Pace::asProcess);
    emit recordChanged();
}

bool Session::isSave(const QString& key) { return key.startsWith(kSaveKey); }

void Session::save(const QString& path, std::function<std::vector<std::string>(const std::stop_token&)> work) {
    const QString key = kSaveKey + QFileInfo(path).absoluteFilePath();
    // A new attempt takes away what earlier ones complained about; those that run beside each other leave it alone.
    if (!saving()) {
        for (const QString& failed : std::exchange(failedSaves_, {})) emit messageCleared(failed);
    }
    auto lost = std::make_shared<std::vector<std::string>>();
    submit(
        ioQueue_, key, tr("Saving %1").arg(QFileInfo(path).fileName()),
        [lost, work = std::move(work)](const std::stop_token& stop) { *lost = work(stop); },
        [this, lost, path, key] {
            emit saved(path);
            QStringList remarks;
            for (const std::string& sentence : *lost) remarks << QString::fromStdString(sentence);
            emit messageRaised({remarks.isEmpty() ? Message::Kind::information : Message::Kind::warning,
                                tr("Saved %1").arg(path),
                                remarks.join(QLatin1Char(' ')),
                                {},
                                key});
        },
        [this, key](ErrorCode code, const Message& message) {
            failedSaves_ << key;
            if (code != ErrorCode::cancelled) emit messageRaised(message);
        });
}

void Session::saveImage(PaneRole role, const QString& path, const SaveOptions& options) {
    const ImagePtr image = imageOf(role);
    if (!image) {
        emit messageRaised({Message::Kind::information, tr("No image to save yet"), {}, {}, QStringLiteral("save")});
        return;
    }
    save(path, [image, path, options, progress = progress_](const std::stop_token& stop) {
        SaveOptions here = options;
        here.stop = stop;
        here.progress = progressInto(progress);
        return parallax::saveImage(*image, path.toStdString(), here);
    });
}

void Session::saveBytes(const QString& path, bool overwrite, std::function<QByteArray()> make) {
    save(path, [path, overwrite, make = std::move(make)](const std::stop_token& stop) {
        const QByteArray bytes = make();
        if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Saving was cancelled");
        if (bytes.isEmpty())
            throw Error(ErrorCode::output, "'" + path.toStdString() + "' was not written", "its contents could not be encoded",
                        "Free some memory, or choose another format or size");
        AtomicFile file(path.toStdString(), overwrite);
        file.write(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        file.commit();
        return std::vector<std::string>{};
    });
}

void Session::saveReport(const QString& path, bool overwrite) {
    if (!record_) {
        emit messageRaised({Message::Kind::information, tr("No report to save yet"), tr("no benchmark has been run"),
                            tr("Run a benchmark first"), QStringLiteral("save")});
        return;
    }
    const bool own = lab_->recordSource().isEmpty();
    save(path, [record = record_, pictures = own ? pictures_ : nullptr, path, overwrite](const std::stop_token&) {
        std::vector<ReportPictures> shown;
        if (pictures) shown.push_back(*pictures);
        writeReport({*record}, shown, path.toStdString(), overwrite);
        return std::vector<std::string>{};
    });
}

void Session::saveReport(std::vector<RunRecord> records, const QString& path, bool overwrite) {
    save(path, [records = std::move(records), path, overwrite](const std::stop_token&) {
        writeReport(records, path.toStdString(), overwrite);
        return std::vector<std::string>{};
    });
}

void Session::saveRecipe(const QString& path, bool overwrite) {
    save(path, [pipeline = pipeline_.pipeline(), path, overwrite](const std::stop_token&) {
        parallax::saveRecipe(pipeline, path.toStdString(), overwrite);
        return std::vector<std::string>{};
    });
}

void Session::openRecipe(const QString& path) {
    auto pipeline = std::make_shared<Pipeline>();
    const QString name = QFileInfo(path).fileName();
    submit(
        ioQueue_, QStringLiteral("recipe"), tr("Reading %1").arg(name),
        [pipeline, &catalog = catalog(), path](const std::stop_token&) { *pipeline = loadRecipe(catalog, path.toStdString()); },
        [this, pipeline, name] {
            emit messageCleared(QStringLiteral("recipe"));
            pipeline_.replacePipeline(std::move(*pipeline), tr("Open %1").arg(name));
        },
        [this](ErrorCode code, const Message& message) {
            if (code != ErrorCode::cancelled) emit messageRaised(message);
        });
}

}  // namespace parallax::ui
