// The files of the page, as the build made them. They are read once, so a new build does not mix with an old one.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { safeHeaders } from "./answers.js";

export interface PageFiles {
  /** Null if there is no such file. */
  answer(path: string, accepts: string, ifNoneMatch: string | undefined): Promise<FileAnswer> | null;
}

/** The same bytes for everybody who asks: a reader that is slow, or many, cost no copy. */
export interface FileAnswer {
  status: 200 | 304;
  headers: Readonly<Record<string, string | number>>;
  bytes: Buffer | null;
}

/** Beside the built command, or in a clone whose sources run. */
export function pageFolder(): string {
  const places = ["./web/", "../../dist/web/"].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.find((place) => existsSync(join(place, "index.html"))) ?? places[0]!;
}

export function openPageFiles(folder: string): PageFiles {
  const files = new Map(namesBelow(folder).map((name) => [`/${name}`, openFile(join(folder, name), name)]));
  const index = files.get("/index.html");
  if (index !== undefined) files.set("/", index);
  return { answer: (path, accepts, known) => files.get(path)?.(accepts, known) ?? null };
}

type File = (accepts: string, ifNoneMatch: string | undefined) => Promise<FileAnswer>;

function openFile(path: string, name: string): File {
  const bytes = readFileSync(path);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  const [type, isText] = kinds[extname(name)] ?? ["application/octet-stream", false];
  const headers = {
    ...safeHeaders,
    "content-type": type,
    // The build puts a hash of the content into these names.
    "cache-control": name.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    etag,
  };
  const compressed = new Map<string, Promise<Buffer>>();

  const whole = (sent: Buffer, more: Record<string, string> = {}): FileAnswer => ({
    status: 200,
    headers: { ...headers, ...more, "content-length": sent.length },
    bytes: sent,
  });

  return async (accepts, ifNoneMatch) => {
    if (ifNoneMatch === etag) return { status: 304, headers, bytes: null };
    const encoding = isText ? encodingFor(accepts) : null;
    if (encoding === null) return whole(bytes);
    const made = compressed.get(encoding) ?? compressors[encoding](bytes);
    compressed.set(encoding, made);
    return whole(await made, { "content-encoding": encoding });
  };
}

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;

export function encodingFor(accepts: string): keyof typeof compressors | null {
  const accepted = accepts
    .split(",")
    .map((each) => each.trim())
    .filter((each) => !/;\s*q=0(?:\.0*)?$/.test(each))
    .map((each) => each.split(";")[0]);
  return accepted.includes("br") ? "br" : accepted.includes("gzip") ? "gzip" : null;
}

const kinds: Readonly<Record<string, readonly [type: string, isText: boolean]>> = {
  ".html": ["text/html; charset=utf-8", true],
  ".js": ["text/javascript; charset=utf-8", true],
  ".css": ["text/css; charset=utf-8", true],
  ".svg": ["image/svg+xml", true],
  ".json": ["application/json; charset=utf-8", true],
  ".webmanifest": ["application/manifest+json", true],
  ".txt": ["text/plain; charset=utf-8", true],
  ".png": ["image/png", false],
  ".ico": ["image/x-icon", false],
  ".woff2": ["font/woff2", false],
};

/** Without hidden files, and without maps, which have the sources. */
function namesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith(".") && !entry.name.endsWith(".map"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}
