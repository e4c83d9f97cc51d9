// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/dicom/dicom_write.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include "core/engine/run/build_info.hpp"
#include "core/image/error.hpp"
#include "core/image/orientation.hpp"
#include "core/image/sha256.hpp"
#include "core/image/texts.hpp"
#include "core/io/atomic_folder.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/formats/dicom/dicom.hpp"
#include "core/io/formats/dicom/dicom_elements.hpp"
#include "core/io/formats/dicom/dicom_pixels.hpp"

namespace parallax {
namespace {

constexpr char kCtImage[] = "1.2.840.10008.5.1.4.1.1.2", kSecondaryCapture[] = "1.2.840.10008.5.1.4.1.1.7";

/// Attributes of patient and study that keepPatient copies, as stored. UIDs: see identify().
struct Copied {
    DicomTag tag;
    const char* vr;
};
constexpr Copied kPatientAttributes[] = {{0x00080005, "CS"}, {0x00080020, "DA"}, {0x00080030, "TM"}, {0x00080050, "SH"}, {0x00080080, "LO"},
                                         {0x00080090, "PN"}, {0x00081030, "LO"}, {0x00081048, "PN"}, {0x00100010, "PN"}, {0x00100020, "LO"},
                                         {0x00100030, "DA"}, {0x00100032, "TM"}, {0x00100040, "CS"}, {0x00101000, "LO"}, {0x00101001, "PN"},
                                         {0x00101010, "AS"}, {0x00101020, "DS"}, {0x00101030, "DS"}, {0x00101040, "LO"}, {0x00104000, "LT"},
                                         {0x00180015, "CS"}, {0x0020000d, "UI"}, {0x00200010, "SH"}};
/// Attributes that must be present, if only without a value (type 2).
constexpr Copied kRequired[] = {{0x00080020, "DA"}, {0x00080030, "TM"}, {0x00080050, "SH"}, {0x00080090, "PN"}, {0x00100010, "PN"},
                                {0x00100020, "LO"}, {0x00100030, "DA"}, {0x00100040, "CS"}, {0x00200010, "SH"}};

/// ASCII, which every character set has, without control characters and value separators, of limited length.
std::string plain(std::string_view text, std::size_t most) {
    std::string out;
    for (const char c : text.substr(0, most)) out += c >= ' ' && c < 0x7f && c != '\\' ? c : '?';
    return out;
}

std::string metadataText(const Image& image, std::string_view name) {
    for (const MetadataEntry& e : image.metadata)
        if (e.name == name) return e.text;
    return {};
}

double dotOfAxes(const Geometry& g, std::size_t a, std::size_t b) {
    return g.direction[a] * g.direction[b] + g.direction[3 + a] * g.direction[3 + b] + g.direction[6 + a] * g.direction[6 + b];
}

Vector3 normalOf(const Geometry& g) {
    const auto& d = g.direction;
    return {d[3] * d[7] - d[6] * d[4], d[6] * d[1] - d[0] * d[7], d[0] * d[4] - d[3] * d[1]};
}

/// "convolve, threshold": the operations of the steps.
std::string operationsOf(const Image& image) {
    return joined(image.provenance, ", ", [](const std::string& step) { return step.substr(0, step.find_first_of(": [")); });
}

/// Makes the data sets of one series.
class Writer {
public:
    Writer(const Image& image, DicomStored stored, std::string path, const SaveOptions& options, std::vector<std::string>& notes)
        : image_(image), stored_(std::move(stored)), path_(std::move(path)), options_(options) {
        const Geometry* const g = image.geometry ? &*image.geometry : nullptr;
        placed_ = stored_.values && orientationKnown(image);
        if (placed_ && std::fabs(dotOfAxes(*g, 0, 1)) > 1e-3)
            throw Error(ErrorCode::usage, "Cannot save '" + path_ + "'", "the rows and columns of its slices are not at right angles",
                        "Save it as .nrrd, .mha or .nii.gz, which keep such axes");
        if (stored_.values && g && !placed_)
            notes.emplace_back("The orientation in the patient is unknown, so that the files have spacings and no positions");
        const auto& series = image.source.series;
        ct_ = placed_ && series && series->modality == "CT";
        sopClass_ = ct_ ? kCtImage : kSecondaryCapture;
        if (options.keepPatient) readSource();
        fillCommon();
        identify();
    }

    const DicomStored& stored() const { return stored_; }

    /// The bytes of a file up to the samples, which follow in slice() of stored().
    std::vector<std::uint8_t> head(std::size_t z) const {
        DicomElements e = common_;
        const std::string uid = dicomUid(seriesUid_ + " " + std::to_string(z));
        e.text(0x00080018, "UI", uid);
        e.integer(0x00200013, static_cast<std::int64_t>(z) + 1);
        if (placed_) {
            const Geometry& g = *image_.geometry;
            e.decimals(0x00200032, positionOf(g, 0, 0, static_cast<double>(z)));
            e.decimals(0x00200037,
                       std::array{g.direction[0], g.direction[3], g.direction[6], g.direction[1], g.direction[4], g.direction[7]});
        }
        if (source_)
            if (const auto images = sourceImages(z); !images.empty()) e.sequence(0x00082112, images);
        std::vector<std::uint8_t> bytes = dicomFileMeta(sopClass_, uid);
        const auto append = [&](const std::vector<std::uint8_t>& part) { bytes.insert(bytes.end(), part.begin(), part.end()); };
        append(e.bytes());
        append(dicomPixelHead(static_cast<std::uint32_t>((stored_.sliceBytes + 1) / 2 * 2), stored_.bits == 16));
        return bytes;
    }

private:
    void readSource() {
        if (image_.source.format != "DICOM")
            throw Error(ErrorCode::usage, "Cannot save '" + path_ + "' with patient data", "its source is not DICOM",
                        "Leave out --keep-patient (\"Copy patient data\" in the window)");
        try {
            LoadOptions tasks = taskOptions(options_);
            tasks.progress = {};
            source_ = findDicomSeries(image_.source.path, tasks);
        } catch (const Error& e) {
            if (e.code() == ErrorCode::cancelled) throw;
            throw Error(ErrorCode::input, "Cannot copy patient data to '" + path_ + "'", e.why().empty() ? e.summary() : e.why(),
                        "Put the source back in its place, or save without patient data");
        }
        if (image_.source.series && source_->info.uid != image_.source.series->uid)
            throw Error(ErrorCode::input, "Cannot copy patient data to '" + path_ + "'", "the source was replaced by another series",
                        "Open it again, or save without patient data");
    }

    void fillCommon() {
        fillPatient();
        fillSeries();
        fillImage();
        if (stored_.values) fillValues();
        if (stored_.values && image_.geometry) fillGeometry(*image_.geometry);
    }

    void fillPatient() {
        DicomElements& e = common_;
        e.text(0x00080005, "CS", "ISO_IR 192");
        for (const Copied& c : kRequired) e.text(c.tag, c.vr, "");
        if (source_) {
            const DicomHeader& h = source_->slices.front().header;
            for (const Copied& c : kPatientAttributes)
                if (const std::string value = h.wholeText(c.tag); !value.empty()) e.text(c.tag, c.vr, value);
            if (!h.has(0x00080005)) e.text(0x00080005, "CS", "ISO_IR 100");  // as such files are read
        } else if (image_.source.medical) {
            e.text(0x00120062, "CS", "YES");  // Patient Identity Removed
            e.text(0x00120063, "LO", "Patient and study attributes left out by Parallax");
        }
    }

    void fillSeries() {
        DicomElements& e = common_;
        const auto& series = image_.source.series;
        const std::string modality = series ? plain(series->modality, 16) : std::string();
        e.text(0x00080016, "UI", sopClass_);
        e.text(0x00080060, "CS", modality.empty() ? "OT" : modality);
        e.text(0x00080070, "LO", "Parallax");
        e.text(0x00181020, "LO", plain(buildInfo().version, 64));
        e.integer(0x00200011, series ? series->number % 1000000 + 1000 : 1);
        e.text(0x0008103e, "LO", plain("Parallax: " + (image_.provenance.empty() ? "converted" : operationsOf(image_)), 64));
        e.text(0x00200060, "CS", "");  // Laterality
        if (ct_) e.text(0x00185100, "CS", plain(metadataText(image_, "PatientPosition"), 16));
        else e.text(0x00080064, "CS", "WSD");  // Conversion Type: made on a workstation
    }

    void fillImage() {
        DicomElements& e = common_;
        const Shape& s = image_.shape();
        const bool inverted = stored_.values && image_.source.series && image_.source.series->minimumIsWhite;
        e.text(0x00080008, "CS", ct_ ? "DERIVED\\SECONDARY\\AXIAL" : "DERIVED\\SECONDARY");
        e.text(0x00082111, "ST", plain(image_.provenance.empty() ? "Converted" : joined(image_.provenance, "; "), 1024));
        if (!ct_) e.text(0x00200020, "CS", "");  // Patient Orientation
        if (ct_) {
            e.text(0x00180060, "DS", plain(metadataText(image_, "KVP"), 16));
            e.text(0x00200012, "IS", "");  // Acquisition Number
            if (const std::string kernel = metadataText(image_, "ConvolutionKernel"); !kernel.empty())
                e.text(0x00181210, "SH", plain(kernel, 16));
        }
        e.number16(0x00280002, stored_.samplesPerPixel);
        e.text(0x00280004, "CS", stored_.samplesPerPixel == 3 ? "RGB" : inverted ? "MONOCHROME1" : "MONOCHROME2");
        if (stored_.samplesPerPixel == 3) e.number16(0x00280006, 0);  // interleaved
        e.number16(0x00280010, static_cast<unsigned>(s.height));
        e.number16(0x00280011, static_cast<unsigned>(s.width));
        e.number16(0x00280100, stored_.bits);
        e.number16(0x00280101, stored_.bits);
        e.number16(0x00280102, stored_.bits - 1);
        e.number16(0x00280103, stored_.isSigned ? 1 : 0);
    }

    void fillValues() {
        DicomElements& e = common_;
        const std::string unit = image_.geometry ? plain(image_.geometry->unit, 16) : std::string();
        e.decimals(0x00281052, std::array{stored_.rescale.intercept});
        e.decimals(0x00281053, std::array{stored_.rescale.slope});
        e.text(0x00281054, "LO", unit.empty() ? "US" : unit);  // US: unspecified
        ValueWindow window{"", (stored_.least + stored_.largest) / 2, stored_.largest - stored_.least};
        if (!image_.source.windows.empty()) window = image_.source.windows.front();
        if (!(window.width > 0)) return;
        e.decimals(0x00281050, std::array{window.centre});
        e.decimals(0x00281051, std::array{window.width});
        if (window.width < 1) e.text(0x00281056, "CS", "LINEAR_EXACT");  // others have a width of 1 at least
    }

    void fillGeometry(const Geometry& g) {
        DicomElements& e = common_;
        const std::int64_t depth = image_.shape().depth;
        e.decimals(0x00280030, std::array{g.spacing[1], g.spacing[0]});
        const Vector3 normal = normalOf(g);
        const double along = g.direction[2] * normal[0] + g.direction[5] * normal[1] + g.direction[8] * normal[2];
        const double distance = std::fabs(placed_ ? g.spacing[2] * along : g.spacing[2]);
        double thickness = distance;
        (void)parseNumber(metadataText(image_, "SliceThickness"), thickness);
        e.decimals(0x00180050, std::array{thickness});
        if (depth > 1) e.decimals(0x00180088, std::array{distance});
        if (!placed_) return;
        e.text(0x00201040, "LO", "");      // Position Reference Indicator
        constexpr double kStraight = 0.1;  // degrees
        const bool tilted = std::acos(std::min(1.0, std::fabs(along))) * 180 / std::numbers::pi > kStraight;
        if (const std::string tilt = metadataText(image_, "GantryDetectorTilt"); tilted && !tilt.empty())
            e.text(0x00181120, "DS", plain(tilt, 16));
    }

    /// UIDs: of the source with patient data; else pseudonyms, which are the same for all results of one series.
    void identify() {
        std::vector<std::uint8_t> content = common_.bytes();
        const auto append = [&](const auto& part) { content.insert(content.end(), part.begin(), part.end()); };
        const auto depth = static_cast<std::size_t>(image_.shape().depth);
        std::vector<Sha256::Digest> digests(depth);
        LoadOptions tasks = taskOptions(options_);
        tasks.progress = {};
        runTasks(static_cast<std::int64_t>(depth), tasks, {}, [&](std::int64_t z) {
            const auto i = static_cast<std::size_t>(z);
            const auto slice = stored_.slice(i);
            Sha256 sha;
            sha.add(std::as_bytes(std::span(slice)));
            digests[i] = sha.digest();
        });
        for (const Sha256::Digest& digest : digests) append(digest);
        if (placed_)
            for (std::size_t z = 0; z < depth; ++z)
                for (const double v : positionOf(*image_.geometry, 0, 0, static_cast<double>(z))) append(dicomDecimal(v) + " ");
        if (source_) append(source_->info.uid);
        seriesUid_ = dicomUid(content);
        common_.text(0x0020000e, "UI", seriesUid_);
        const auto& series = image_.source.series;
        const std::string family = series && !series->uid.empty() ? series->uid : seriesUid_;
        const auto original = [&](DicomTag tag) { return source_ ? source_->slices.front().header.text(tag) : std::string(); };
        const auto uid = [&](DicomTag tag, const std::string& kind) {
            const std::string kept = original(tag);
            common_.text(tag, "UI", kept.empty() ? dicomUid(kind + " " + family) : kept);
        };
        uid(0x0020000d, "study");
        if (placed_) uid(0x00200052, "frame of reference");
    }

    /// The images that slice `z` was made of: the one at its place or, if the slices are others, all.
    std::vector<DicomElements> sourceImages(std::size_t z) const {
        const std::vector<DicomSlice>& slices = source_->slices;
        const bool same = slices.size() == static_cast<std::size_t>(image_.shape().depth);
        std::vector<DicomElements> items;
        for (std::size_t i = same ? z : 0; i < (same ? z + 1 : slices.size()); ++i) {
            const std::string sopClass = slices[i].header.text(0x00080016);
            if (sopClass.empty() || slices[i].instanceUid.empty()) continue;
            DicomElements item, purpose;
            item.text(0x00081150, "UI", sopClass);
            item.text(0x00081155, "UI", slices[i].instanceUid);
            if (slices[i].frames > 1) item.integer(0x00081160, slices[i].frame + 1);
            purpose.text(0x00080100, "SH", "121322");
            purpose.text(0x00080102, "SH", "DCM");
            purpose.text(0x00080104, "LO", "Source image for image processing operation");
            item.sequence(0x0040a170, std::array{purpose});
            items.push_back(std::move(item));
        }
        return items;
    }

    const Image& image_;
    DicomStored stored_;
    std::string path_;
    const SaveOptions& options_;
    std::optional<DicomSeries> source_;  ///< with keepPatient
    bool placed_ = false;                ///< with positions and orientation
    bool ct_ = false;
    std::string sopClass_, seriesUid_;
    DicomElements common_;
};

void checkSides(const Image& image, const std::string& path) {
    constexpr std::int64_t kLargestSide = 65535;
    if (image.shape().width > kLargestSide || image.shape().height > kLargestSide)
        throw Error(ErrorCode::usage, "Cannot save '" + path + "'", "DICOM images have at most 65,535 rows and columns",
                    "Save it as .nrrd or .tif");
}

constexpr std::uint8_t kPadding[1] = {0};

std::span<const std::uint8_t> paddingOf(const DicomStored& stored) { return std::span(kPadding).first(stored.sliceBytes % 2); }

}  // namespace

void writeDicomImage(const Image& image, const std::vector<int>& channels, const std::string& path, AtomicFile& file,
                     const SaveOptions& options, std::vector<std::string>& notes) {
    checkSides(image, path);
    const bool values = image.shape().channels == 1 && (image.source.medical || image.geometry);
    const Writer writer(image, values ? storeDicomValues(image, options, notes) : storeDicomColours(image, channels, options, notes), path,
                        options, notes);
    const std::vector<std::uint8_t> head = writer.head(0);
    file.write(head.data(), head.size());
    const auto pixels = writer.stored().slice(0), padding = paddingOf(writer.stored());
    file.write(pixels.data(), pixels.size());
    file.write(padding.data(), padding.size());
}

void writeDicomSeries(const Image& image, const std::string& folder, const SaveOptions& options, std::vector<std::string>& notes) {
    checkSides(image, folder);
    AtomicFolder files(folder, options.overwrite);
    const Writer writer(image, storeDicomValues(image, options, notes), folder, options, notes);
    const std::int64_t depth = image.shape().depth;
    runTasks(depth, taskOptions(options), {0.5, 1}, [&](std::int64_t z) {
        const auto i = static_cast<std::size_t>(z);
        files.write(z + 1, depth, {writer.head(i), writer.stored().slice(i), paddingOf(writer.stored())});
    });
    files.commit();
}

}  // namespace parallax
