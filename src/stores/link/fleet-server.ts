// The fleet's own NATS server on this machine: its settings, its users, its certificate, and which process it is.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { HiveError } from "../../base/errors.js";
import {
  createFile,
  FileRefused,
  makeFolder,
  readBytes,
  refuseLinkedFolder,
  removeFile,
  replaceFile,
} from "../../base/files/atomic-file.js";
import { fateOf, identityOf, identityText, parseIdentity } from "../../base/system/process-identity.js";
import { limits } from "../../limits.js";
import { guard, type Report } from "../file/error.js";
import { rowFile } from "../file/row-file.js";
import type { RowFormat } from "../file/row-lines.js";
import { isHostName } from "./fleet-join.js";

/** What a host may do, by the word that the row has. */
export interface UserRow {
  host: string;
  standing: string;
  password: string;
}

export const settingNames = ["listen", "port", "public", "tls", "node", "cluster", "route"] as const;
export interface SettingRow {
  what: (typeof settingNames)[number];
  value: string;
}

export function openFleetServer(folder: string, report?: Report) {
  const at = (name: string) => join(folder, name);
  const own = <T>(path: string, work: () => T): T =>
    guard(path, () => {
      refuseLinkedFolder(folder);
      makeFolder(folder);
      if ((lstatSync(folder).mode & 0o077) !== 0)
        throw new FileRefused("others can look into its folder: chmod go-rwx");
      return work();
    });
  return {
    folder,
    paths: {
      config: at("nats.conf"),
      certificate: at("certificate.pem"),
      key: at("key.pem"),
      streams: at("streams"),
      log: at("nats.log"),
    },
    users: rowFile(at("users.env"), userFormat, report),
    settings: rowFile(at("server.env"), settingFormat, report),
    read: (name: ServerFile): string | null =>
      guard(at(name), () => readBytes(at(name), limits.secretBytes)?.toString("utf8") ?? null),
    write: (name: ServerFile, text: string): void => own(at(name), () => replaceFile(at(name), text)),
    /** Names the process of the server. */
    announce: (pid: number): void =>
      own(at("process"), () => {
        const identity = identityOf(pid);
        if (identity !== null) replaceFile(at("process"), `${identityText(identity)}\n`);
      }),
    withdraw: (): void => own(at("process"), () => void removeFile(at("process"))),
    /** The process of the server that runs now; null without one. */
    running: (): number | null =>
      guard(at("process"), () => {
        const text = readBytes(at("process"), limits.secretBytes)?.toString("utf8").trim() ?? "";
        const identity = parseIdentity(text);
        return identity !== null && fateOf(identity) === "alive" ? identity.pid : null;
      }),
  };
}

export type ServerFile = "nats.conf" | "certificate.pem" | "key.pem" | "keeper" | "nodes";

/** Only its owner can read it. A file that is there stays. */
export function writeInvitation(path: string, text: string): void {
  guard(path, () => {
    if (!createFile(path, text))
      throw new HiveError(`${path} is there already`, { hint: "name another file with --file" });
  });
}

const userRule = "a row is host|standing|password";

const userFormat: RowFormat<UserRow> = {
  rule: userRule,
  parse(line) {
    const [host = "", standing = "", password = "", ...more] = line.split("|");
    const isValid = isHostName(host) && /^[a-z]+$/.test(standing) && /^[0-9a-f]{64}$/.test(password);
    return isValid && more.length === 0 ? { host, standing, password } : userRule;
  },
  format: ({ host, standing, password }) => `${host}|${standing}|${password}`,
  key: ({ host }) => host,
};

const settingRule = `a row is one of ${settingNames.join(", ")}, then | and its value`;

const settingFormat: RowFormat<SettingRow> = {
  rule: settingRule,
  parse(line) {
    const [what = "", value = "", ...more] = line.split("|");
    const isKnown = (settingNames as readonly string[]).includes(what);
    if (!isKnown || more.length > 0 || !/^[\w.:[\]-]{1,200}$/.test(value)) return settingRule;
    return { what: what as SettingRow["what"], value };
  },
  format: ({ what, value }) => `${what}|${value}`,
  key: ({ what, value }) => (what === "public" || what === "route" ? `${what}|${value}` : what),
};
