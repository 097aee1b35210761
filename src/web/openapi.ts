// The API as an OpenAPI 3.1 document, from the endpoints themselves. Pure. The login and the streams are not endpoints, so
// their descriptions stand here; a test compares all of it with the routes of the server.

import { answer, list, maybe, object, oneOf, text, time, whole } from "../base/json-schema.js";
import { apiRoot } from "./contract.js";
import type { Endpoint, Parameter, Schema } from "./endpoint.js";
import { paneParameter } from "./own-endpoints.js";

/** The endpoint that describes the others, and itself. */
export function openApiEndpoint(others: readonly Endpoint[], release: string): Endpoint {
  const own: Endpoint = {
    method: "GET",
    path: "/openapi.json",
    about: "this document",
    needs: "look",
    parameters: [],
    body: null,
    answer: { type: "object", required: ["openapi", "info", "paths"] },
    run: async () => ({ status: 200, value: document }),
  };
  const document = openApi([...others, own], release);
  return own;
}

export function openApi(endpoints: readonly Endpoint[], release: string) {
  const paths: Record<string, Record<string, object>> = {};
  const add = (path: string, method: string, operation: object) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const endpoint of endpoints) add(endpoint.path, endpoint.method, operationOf(endpoint));
  for (const { path, method, operation } of handWritten) add(path, method, operation);
  return {
    openapi: "3.1.0",
    info: {
      title: "hivemind",
      version: release,
      description:
        "The fleet, as `hivemind serve` offers it. A GET has the value of a command's --json. A POST acts as the person " +
        "who started the server, and needs --allow-actions. Hints are command lines for people.",
    },
    servers: [{ url: apiRoot }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "from POST /login, or the server's --token-file",
        },
      },
      schemas: { Failure: failure },
      responses: {
        Failure: { description: "what is wrong, and what to do", content: json(reference("Failure")) },
      },
    },
  };
}

const failure = answer(
  { error: object({ message: text, hint: maybe(text) }) },
  { value: { type: "object" } },
);

function operationOf({ method, path, about, needs, parameters, body, answer: value }: Endpoint) {
  const answers = { 200: { description: "done", content: json(value) } };
  const queued = { 202: { description: "a message is queued or held", content: json(value) } };
  return {
    operationId: idOf(method, path),
    summary: about,
    description: needNotes[needs],
    parameters: parameters.map(parameterOf),
    ...(body === null ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: { ...answers, ...(needs === "act" ? queued : {}), ...failures(needs) },
  };
}

const needNotes: Readonly<Record<Endpoint["needs"], string>> = {
  look: "Changes nothing.",
  act: "Needs --allow-actions. Every call is an event with its source.",
  type: "Needs --allow-typing.",
};

/** Whose fault it is. */
function failures(needs: Endpoint["needs"]) {
  const codes = [400, 401, 409, 429, 503, ...(needs === "look" ? [] : [403, 413, 415])];
  return Object.fromEntries(codes.map((code) => [code, { $ref: "#/components/responses/Failure" }]));
}

function parameterOf({ name, in: place, about, isRequired, schema }: Parameter) {
  return { name, in: place, description: about, required: isRequired, schema };
}

function json(schema: Schema) {
  return { "application/json": { schema } };
}

function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** `GET /sessions/{ref}/messages` → `getSessionsRefMessages` */
function idOf(method: string, path: string): string {
  const words = path.split(/[^a-zA-Z]+/).filter(Boolean);
  return method.toLowerCase() + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}

const screen = object({
  columns: whole,
  rows: whole,
  cursor: maybe(object({ column: whole, row: whole })),
  lines: list(text),
});

const look = object({
  lookedAt: time,
  problem: maybe(text),
  worker: maybe(oneOf("this server", "another process")),
});

const handWritten: readonly { path: string; method: "GET" | "POST"; operation: object }[] = [
  {
    path: "/login",
    method: "POST",
    operation: {
      operationId: "postLogin",
      summary: "the secret of a printed address for a token, once",
      security: [],
      requestBody: { required: true, content: json(object({ secret: text })) },
      responses: {
        200: { description: "the token", content: json(answer({ token: text })) },
        ...failures("act"),
      },
    },
  },
  {
    path: "/stream",
    method: "GET",
    operation: streamOf("getStream", "the fleet, live: first fleet, inbox and look, then what changes", [], {
      fleet: { type: "object", description: "as /status has it", required: ["teams", "background"] },
      delta: { type: "object", description: "changed teams, agents and background conversations" },
      inbox: object({ items: list({ type: "object", description: "as /inbox has it" }) }),
      look,
      facts: object({
        facts: list(object({ at: time, event: text, args: { type: "object" } })),
      }),
    }),
  },
  {
    path: "/panes/{pane}/stream",
    method: "GET",
    operation: streamOf("getPanesPaneStream", "what a pane shows, whenever it changes", [paneParameter], {
      screen,
      gone: object({}),
    }),
  },
];

function streamOf(
  operationId: string,
  summary: string,
  parameters: readonly Parameter[],
  events: Readonly<Record<string, Schema>>,
) {
  const schema = {
    type: "string",
    description: "server-sent events; x-events has the data of each by its name",
  };
  return {
    operationId,
    summary,
    parameters: parameters.map(parameterOf),
    responses: {
      200: {
        description: "a stream that does not end",
        content: { "text/event-stream": { schema, "x-events": events } },
      },
      ...failures("look"),
    },
  };
}
