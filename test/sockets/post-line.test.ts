import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { listensAt } from "../../src/base/system/listening.js";
import { limits } from "../../src/limits.js";
import { postLine } from "../../src/sockets/post-line.js";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "hm-sock-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A listener; what it reads is in `read`. A deaf one accepts and never reads. */
async function listener(path: string, { isDeaf = false } = {}) {
  const heard = { text: "", ended: 0 };
  const open: Socket[] = [];
  const server: Server = createServer({ pauseOnConnect: isDeaf, allowHalfOpen: true }, (socket) => {
    open.push(socket);
    socket.on("error", () => {});
    if (isDeaf) return;
    socket.on("data", (bytes) => (heard.text += bytes));
    socket.on("end", () => {
      heard.ended += 1;
      socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return heard;
}

test("a line is written whole, also a long one", async () => {
  const path = join(folder(), "a.sock");
  const heard = await listener(path);
  const line = `${"x".repeat(500_000)}\n`;
  expect(await postLine(path, line)).toBeNull();
  await expect.poll(() => heard.text.length).toBe(line.length);
});

test("[SKT1] a reader that never reads is given up, and has no whole line", async () => {
  const path = join(folder(), "a.sock");
  await listener(path, { isDeaf: true });
  const own = limits.postTimeoutMs;
  Object.assign(limits, { postTimeoutMs: 200 });
  onTestFinished(() => void Object.assign(limits, { postTimeoutMs: own }));
  expect(await postLine(path, `${"x".repeat(8_000_000)}\n`)).toBe("its inbox takes no more bytes");
});

test("[SKT1] a socket file that a dead process left is not written to", async () => {
  const path = join(folder(), "a.sock");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const { renameSync } = await import("node:fs");
  renameSync(path, `${path}.left`);
  await new Promise((resolve) => server.close(resolve));
  expect(await postLine(`${path}.left`, "x\n")).toBe("nobody listens at its inbox");
  expect(await postLine(path, "x\n")).toBe("nobody listens at its inbox");
});

test("[SKT2] a link, a plain file and a folder that others can write to are refused", async () => {
  const home = folder();
  const path = join(home, "a.sock");
  const heard = await listener(path);
  symlinkSync(path, join(home, "link.sock"));
  writeFileSync(join(home, "file.sock"), "");
  expect(await postLine(join(home, "link.sock"), "x\n")).toBe("its inbox is not a socket");
  expect(await postLine(join(home, "file.sock"), "x\n")).toBe("its inbox is not a socket");
  chmodSync(home, 0o777);
  expect(await postLine(path, "x\n")).toBe("others can write to its inbox's folder");
  expect(heard.text).toBe("");
});

test("[SKT2] a socket of another user is refused", async () => {
  const path = join(folder(), "a.sock");
  const heard = await listener(path);
  const other = process.getuid!() + 1;
  const uid = vi.spyOn(process, "getuid").mockReturnValue(other);
  onTestFinished(() => uid.mockRestore());
  expect(await postLine(path, "x\n")).toBe("its inbox belongs to another user");
  expect(heard.text).toBe("");
});

test("only the process that listens at a socket is its owner", async () => {
  const path = join(folder(), "a.sock");
  expect(listensAt(process.pid, path)).toBe(false);
  await listener(path);
  expect(listensAt(process.pid, path)).toBe(true);
  expect(listensAt(process.ppid, path)).toBe(false);
});
