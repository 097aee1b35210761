// One question or action of the API: data, from which the description for programs (OpenAPI) is made, and one function.

/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** What the server must allow: looking is always allowed, acting and typing only on request. */
export type Need = "look" | "act" | "type";

export interface Endpoint {
  method: "GET" | "POST";
  /** Behind `apiRoot`: `/sessions/{ref}`. */
  path: string;
  about: string;
  needs: Need;
  parameters: readonly Parameter[];
  /** Of the JSON object that a POST carries. */
  body: Schema | null;
  answer: Schema;
  run(call: Call): Promise<Answer>;
}

export interface Parameter {
  name: string;
  in: "path" | "query";
  about: string;
  isRequired: boolean;
  schema: Schema;
}

export interface Call {
  /** Of the path and the query, decoded. */
  parameters: ReadonlyMap<string, string>;
  /** Empty without a body. */
  body: Readonly<Record<string, unknown>>;
  /** Who asks, for events: `web 127.0.0.1`. */
  source: string;
  interrupted: AbortSignal;
}

export interface Answer {
  status: 200 | 202 | 400 | 404 | 409 | 503;
  /** With `"version": 1`. */
  value: object;
}
