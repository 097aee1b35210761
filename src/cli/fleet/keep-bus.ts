// One connection to the fleet's server for all questions of a program that goes on: `serve` asks every few seconds while
// somebody looks at its page.
//
// [KB1] The connection of the worker is used while there is one. Otherwise there is at most one other, and it is closed
//       when nobody has asked for a while.

import { limits } from "../../limits.js";
import type { Bus, BusAddress, Subscription } from "../../nats/bus.js";

export interface KeptBus {
  use<T>(address: BusAddress, work: (bus: Bus) => Promise<T>): Promise<T>;
  /** Takes the connection of the worker until it is stopped. It stays the worker's. */
  lend(bus: Bus): Subscription;
  close(): Promise<void>;
}

export function keepBus(idleMs: number = limits.keptBusMs): KeptBus {
  let lent: Bus | null = null;
  let own: { key: string; opened: Promise<Bus> } | null = null;
  let using = 0;
  let timer: NodeJS.Timeout | undefined;

  async function close(): Promise<void> {
    clearTimeout(timer);
    const last = own;
    own = null;
    await last?.opened.then(
      (bus) => bus.close(),
      () => {},
    );
  }

  /** A lost connection is opened anew: that says at once whether the server answers. */
  async function opened(address: BusAddress): Promise<Bus> {
    const key = JSON.stringify(address);
    if (own !== null) {
      const known = own;
      const bus = await known.opened.catch(() => null);
      if (known.key === key && bus?.isConnected() === true) return bus;
      if (own === known) await close();
    }
    own ??= { key, opened: connected(address) };
    const made = own;
    try {
      return await made.opened;
    } catch (error) {
      if (own === made) own = null;
      throw error;
    }
  }

  return {
    async use(address, work) {
      if (lent?.isConnected() === true) return work(lent);
      using++;
      clearTimeout(timer);
      try {
        return await work(await opened(address));
      } finally {
        if (--using === 0) timer = setTimeout(() => void close(), idleMs).unref();
      }
    },
    lend(bus) {
      lent = bus;
      return {
        async stop() {
          if (lent === bus) lent = null;
        },
      };
    },
    close,
  };
}

async function connected(address: BusAddress): Promise<Bus> {
  const { connectBus } = await import("../../nats/connect.js");
  return connectBus(address);
}
