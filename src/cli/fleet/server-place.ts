// Addresses and ports of a server, as a person types them. Pure.

import { isIP } from "node:net";
import { UsageError } from "../../base/errors.js";

/** `ADDRESS:PORT`. */
export function placeIn(text: string): { listen: string; port: number } {
  const [, bracket, plain, port] = /^(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+)):(\d{1,5})$/.exec(text) ?? [];
  const listen = bracket ?? plain;
  if (listen === undefined || Number(port) > 65_535)
    throw new UsageError(`"${text}" is not ADDRESS:PORT`, { hint: "write it as 10.0.0.1:4222" });
  return { listen, port: Number(port) };
}

export function isLoopback(address: string): boolean {
  return address === "::1" || address === "localhost" || (isIP(address) === 4 && address.startsWith("127."));
}

export function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
