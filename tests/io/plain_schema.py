"""A validator for the part of JSON Schema that the package's schema uses; unknown keywords are refused."""

KNOWN = {"$ref", "anyOf", "type", "properties", "required", "additionalProperties", "items", "minItems", "maxItems", "const",
         "enum", "minLength", "minProperties", "not", "description", "default", "title", "$schema", "$defs"}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}


def valid(value, schema, root) -> bool:
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        target = root
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return valid(value, target, root)
    if "anyOf" in schema and not any(valid(value, s, root) for s in schema["anyOf"]):
        return False
    if "not" in schema and valid(value, schema["not"], root):
        return False
    if ("const" in schema and value != schema["const"]) or ("enum" in schema and value not in schema["enum"]):
        return False
    kind = schema.get("type")
    if kind == "number" and (isinstance(value, bool) or not isinstance(value, (int, float))):
        return False
    if kind in TYPES and not isinstance(value, TYPES[kind]):
        return False
    if isinstance(value, dict):
        properties, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        if any(k not in value for k in schema.get("required", ())) or len(value) < schema.get("minProperties", 0):
            return False
        for key, x in value.items():
            inner = properties.get(key, rest)
            if inner is False or (inner is not True and not valid(x, inner, root)):
                return False
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 10**9):
            return False
        return all(valid(x, schema.get("items", {}), root) for x in value)
    return not (isinstance(value, str) and len(value) < schema.get("minLength", 0))
