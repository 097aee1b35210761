// The id of a message to an agent of another host: `<host of the sender>-<uuid>`. It never changes on its way.

import { randomUUID } from "node:crypto";
import { type Host, isHost, isUuid } from "./gates.js";

export type MailId = string & { readonly brand: "MailId" };

const uuidLength = 36;

export function newMailId(from: Host): MailId {
  return `${from}-${randomUUID()}` as MailId;
}

export function isMailId(text: string): text is MailId {
  return text.at(-uuidLength - 1) === "-" && isUuid(text.slice(-uuidLength)) && isHost(mailOrigin(text));
}

/** The host that sent it. A host's name may itself contain dashes, so it is parsed from the right. */
export function mailOrigin(id: string): Host {
  return id.slice(0, -uuidLength - 1) as Host;
}
