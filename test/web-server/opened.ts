// A web server in the test's own process, and clients that can say anything.

import { type IncomingHttpHeaders, request } from "node:http";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type Hive, openHive } from "../../src/hive/hive.js";
import type { Endpoint } from "../../src/web/endpoint.js";
import { openWebServer, type WebServerOptions } from "../../src/web/run-server.js";
import type { TestHome } from "../home.js";

export interface Opened {
  url: string;
  port: number;
  hive: Hive;
  newLink(): string;
  /** A new token, by a new link. */
  token(): Promise<string>;
  ask(path: string, said?: Said): Promise<Answered>;
  close(): Promise<void>;
}

export interface Said {
  method?: string;
  headers?: Record<string, string>;
  token?: string;
  body?: string | Buffer;
}

export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export async function openedServer(
  home: TestHome,
  options: Partial<WebServerOptions> = {},
  hive: Hive = openHive({ env: home.env }),
): Promise<Opened> {
  const bugs: unknown[] = [];
  const { url, newLink, close } = await openWebServer({
    hive,
    release: "0.0.0",
    endpoints: [],
    listen: { host: "127.0.0.1", port: 0 },
    allowed: { actions: false, typing: false },
    onBug: (error) => bugs.push(error),
    ...options,
  });
  const port = Number(new URL(url).port);
  onTestFinished(async () => {
    await close();
    if (bugs.length > 0) throw new AggregateError(bugs, "the server met bugs");
  });
  const ask = (path: string, said: Said = {}) => asked(port, path, said);
  return {
    ...{ url, port, hive, newLink, close, ask },
    async token() {
      const { text } = await login(ask, secretIn(newLink()));
      return JSON.parse(text).token;
    },
  };
}

export function secretIn(link: string): string {
  return new URL(link).hash.slice("#secret=".length);
}

export function login(ask: Opened["ask"], secret: string): Promise<Answered> {
  return ask("/api/v1/login", { method: "POST", body: JSON.stringify({ secret }) });
}

/** Unlike fetch it sends any Host and Origin. */
function asked(
  port: number,
  path: string,
  { method = "GET", headers = {}, token, body }: Said,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const made = request(
      { port, host: "127.0.0.1", path, method, agent: false, headers: { ...type, ...bearer, ...headers } },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        answer.on("end", () => resolve({ status: answer.statusCode!, headers: answer.headers, text }));
        answer.on("error", reject);
      },
    );
    made.on("error", reject);
    made.end(body);
  });
}

export interface OpenStream {
  status: number;
  /** The events so far. */
  // biome-ignore lint/suspicious/noExplicitAny: each event has its own data.
  events: { event: string; data: any }[];
  isEnded(): boolean;
  close(): void;
}

/** Resolves when the answer has begun. */
export async function openStream(url: string, path: string, token: string): Promise<OpenStream> {
  const end = new AbortController();
  const answer = await fetch(new URL(path, url), {
    headers: { authorization: `Bearer ${token}` },
    signal: end.signal,
  });
  const stream = { status: answer.status, events: [] as OpenStream["events"], ended: false };
  const read = async () => {
    let text = "";
    for await (const part of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      const blocks = text.split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks) {
        const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        if (event !== undefined) stream.events.push({ event, data: JSON.parse(data!) });
      }
    }
  };
  void read()
    .catch(() => {})
    .finally(() => {
      stream.ended = true;
    });
  onTestFinished(() => end.abort());
  return {
    status: stream.status,
    events: stream.events,
    isEnded: () => stream.ended,
    close: () => end.abort(),
  };
}

/** A connection that sends this and reads nothing. */
export async function silentClient(port: number, sent: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once("connect", resolve));
  socket.pause();
  socket.write(sent);
  return socket;
}

/** An endpoint of the test's own. */
export function endpoint(facts: Partial<Endpoint> & Pick<Endpoint, "path" | "run">): Endpoint {
  return { method: "GET", about: "", needs: "look", parameters: [], body: null, answer: {}, ...facts };
}
