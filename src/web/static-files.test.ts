import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { encodingFor, openPageFiles } from "./static-files.js";

function page(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "hm-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "assets"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return { folder, open: () => openPageFiles(folder) };
}

test.each<[string, "br" | "gzip" | null]>([
  ["gzip, deflate, br", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["", null],
  ["identity", null],
])("for %j the encoding is %s", (accepts, encoding) => expect(encodingFor(accepts)).toBe(encoding));

test("the page is at /, hashed files stay in caches, and texts are compressed once", async () => {
  const files = page({ "index.html": "<p>", "assets/a-1.js": "x".repeat(2000) }).open();
  expect((await files.answer("/", "", undefined))!.headers).toMatchObject({ "cache-control": "no-cache" });
  const [br, again, zipped] = await Promise.all([
    files.answer("/assets/a-1.js", "br", undefined)!,
    files.answer("/assets/a-1.js", "br", undefined)!,
    files.answer("/assets/a-1.js", "gzip", undefined)!,
  ]);
  expect(br.headers).toMatchObject({ "content-encoding": "br", "x-content-type-options": "nosniff" });
  expect(br.headers["cache-control"]).toContain("immutable");
  expect(brotliDecompressSync(br.bytes!).toString()).toBe("x".repeat(2000));
  expect(gunzipSync(zipped.bytes!).toString()).toBe("x".repeat(2000));
  expect(again.bytes).toBe(br.bytes);
  const { headers } = br;
  expect(await files.answer("/assets/a-1.js", "br", headers.etag as string)).toMatchObject({ status: 304 });
});

test.each([
  "/.built-from",
  "/a.js.map",
  "/../secret",
  "/assets/../../secret",
  "/%2e%2e/secret",
  "/link.js",
  "/assets",
])("%s is no file of the page", (path) => {
  const { folder, open } = page({ "index.html": "", ".built-from": "x", "a.js.map": "x" });
  symlinkSync("/etc/passwd", join(folder, "link.js"));
  expect(open().answer(path, "", undefined)).toBeNull();
});
