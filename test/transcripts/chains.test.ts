import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claudeLines } from "../../src/agents/claude/transcript/lines.js";
import { openIndex } from "../../src/transcripts/index.js";
import { readChains } from "../../src/transcripts/lineage/chains.js";
import type { AddLines, Chain } from "../../src/transcripts/transcript.js";
import { testHome } from "../home.js";
import { appendLine, idOf, rootIn, settled, title, transcriptPath, user, writeTranscript } from "./files.js";

function world() {
  const { claude, root } = testHome();
  const cacheDir = join(root, "cache", "hivemind");
  let bytes = 0;
  const addChain: AddLines<Chain> = (chain, block, from, to) => {
    bytes += to - from;
    claudeLines.addChain!(chain, block, from, to);
  };
  const options = { cacheDir, parser: { ...claudeLines, addChain }, saveAfterBytes: 0 };
  const index = openIndex({ roots: [rootIn(claude, options.parser)], ...options });
  const bytesRead = () => {
    const read = bytes;
    bytes = 0;
    return read;
  };
  return { claude, cacheDir, options, index, bytesRead };
}

test("only transcripts of families with at least two sessions are read", async () => {
  const { claude, index, options, bytesRead } = world();
  writeTranscript(transcriptPath(claude, idOf(1)), title("a"), user("root"), user("x"));
  writeTranscript(transcriptPath(claude, idOf(2)), user("root"), user("y"));
  writeTranscript(transcriptPath(claude, idOf(3)), user("other"));
  writeTranscript(transcriptPath(claude, idOf(3), "-srv-b"), user("other"));
  writeTranscript(transcriptPath(claude, idOf(4)), title("no message"));
  const { transcripts, byId } = await index.refresh();
  const chains = await readChains(transcripts, options);
  expect([...chains.values()].map(({ messages }) => messages.join()).sort()).toEqual(["root,x", "root,y"]);
  const sizes = [idOf(1), idOf(2)].map((id) => statSync(transcriptPath(claude, id)).size);
  expect(bytesRead()).toBe(sizes[0]! + sizes[1]!);
  expect([...(await index.kinship({ transcripts, byId })).values()]).toMatchObject([{ forkPoint: "root" }]);
});

test("chains are cached, also when a fork of a compacted session joins them", async () => {
  const { claude, index, options, cacheDir, bytesRead } = world();
  const at = (day: number) => ({ timestamp: `2026-01-0${day}T00:00:00Z` });
  const boundary = user("cut", { type: "system", subtype: "compact_boundary", ...at(2) });
  const summary = user("summary", at(2));
  const [root, since] = [user("root", at(1)), user("since", at(3))];
  const write = (n: number, ...lines: string[]) => writeTranscript(transcriptPath(claude, idOf(n)), ...lines);
  write(8, root, boundary, summary, since, user("own", at(4)));
  await settled(write(9, root, user("early", at(1))));
  await readChains((await index.refresh()).transcripts, options);
  bytesRead();
  // Its name sorts first.
  const late = write(1, boundary, summary, root, since, user("late", at(5)));
  const { transcripts, byId } = await index.refresh();
  const chains = await readChains(transcripts, options);
  expect(bytesRead()).toBe(statSync(late).size);
  expect([...chains.values()].map(({ messages }) => messages.join()).sort()).toEqual([
    "cut,summary,root,since,late",
    "root,cut,summary,since,own",
    "root,early",
  ]);
  expect((await index.kinship({ transcripts, byId })).get(idOf(1))).toMatchObject({
    parent: idOf(8),
    forkPoint: "since",
  });
  expect(readdirSync(cacheDir).filter((name) => name.startsWith("chains-"))).toHaveLength(1);
});

test("chains are cached, and a longer file costs only its new bytes", async () => {
  const { claude, index, options, cacheDir, bytesRead } = world();
  const paths = [1, 2].map((n) =>
    writeTranscript(transcriptPath(claude, idOf(n)), user("root"), user(`own${n}`)),
  );
  await settled(paths[1]!);
  const { transcripts } = await index.refresh();
  await readChains(transcripts, options);
  bytesRead();
  await readChains(transcripts, options);
  expect(bytesRead()).toBe(0);
  const line = user("more");
  appendLine(paths[0]!, line);
  const chains = await readChains(transcripts, options);
  expect(bytesRead()).toBe(line.length + 1);
  expect([...chains.values()].map(({ messages }) => messages.length).sort()).toEqual([2, 3]);

  rmSync(paths[1]!);
  expect((await readChains(transcripts, options)).size).toBe(1);
  const old = join(cacheDir, readdirSync(cacheDir).find((name) => name.startsWith("chains-"))!);
  utimesSync(old, new Date(2020, 0, 1), new Date(2020, 0, 1));
  for (const n of [3, 4])
    writeTranscript(transcriptPath(claude, idOf(n)), user("second root"), user(`own${n}`));
  await readChains((await index.refresh()).transcripts, options);
  expect(readdirSync(cacheDir).filter((name) => name.startsWith("chains-"))).toHaveLength(1);
});
