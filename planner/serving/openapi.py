"""What is asked over HTTP, described for machines: OpenAPI, made from the table of verbs."""

from __future__ import annotations

from typing import Any

from planner.serving.asking import Verb
from planner.serving.verbs import VERBS
from planner.version import __version__

Tree = dict[str, Any]

ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["kind", "text"],
            "properties": {
                "kind": {"type": "string", "description": "What sort of error"},
                "text": {"type": "string", "description": "What is wrong, in a sentence"},
                "problems": {"type": "array", "items": {"type": "object"}},
                "violations": {"type": "array", "items": {"type": "object"}},
            },
        }
    },
}


def openapi() -> Tree:
    """Return the description, of OpenAPI 3.1."""
    session = {"name": "session", "in": "path", "required": True, "schema": {"type": "string"}}
    schemas: Tree = {"Error": ERROR}
    paths: Tree = {}
    for name, verb in VERBS.items():
        schemas |= _schemas(verb)
        asked = {"$ref": f"#/components/schemas/{verb.asks.__name__}"}
        paths[f"/api/sessions/{{session}}/{name}"] = {"post": _operation(name, verb, asked), "parameters": [session]}
        alone = {"allOf": [asked], "properties": {"position": {"$ref": "#/components/schemas/PositionAsked"}}}
        paths[f"/api/{name}"] = {"post": _operation(f"{name}_once", verb, alone)}
    begun = _operation("begin", VERBS["position"], {"$ref": "#/components/schemas/PositionAsked"})
    paths["/api/sessions"] = {"post": {**begun, "summary": "Open a session with a position.", "responses": _told(201)}}
    closing = {"operationId": "end", "summary": "Close a session.", "responses": {"204": {"description": "Closed"}}}
    paths["/api/sessions/{session}"] = {"delete": closing, "parameters": [session]}
    stopping = {"operationId": "stop", "summary": "Stop what is searched for in a session.", "responses": _told(200)}
    paths["/api/sessions/{session}/stop"] = {"post": stopping, "parameters": [session]}
    for name, what in (("health", "Tell whether it works."), ("metrics", "Count, for Prometheus.")):
        paths[f"/{name}"] = {
            "get": {"operationId": name, "summary": what, "responses": {"200": {"description": "The answer"}}}
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "planner", "version": __version__},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _schemas(verb: Verb) -> Tree:
    """Return the schema of what is said with a verb, and those that it refers to."""
    own = verb.asks.model_json_schema(ref_template="#/components/schemas/{model}")
    others: Tree = own.pop("$defs", {})
    return {verb.asks.__name__: own, **others}


def _operation(name: str, verb: Verb, asked: Tree) -> Tree:
    return {
        "operationId": name,
        "summary": verb.text,
        "requestBody": {"content": {"application/json": {"schema": asked}}},
        "responses": _told(200, verb.slow),
    }


def _told(status: int, slow: bool = False) -> Tree:
    answer: Tree = {"application/json": {"schema": {"type": "object"}}}
    if slow:
        answer["text/event-stream"] = {"schema": {"type": "string"}}
    wrong = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        str(status): {"description": "The answer", "content": answer},
        "4XX": {"description": "What is wrong with the question", "content": wrong},
    }
