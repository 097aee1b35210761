// One real nats-server for a measurement, on 127.0.0.1, with what it costs.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inboxOf } from "../src/link/subjects.js";
import type { BusAddress } from "../src/nats/bus.js";
import { connectBus } from "../src/nats/connect.js";

export interface BenchServer {
  address: BusAddress;
  folder: string;
  version: string;
  cpuMs(): number;
  memoryBytes(): number;
  stop(): Promise<void>;
}

export async function startBenchServer(): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), "hm-bench-nats-"));
  const port = await freePort();
  const config = join(folder, "server.conf");
  writeFileSync(
    config,
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${JSON.stringify(join(folder, "store"))}, max_file_store: 16GB }\n`,
  );
  const program = existsSync("/usr/sbin/nats-server") ? "/usr/sbin/nats-server" : "nats-server";
  const child = spawn(program, ["-c", config], { stdio: ["ignore", "ignore", "pipe"] });
  await new Promise<void>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", () => reject(new Error("nats-server ended")));
    child.stderr.on("data", (text) => String(text).includes("Server is ready") && resolve());
  });
  const address = { servers: [`nats://127.0.0.1:${port}`], name: "bench", inboxPrefix: inboxOf("bench") };
  const bus = await connectBus(address);
  const { serverVersion: version } = bus;
  await bus.close();
  const proc = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, "utf8");
  return {
    ...{ address, folder, version },
    cpuMs() {
      const fields = proc("stat")
        .slice(proc("stat").lastIndexOf(")") + 2)
        .split(" ");
      // In ticks of a hundredth of a second.
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    memoryBytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(proc("status"))?.[1] ?? 0) * 1024,
    async stop() {
      const ended = new Promise((resolve) => child.removeAllListeners("exit").on("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
