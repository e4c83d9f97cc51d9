// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/record_json.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/engine/backend/catalog.hpp"
#include "core/image/error.hpp"
#include "core/io/json_text.hpp"
#include "core/kernels/kernel_record.hpp"
#include "core/measure/sampling/entry_times.hpp"
#include "core/measure/sampling/recipes.hpp"
#include "core/measure/sampling/sampler.hpp"
#include "core/report/record/comparison_json.hpp"
#include "core/report/record/cost_model_json.hpp"
#include "core/report/record/text_file.hpp"

namespace parallax {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "parallax.run-record";
constexpr const char *kListSchema = "parallax.run-records", *kComparisons = "comparisons";

template <class T>
constexpr bool kIsVector = false;
template <class T>
constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
constexpr bool kIsOptional = false;
template <class T>
constexpr bool kIsOptional<std::optional<T>> = true;
using Pairs = std::vector<std::pair<std::string, std::string>>;

template <class E>
constexpr const auto& kNames = kVerificationNames;
template <>
constexpr const auto& kNames<RunStatus> = kRunStatusNames;

Json encoded(const StageTimes& times);
void decode(const Json& j, StageTimes& times);
Json timelineOf(const RunEntry& e);
void readTimeline(const Json& j, RunEntry& e);
std::vector<std::string> modesOfLabel(const std::string& label);
void checkShape(const Shape& shape);
void checkTraffic(const TrafficRecord& traffic);

// Keys and members of each type, once for both directions: a Writer passes a constant, a Reader a variable.

template <class V>
void fields(V& v, typename V::template Of<WorstPixel>& w) {
    v("x", w.x, "y", w.y, "z", w.z, "channel", w.channel, "reference", w.a, "value", w.b);
}

template <class V>
void fields(V& v, typename V::template Of<ClosestToTolerance>& c) {
    v("pixel", c.pixel, "share", c.share);
}

template <class V>
void fields(V& v, typename V::template Of<DifferenceMetrics>& d) {
    v("max_abs", d.maxAbs, "mean_abs", d.meanAbs, "rmse", d.rmse, "relative_l2", d.relativeL2, "psnr_db", d.psnr, "peak", d.peak);
    v("compared", d.compared, "nan_mismatches", d.nanMismatches, "infinity_mismatches", d.infinityMismatches);
    v("border_band", d.borderWidth, "max_abs_border", d.maxAbsBorder, "max_abs_interior", d.maxAbsInterior);
    v("rmse_border", d.rmseBorder, "rmse_interior", d.rmseInterior, "worst", d.worst, "beyond_tolerance", d.beyond);
    v("closest", d.closest);
}

template <class V>
void fields(V& v, typename V::template Of<ResultMetrics>& m) {
    v("ssim", m.ssim, "ssim_linear", m.ssimLinear, "flip", m.flip, "high_dynamic_range", m.highDynamicRange, "max_ulp", m.largestUlp);
}

template <class V>
void fields(V& v, typename V::template Of<BitsRecord>& b) {
    v("hash", b.hash, "runs", b.runs, "others", b.others);
}

template <class V>
void fields(V& v, typename V::template Of<EnergyRecord>& e) {
    v("source", e.source, "joules", e.joules, "seconds", e.seconds, "runs", e.runs);
}

template <class V>
void fields(V& v, typename V::template Of<StatisticRecord>& s) {
    v("step", s.step, "operation", s.operation, "key", s.key, "title", s.title, "unit", s.unit, "value", s.value);
}

template <class V>
void fields(V& v, typename V::template Of<SeriesRecord>& s) {
    v("step", s.step, "operation", s.operation, "key", s.key, "title", s.title, "x_title", s.xTitle, "y_title", s.yTitle);
    v("x_unit", s.xUnit, "y_unit", s.yUnit, "logarithmic", s.logarithmic, "label", s.label, "end", s.end, "x", s.x, "y", s.y);
    if (V::kReads || s.tolerance > 0) v("tolerance", s.tolerance);
    if (V::kReads && s.x.size() != s.y.size()) throw Error(ErrorCode::input, "a series has more values on one axis than on the other");
}

template <class V>
void fields(V& v, typename V::template Of<LapRecord>& l) {
    v("step", l.step, "operation", l.operation, "key", l.key, "title", l.title, "label", l.label, "ns", l.nanoseconds, "count", l.count);
}

template <class V>
void fields(V& v, typename V::template Of<LapsRecord>& l) {
    v("compute_ns", l.compute, "parts", l.laps);
}

template <class V>
void fields(V& v, typename V::template Of<PartTimes>& t) {
    v("compute_ns", t.compute, "exchange_ns", t.exchange);
}

template <class V>
void fields(V& v, typename V::template Of<TrafficRecord>& t) {
    v("link", t.link, "uncounted", t.uncounted, "unit", t.unit, "edge", t.edge);
    v("messages", t.received.messages, "bytes", t.received.bytes, "collectives", t.received.collectives);
    v("collective_bytes", t.received.collectiveBytes, "overlapped_ns", t.received.overlapped);
    if (V::kReads || !t.times.empty()) v("part_times", t.times);
    if constexpr (V::kReads) checkTraffic(t);
}

template <class V>
void fields(V& v, typename V::template Of<RankHost>& h) {
    v("name", h.name, "processor", h.processor, "ranks", h.ranks, "threads", h.threads);
}

template <class V>
void fields(V& v, typename V::template Of<JudgementRecord>& j) {
    v("operation", j.operation, "criterion", j.criterion, "value", j.value, "bound", j.bound, "reason", j.reason);
}

template <class V>
void fields(V& v, typename V::template Of<RunEntry>& e) {
    v("label", e.label, "backend", e.backend, "variant", e.variant, "device", e.device, "threads", e.threads);
    if (V::kReads || !e.hosts.empty()) v("hosts", e.hosts);
    if constexpr (V::kReads) e.modes = modesOfLabel(e.label);  // if the key is missing
    v("modes", e.modes, "status", e.status, "reason", e.reason, "implementations", e.implementations, "choices", e.choices);
    v("prepare_ns", e.prepare, "cold_ns", e.cold, "samples_ns", e.samples, "blocks", e.blocks);
    v("verification", e.verification, "tolerance", e.tolerance, "tolerance_reason", e.toleranceReason);
    v("undecided", e.ambiguous, "judged_step", e.judgedStep, "findings", e.statistics, "flops", e.flops, "bytes", e.bytes);
    v("estimated_host_bytes", e.memory.estimatedHost, "estimated_device_bytes", e.memory.estimatedDevice);
    if (V::kReads || e.memory.host > 0) v("peak_host_bytes", e.memory.host);
    if (V::kReads || e.memory.device > 0) v("peak_device_bytes", e.memory.device);
    v("warnings", e.warnings);
    if constexpr (V::kReads) {
        if (v.has("timeline")) readTimeline(v.at("timeline"), e);
    } else if (Json timeline = timelineOf(e); !timeline.is_null()) {
        v("timeline", timeline);
    }
    if (V::kReads || e.isCompared()) v("difference", e.difference);
    v("metrics", e.metrics, "bits", e.bits, "energy", e.energy);
    if (V::kReads || !e.sha256.empty()) v("sha256", e.sha256);
    if (V::kReads || !e.series.empty()) v("series", e.series);
    if (V::kReads || !e.judgements.empty()) v("judgements", e.judgements);
    if (V::kReads || !e.laps.empty()) v("laps", e.laps);
    v("traffic", e.traffic);
}

template <class V>
void fields(V& v, typename V::template Of<GpuRecord>& g) {
    v("name", g.name, "memory_bytes", g.memory, "details", g.details);
}

template <class V>
void fields(V& v, typename V::template Of<CeilingRecord>& c) {
    v("name", c.name, "level", c.level, "threads", c.threads, "value", c.value, "unit", c.unit, "bytes", c.bytes);
    if (!V::kReads && c.device.empty()) return;
    v("backend", c.backend, "device", c.device, "device_index", c.deviceIndex);
}

template <class V>
void fields(V& v, typename V::template Of<MachineRecord>& m) {
    v("cpu", m.cpu, "sockets", m.sockets, "cores", m.cores, "hardware_threads", m.hardwareThreads);
    v("usable_threads", m.usableThreads, "threads_per_core", m.threadsPerCore, "min_mhz", m.minMHz, "max_mhz", m.maxMHz);
    v("virtual_machine", m.virtualMachine, "timer_resolution_ns", m.timerResolutionNs, "numa", m.numa, "memory_bytes", m.memory);
    v("caches", m.caches, "simd", m.simd, "governor", m.governor, "os", m.os, "kernel", m.kernel, "host", m.host);
    v("gpus", m.gpus, "ceilings", m.ceilings);
}

template <class V>
void fields(V& v, typename V::template Of<BackendBuild>& b) {
    v("id", b.id, "details", b.details);
}

template <class V>
void fields(V& v, typename V::template Of<InputRecord>& input) {
    v("name", input.name, "width", input.shape.width, "height", input.shape.height, "depth", input.shape.depth, "channels", input.channels);
    if constexpr (V::kReads) {
        input.shape.channels = static_cast<std::int64_t>(input.channels.size());
        checkShape(input.shape);
    }
    if (V::kReads || !input.light.empty()) v("light", input.light);
    v("hash", input.hash, "non_finite", input.nonFinite);
    if (V::kReads || !input.sha256.empty()) v("sha256", input.sha256);
}

template <class V>
void fields(V& v, typename V::template Of<ProtocolRecord>& p) {
    v("effort", p.effort, "warm_up", p.warmUp, "minimum_samples", p.minimumSamples, "minimum_seconds", p.minimumSeconds);
    v("maximum_seconds", p.maximumSeconds, "target_noise", p.targetNoise, "seed", p.seed);
    if (V::kReads || p.coldCaches) v("cold_caches", p.coldCaches);
}

template <class V>
void fields(V& v, typename V::template Of<SweepRecord>& s) {
    v("axis", s.axis, "value", s.value);
}

template <class V>
void fields(V& v, typename V::template Of<RunRecord>& r) {
    v.constant("schema", kSchema);
    v("schema_version", r.version);
    if (r.version > kColdCachesVersion)
        throw Error(ErrorCode::input, "its version " + std::to_string(r.version) + " is newer than the supported version " +
                                          std::to_string(kColdCachesVersion));
    v.group("tool", [&](V& tool) {
        tool.constant("name", "parallax");
        tool("version", r.toolVersion, "git", r.git, "build_type", r.buildType, "compiler", r.compiler, "flags", r.flags);
        tool("backends", r.backends);
    });
    v("when", r.when, "command", r.command, "machine", r.machine, "input", r.input, "recipe", r.recipe, "protocol", r.protocol);
    v("baseline", r.baseline, "entries", r.entries, "warnings", r.warnings);
    if (V::kReads || !r.sweep.axis.empty()) v("sweep", r.sweep);
}

class Writer {
public:
    template <class T>
    using Of = const T;
    static constexpr bool kReads = false;

    template <class T, class... More>
    void operator()(const char* key, const T& value, const More&... more) {
        if constexpr (!kIsOptional<T>) json_[key] = write(value);
        else if (value) json_[key] = write(*value);
        if constexpr (sizeof...(more) > 0) (*this)(more...);
    }
    void constant(const char* key, const char* text) { json_[key] = text; }
    template <class F>
    void group(const char* key, F&& addFields) {
        Writer inner;
        addFields(inner);
        json_[key] = std::move(inner.json_);
    }

    template <class T>
    static Json write(const T& value) {
        if constexpr (std::is_same_v<T, double>) {
            return jsonOf(value);
        } else if constexpr (std::is_enum_v<T>) {
            return kNames<T>[static_cast<std::size_t>(value)];
        } else if constexpr (std::is_same_v<T, Pairs>) {
            Json j = Json::object();
            for (const auto& [k, v] : value) j[k] = v;
            return j;
        } else if constexpr (kIsVector<T>) {
            Json list = Json::array();
            for (const auto& item : value) list.push_back(write(item));
            return list;
        } else if constexpr (std::is_same_v<T, StageTimes>) {
            return encoded(value);
        } else if constexpr (std::is_constructible_v<Json, const T&>) {
            return Json(value);
        } else {
            Writer inner;
            fields(inner, value);
            return std::move(inner.json_);
        }
    }

private:
    Json json_ = Json::object();
};

/// Missing keys and null leave the value as it is. Unknown keys are ignored.
class Reader {
public:
    template <class T>
    using Of = T;
    static constexpr bool kReads = true;
    explicit Reader(const Json& json) : json_(json) {}

    template <class T, class... More>
    void operator()(const char* key, T& value, More&... more) {
        if constexpr (std::is_enum_v<T>) {
            const std::string text = has(key) ? at(key).get<std::string>() : std::string();
            const auto name = std::find(kNames<T>.begin(), kNames<T>.end(), text);
            if (name == kNames<T>.end()) throw Error(ErrorCode::input, "unknown '" + std::string(key) + "': '" + text + "'");
            value = static_cast<T>(name - kNames<T>.begin());
        } else if (has(key)) {
            if constexpr (kIsOptional<T>) read(at(key), value.emplace());
            else read(at(key), value);
        }
        if constexpr (sizeof...(more) > 0) (*this)(more...);
    }
    void constant(const char*, const char*) {}
    template <class F>
    void group(const char* key, F&& addFields) {
        if (!has(key)) return;
        Reader inner(at(key));
        addFields(inner);
    }
    bool has(const char* key) const {
        const auto it = json_.find(key);
        return it != json_.end() && !it->is_null();
    }
    const Json& at(const char* key) const { return json_.at(key); }

    template <class T>
    static void read(const Json& j, T& value) {
        if constexpr (std::is_same_v<T, double>) {
            value = numberFrom(j);
        } else if constexpr (std::is_same_v<T, Pairs>) {
            value.clear();
            for (const auto& [k, v] : j.items()) value.emplace_back(k, v.template get<std::string>());
        } else if constexpr (kIsVector<T>) {
            if (!j.is_array()) throw Error(ErrorCode::input, "a list was expected instead of " + j.dump().substr(0, 40));
            value.clear();
            for (const Json& item : j) read(item, value.emplace_back());
        } else if constexpr (std::is_same_v<T, StageTimes>) {
            decode(j, value);
        } else if constexpr (std::is_constructible_v<Json, const T&>) {
            value = j.get<T>();
        } else {
            Reader inner(j);
            fields(inner, value);
        }
    }

private:
    const Json& json_;
};

Json encoded(const StageTimes& times) {
    Json j = Json::object();
    for (const Stage s : kAllStages)
        if (times[s] != 0) j[std::string(stageName(s))] = times[s];
    if (times.overlapped()) j["end_to_end"] = times.endToEnd();  // differs from the sum of the stages
    return j;
}

/// Limits a time to nine years, so that sums cannot overflow.
std::int64_t plausibleTime(const Json& j, std::string_view key) {
    const auto it = j.find(key);
    const std::int64_t ns = it == j.end() || it->is_null() ? 0 : it->get<std::int64_t>();
    if (ns < 0 || ns > std::int64_t{1} << 58) throw Error(ErrorCode::input, "it contains an impossible time");
    return ns;
}

void decode(const Json& j, StageTimes& times) {
    for (const Stage s : kAllStages) times[s] = plausibleTime(j, stageName(s));
    if (const std::int64_t wall = plausibleTime(j, "end_to_end"); wall > 0) times.setOverlapped(wall);
}

/// Spans of the typical sample only: those of all would make up most of the file.
Json timelineOf(const RunEntry& e) {
    const std::size_t i = typicalSample(e);
    if (i >= e.samples.size()) return nullptr;
    Json spans = Json::object();
    for (const Stage s : kAllStages)
        if (const StageTimes::Span& span = e.samples[i].span(s); span.known())
            spans[std::string(stageName(s))] = Json::array({span.begin, span.end});
    Json timeline{{"sample", i}, {"spans_ns", std::move(spans)}};
    for (const StageTimes::Piece& p : e.samples[i].pieces()) {
        Json piece{{"stage", stageName(p.stage)}, {"strip", p.strip}, {"span", Json::array({p.span.begin, p.span.end})}};
        if (p.part > 0) piece["part"] = p.part;
        timeline["pieces_ns"].push_back(std::move(piece));
    }
    return timeline;
}

StageTimes::Span spanFrom(const Json& j) { return {j.at(0).get<std::int64_t>(), j.at(1).get<std::int64_t>()}; }

void readTimeline(const Json& j, RunEntry& e) {
    const std::size_t i = j.value("sample", std::size_t{0});
    if (i >= e.samples.size() || !j.contains("spans_ns")) return;
    for (const Stage s : kAllStages)
        if (const auto it = j["spans_ns"].find(stageName(s)); it != j["spans_ns"].end()) {
            const StageTimes::Span span = spanFrom(*it);
            e.samples[i].extendSpan(s, span.begin, span.end);
        }
    if (!j.contains("pieces_ns")) return;
    std::vector<StageTimes::Piece> pieces;
    for (const Json& p : j["pieces_ns"]) {
        const std::string name = p.value("stage", "");
        const auto stage = std::find_if(kAllStages.begin(), kAllStages.end(), [&](Stage s) { return stageName(s) == name; });
        if (stage != kAllStages.end() && p.contains("span"))
            pieces.push_back({*stage, p.value("strip", 0), spanFrom(p["span"]), p.value("part", 0)});
    }
    e.samples[i].keepPieces(std::move(pieces));
}

/// Records of older versions have the modes in the label only: "cuda.direct+overlapped+pinned@4#1".
std::vector<std::string> modesOfLabel(const std::string& label) {
    try {
        return parseTarget(label.substr(0, label.find_first_of("@:#"))).modes;
    } catch (const Error&) {
        return {};  // not a label of Parallax
    }
}

/// Labels of older versions in the present form. The record keeps the version that its other contents have, unless a label changes.
void updateLabels(RunRecord& r) {
    if (r.version >= kPartsVersion) return;
    bool changed = false;
    const auto update = [&](std::string& label) {
        std::string present = labelFromThreads(label);
        changed = changed || present != label;
        label = std::move(present);
    };
    for (RunEntry& e : r.entries) update(e.label);
    update(r.baseline);
    if (changed) r.version = kPartsVersion;
}

/// Throws if the number of samples overflows.
void checkShape(const Shape& shape) {
    constexpr std::int64_t kMaxSamples = std::int64_t{1} << 60;
    std::int64_t samples = 1;
    for (const std::int64_t extent : {shape.width, shape.height, shape.depth, shape.channels}) {
        if (extent < 0 || extent > kMaxSamples / samples) throw Error(ErrorCode::input, "it contains an impossible input size");
        samples *= std::max<std::int64_t>(extent, 1);
    }
}

/// Throws if sums could overflow.
void checkTraffic(const TrafficRecord& t) {
    constexpr std::int64_t kLargestCount = std::int64_t{1} << 58;
    const PartTraffic& r = t.received;
    for (const std::int64_t n : {t.unit - 1, t.edge, r.messages, r.bytes, r.collectives, r.collectiveBytes, r.overlapped})
        if (n < 0 || n > kLargestCount) throw Error(ErrorCode::input, "it contains an impossible traffic of parts");
    for (const PartTimes& part : t.times)
        if (std::min(part.compute, part.exchange) < 0) throw Error(ErrorCode::input, "it contains impossible times of parts");
}

RunRecord recordFrom(const Json& j) {
    if (!j.is_object() || j.value("schema", "") != kSchema) throw Error(ErrorCode::input, "it is not a run record");
    RunRecord r;
    Reader::read(j, r);
    updateLabels(r);
    return r;
}

}  // namespace

double numberFrom(const Json& j) {
    if (j.is_number()) return j.get<double>();
    const auto text = j.get<std::string>();
    return text == "inf"    ? std::numeric_limits<double>::infinity()
           : text == "-inf" ? -std::numeric_limits<double>::infinity()
                            : std::nan("");
}

Json jsonOf(double v) { return std::isfinite(v) ? Json(v) : Json(std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf"); }
Json jsonOf(const CeilingRecord& ceiling) { return Writer::write(ceiling); }
Json jsonOf(const StatisticRecord& statistic) { return Writer::write(statistic); }
Json jsonOf(const SeriesRecord& series) { return Writer::write(series); }
Json jsonOf(const LapsRecord& laps) { return Writer::write(laps); }
Json jsonOf(const TrafficRecord& traffic) { return Writer::write(traffic); }

std::string toJson(const std::vector<RunRecord>& records, const std::vector<NamedComparison>& comparisons) {
    const auto dump = [&](Json j) {
        if (!comparisons.empty()) j[kComparisons] = comparisonsToJson(comparisons);
        // File names need not be UTF-8: invalid bytes are replaced.
        return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    };
    if (records.size() == 1) return dump(Writer::write(records.front()));
    int version = kRunRecordVersion;
    for (const RunRecord& r : records) version = std::max(version, r.version);
    Json list{{"schema", kListSchema}, {"schema_version", version}, {"records", Writer::write(records)}};
    if (Json models = costModelsOf(records); !models.empty()) list["models"] = std::move(models);
    return dump(std::move(list));
}

namespace {

/// `take` gets the parsed text; its exceptions become Error(input).
template <class Take>
auto readReport(std::string_view text, const std::string& name, Take&& take) {
    try {
        return take(parseJson<Json>(text));
    } catch (const std::exception& e) {
        throw Error(ErrorCode::input, "Cannot read report '" + name + "'",
                    dynamic_cast<const Json::parse_error*>(&e) ? "it is not valid JSON" : jsonReason(e),
                    "Use a JSON report written by 'parallax-cli bench --report'");
    }
}

}  // namespace

std::vector<RunRecord> recordsFromJson(std::string_view text, const std::string& name) {
    return readReport(text, name, [](const Json& j) {
        std::vector<RunRecord> records;
        if (j.is_object() && j.value("schema", "") == kListSchema) {
            for (const Json& r : j.at("records")) records.push_back(recordFrom(r));
        } else {
            records.push_back(recordFrom(j));
        }
        if (records.empty()) throw Error(ErrorCode::input, "it contains no record");
        return records;
    });
}

std::vector<NamedComparison> comparisonsFromJson(std::string_view text, const std::string& name) {
    return readReport(text, name, [](const Json& j) {
        return j.is_object() && j.contains(kComparisons) ? comparisonsFrom(j.at(kComparisons)) : std::vector<NamedComparison>{};
    });
}

std::vector<RunRecord> loadRecords(const std::string& path) { return recordsFromJson(readTextFile(path), path); }

}  // namespace parallax
