// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/recipe_json.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/engine/plan/planner.hpp"
#include "core/image/error.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/json_text.hpp"
#include "core/io/limits.hpp"
#include "core/report/record/text_file.hpp"

namespace parallax {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kSchema = "parallax.recipe";
constexpr int kVersion = 1;

Json toJson(const ParameterValue& value) {
    return std::visit([](const auto& v) { return Json(v); }, value);
}

ParameterValue valueFrom(const Json& j) {
    if (j.is_boolean()) return j.get<bool>();
    if (j.is_number_unsigned() && j.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw Error(ErrorCode::input, "the integer " + j.dump() + " has more than 64 bits");
    if (j.is_number_integer()) return j.get<std::int64_t>();
    if (j.is_number()) return j.get<double>();
    if (j.is_string()) return j.get<std::string>();
    throw Error(ErrorCode::input, "a parameter is not a number, text or boolean");
}

void onlyKeys(const Json& j, std::initializer_list<const char*> known) {
    if (!j.is_object()) throw Error(ErrorCode::input, "an object was expected");
    for (const auto& [key, value] : j.items())
        if (std::none_of(known.begin(), known.end(), [&](const char* k) { return key == k; }))
            throw Error(ErrorCode::input, "the key '" + key + "' is unknown");
}

Pipeline pipelineFrom(const Catalog& catalog, const Json& j) {
    onlyKeys(j, {"schema", "schema_version", "steps"});
    if (j.value("schema", "") != kSchema) throw Error(ErrorCode::input, "the schema is not " + std::string(kSchema));
    if (j.value("schema_version", 0) != kVersion) throw Error(ErrorCode::input, "its schema version is not supported");
    Pipeline pipeline;
    if (!j.at("steps").is_array()) throw Error(ErrorCode::input, "'steps' is not a list");
    if (const std::size_t count = j.at("steps").size(); count > kMaxSteps)
        throw Error(ErrorCode::input,
                    "it has " + std::to_string(count) + " steps, and at most " + std::to_string(kMaxSteps) + " are allowed");
    for (const Json& s : j.at("steps")) {
        onlyKeys(s, {"operation", "enabled", "parameters"});
        Step step;
        step.operation = &catalog.operation(s.at("operation").get<std::string>());
        step.parameters = ParameterBlock(step.operation->parameters());
        step.enabled = s.value("enabled", true);
        if (s.contains("parameters"))
            for (const auto& [key, value] : s["parameters"].items()) step.parameters.set(key, valueFrom(value));
        pipeline.steps.push_back(std::move(step));
    }
    return pipeline;
}

}  // namespace

std::string recipeToJson(const Pipeline& pipeline) {
    Json steps = Json::array();
    for (const Step& s : pipeline.steps) {
        Json parameters = Json::object();
        for (const ParameterInfo& info : s.parameters.table().infos()) parameters[info.key] = toJson(s.parameters.written(info.key));
        steps.push_back({{"operation", s.operation->id()}, {"enabled", s.enabled}, {"parameters", std::move(parameters)}});
    }
    return Json{{"schema", kSchema}, {"schema_version", kVersion}, {"steps", std::move(steps)}}.dump(2, ' ', false,
                                                                                                     Json::error_handler_t::replace) +
           "\n";
}

Pipeline recipeFromJson(const Catalog& catalog, std::string_view text, const std::string& name) {
    try {
        return pipelineFrom(catalog, parseJson<Json>(text));
    } catch (const Json::parse_error& e) {
        throw Error(ErrorCode::input, "Cannot read recipe '" + name + "'", "it is not valid JSON (byte " + std::to_string(e.byte) + ")");
    } catch (const RepeatedKey& e) {
        throw Error(ErrorCode::input, "Cannot read recipe '" + name + "'", e.what(), RepeatedKey::kAdvice);
    } catch (const std::exception& e) {
        throw Error(ErrorCode::input, "Cannot read recipe '" + name + "'", jsonReason(e));
    }
}

Pipeline loadRecipe(const Catalog& catalog, const std::string& path) {
    return recipeFromJson(catalog, readTextFile(path, kMaxTextBytes), path);
}

void saveRecipe(const Pipeline& pipeline, const std::string& path, bool overwrite) {
    AtomicFile file(path, overwrite);
    file.write(recipeToJson(pipeline));
    file.commit();
}

}  // namespace parallax
