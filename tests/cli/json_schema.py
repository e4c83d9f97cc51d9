# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of JSON Schema that our schemas use. Unknown keywords are errors, so that none is skipped silently."""
import re

ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def errors(value, schema, root=None, where="$", strict=False):
    """Returns a list of errors. strict: properties that the schema does not name are errors, too."""
    root = root or schema
    found = []

    def below(v, s, place):
        found.extend(errors(v, s, root, place, strict))

    for key, rule in schema.items():
        if key in ANNOTATIONS or key in ("required", "additionalProperties"):
            continue
        if key == "$ref":
            target = root
            for part in rule.removeprefix("#/").split("/"):
                target = target[part]
            below(value, target, where)
        elif key == "type":
            if not is_type(value, rule):
                return [f"{where}: {value!r} is no {rule}"]
        elif key == "const":
            if value != rule:
                found.append(f"{where}: {value!r} is not {rule!r}")
        elif key == "enum":
            if value not in rule:
                found.append(f"{where}: {value!r} is none of {rule}")
        elif key == "minimum":
            if value < rule:
                found.append(f"{where}: {value} is less than {rule}")
        elif key == "minItems":
            if len(value) < rule:
                found.append(f"{where}: fewer than {rule} items")
        elif key == "pattern":
            if not re.search(rule, value):
                found.append(f"{where}: {value!r} does not match {rule}")
        elif key == "oneOf":
            answers = [errors(value, s, root, where, strict) for s in rule]
            if sum(not a for a in answers) != 1:
                found.append(f"{where}: fits {sum(not a for a in answers)} of {len(rule)}: {answers}")
        elif key == "items":
            for i, item in enumerate(value):
                below(item, rule, f"{where}[{i}]")
        elif key == "properties":
            for name in schema.get("required", []):
                if name not in value:
                    found.append(f"{where}: '{name}' is missing")
            for name, item in value.items():
                if name in rule:
                    below(item, rule[name], f"{where}.{name}")
                elif strict or schema.get("additionalProperties") is False:
                    found.append(f"{where}: '{name}' is not in the schema")
        else:
            raise ValueError(f"keyword {key} is not known here")
    if "properties" not in schema and isinstance(schema.get("additionalProperties"), dict):
        for name, item in value.items():
            below(item, schema["additionalProperties"], f"{where}.{name}")
    return found
