// Writes one line into a unix socket of this user, in bounded time. The only folder that opens sockets of other
// programs.
//
// [SKT1] Not written means that no reader can have got the whole line: the line's end is its last byte.
// [SKT2] A socket of another user, a link, or a socket in a folder that others can write to is never opened.

import { lstatSync } from "node:fs";
import { createConnection } from "node:net";
import { dirname } from "node:path";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";

/** Why the line was not written; null if it was. `line` ends with its only newline. */
export async function postLine(path: string, line: string): Promise<string | null> {
  const refusal = socketRefusal(path);
  if (refusal !== null) return refusal;
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    const end = (why: string | null) => {
      socket.destroy();
      resolve(why);
    };
    // A reader that never reads fills the socket's buffer.
    const timer = setTimeout(() => end("its inbox takes no more bytes"), limits.postTimeoutMs);
    socket.on("error", (error) => end(whyFailed(error)));
    socket.on("close", () => clearTimeout(timer));
    socket.on("connect", () => socket.end(line, () => end(null)));
  });
}

/** Why this socket may not be used; null if it may. */
export function socketRefusal(path: string): string | null {
  const uid = process.getuid?.();
  try {
    const [socket, folder] = [lstatSync(path), lstatSync(dirname(path))];
    if (!socket.isSocket()) return "its inbox is not a socket";
    if (socket.uid !== uid || folder.uid !== uid) return "its inbox belongs to another user";
    return folder.isDirectory() && (folder.mode & 0o022) === 0
      ? null
      : "others can write to its inbox's folder";
  } catch (error) {
    return whyFailed(error);
  }
}

function whyFailed(error: unknown): string {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ECONNREFUSED"
    ? "nobody listens at its inbox"
    : `its inbox cannot be opened: ${code}`;
}
