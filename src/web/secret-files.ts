// The files that a person gives the server: tokens, and what TLS needs. Every refusal says what to type.

import { constants, fstatSync, readFileSync, statSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { errorCode, HiveError } from "../base/errors.js";
import { FileRefused, withFile } from "../base/files/atomic-file.js";
import { harmless } from "../base/text/escape-terminal.js";
import { shellWord } from "../base/text/shell-word.js";
import { limits } from "../limits.js";

/** The token in a file that only this user can read. */
export function readTokenFile(path: string): string {
  const make = `umask 077; openssl rand -hex 32 > ${shellWord(path)}`;
  const text = readable(path, make, () =>
    withFile(path, constants.O_RDONLY, (fd) => {
      const { uid, mode, size } = fstatSync(fd);
      if (uid !== process.getuid?.()) throw new FileRefused("it belongs to another user");
      if ((mode & 0o077) !== 0) throw refused(path, "others can read it", `chmod 600 ${shellWord(path)}`);
      if (size > limits.tokenFileBytes) throw new FileRefused("it is too large for a token");
      return readFileSync(fd, "utf8");
    }),
  );
  if (text === null) throw refused(path, "there is no such file", make);
  const token = text.trim();
  if (/^[\w.~+/=-]+$/.test(token) && token.length >= limits.tokenLeastLength) return token;
  throw refused(
    path,
    `a token is at least ${limits.tokenLeastLength} letters, digits and ._~+/=-, on one line`,
    make,
  );
}

/** These files may be links: programs that renew certificates use them. */
export function readTlsFiles(certPath: string, keyPath: string): { cert: Buffer; key: Buffer } {
  const [cert, key] = [certPath, keyPath].map((path) =>
    readable(path, "check the path and its rights", () => {
      if (statSync(path).size > limits.tlsFileBytes) throw new FileRefused("it is too large");
      return readFileSync(path);
    }),
  ) as [Buffer, Buffer];
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new HiveError(
      `${harmless(certPath)} and ${harmless(keyPath)} are not a certificate and its key: ${harmless(String(error))}`,
      {
        hint: "both must be PEM files that belong together, and the key must have no passphrase",
        cause: error,
      },
    );
  }
  return { cert, key };
}

function readable<T>(path: string, hint: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileRefused) throw refused(path, error.message, hint);
    const code = errorCode(error);
    if (code === "ENOENT") throw refused(path, "there is no such file", hint);
    if (code === "EACCES" || code === "EPERM") throw refused(path, "you may not read it", hint);
    if (code !== undefined) throw refused(path, code, hint);
    throw error;
  }
}

function refused(path: string, why: string, hint: string): HiveError {
  return new HiveError(`${harmless(path)}: ${why}`, { hint });
}
