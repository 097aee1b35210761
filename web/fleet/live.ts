// Keeps the fleet up to date while the page is open, and says how old it is.

import { signal } from "@preact/signals";
import type { ServerFacts, StreamEvent } from "../../src/web/contract.js";
import { get, token } from "../server/api.js";
import { follow } from "../server/stream.js";
import { applyEvent, serverFacts } from "./fleet.js";

export type Connection =
  | { kind: "connecting" }
  | { kind: "open" }
  /** What is shown is as old as `sinceMs`. */
  | { kind: "broken"; sinceMs: number; why: string };

export const connection = signal<Connection>({ kind: "connecting" });

/** Returns the function that ends it. */
export function followFleet(): () => void {
  let heardMs = Date.now();
  const end = follow("/stream", {
    opened() {
      connection.value = { kind: "open" };
      // A server that was started again may allow something else.
      void loadFacts();
    },
    event({ event, data }) {
      heardMs = Date.now();
      applyEvent({ event, data: JSON.parse(data) } as StreamEvent);
    },
    broken(why) {
      const before = connection.peek();
      const sinceMs = before.kind === "broken" ? before.sinceMs : heardMs;
      connection.value = { kind: "broken", sinceMs, why };
    },
    refused({ message }) {
      if (token.value !== null) connection.value = { kind: "broken", sinceMs: heardMs, why: message };
    },
  });
  return () => {
    end();
    connection.value = { kind: "connecting" };
  };
}

async function loadFacts(): Promise<void> {
  try {
    serverFacts.value = await get<ServerFacts>("/server");
  } catch {
    // The stream breaks too, and is opened again.
  }
}
