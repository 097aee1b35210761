import { counted } from "../base/counted.js";
import { shellWord } from "../base/shell-word.js";
import { teamName } from "../names/gates.js";
import { byteBar } from "./byte-bar.js";
import type { Command } from "./command.js";
import { hostTyped } from "./from-box.js";
import { shown } from "./output.js";

export const teamPull: Command = {
  words: "team pull",
  about: "fetch what another host has stored of its teams, conversations included",
  args: [{ name: "host", about: "as ssh knows it", meaning: "text" }],
  options: [
    { name: "team", value: "team", about: "only this team of that host", meaning: "text" },
    { name: "dry-run", about: "say what would be fetched, and write nothing" },
  ],
  examples: [
    "hivemind team pull beta --dry-run",
    "hivemind team pull beta",
    "hivemind team pull beta --team web4team",
  ],
  notes:
    "Its rows, the newest snapshot that has each team, layouts, lineage, and the transcripts of the sessions in them come\n" +
    "into hivemind.pulled/HOST (with --team: HOST.TEAM); nothing else of that host is read, and nothing there is changed.\n" +
    "Broken off, the same command goes on. It needs hivemind on that host, and a key that ssh can use without asking\n" +
    "(HIVEMIND_SSH_CONFIG names another configuration of ssh). To start from it: hivemind team restart DIR",
  hasJson: true,
  async run(cli, input) {
    const host = hostTyped(input);
    const typed = input.option("team");
    const team = typed === undefined ? null : teamName(typed);
    const { stores } = await cli.hive();
    const { withFar } = await import("../moving/far.js");
    const { planPull, pullBox, sizeOf } = await import("../moving/pull.js");
    const { out } = cli;
    const { progress, note: say } = out;
    const voice = { env: cli.env, interrupted: cli.untilInterrupted(), progress, say };
    await withFar(host, voice, async (far) => {
      const plan = await planPull(far, stores, team);
      const isDryRun = input.flag("dry-run");
      const folder = isDryRun
        ? stores.pulled.folderOf(plan.name)
        : await pullBox(far, stores, plan, (done, all) => out.progress(`${host}: ${byteBar(done, all)}`));
      out.progress(null);
      const { page, missing, problems } = plan;
      const [files, bytes] = [missing.length, sizeOf(missing)];
      if (input.flag("json")) {
        const { packedAt, savedAt, teams } = page;
        out.json({
          host,
          folder,
          packedAt,
          savedAt,
          teams,
          files: page.files.length,
          fetched: { files, bytes },
          isDryRun,
          problems,
        });
        return;
      }
      for (const problem of problems) out.note(`${host}: ${shown(problem)}`);
      const had = page.files.length - files;
      const what = `${counted(files, "file")}, ${bytes} bytes${had > 0 ? `; ${had} were here already` : ""}`;
      out.print(`${isDryRun ? "would fetch" : "fetched"} ${page.teams.join(", ")} from ${host}: ${what}`);
      if (isDryRun) for (const { path, sizeBytes } of missing) out.print(`  ${path}  ${sizeBytes}`);
      if (page.savedAt === null) out.note(`nothing was saved there yet; on ${host}: hivemind teams save`);
      else out.print(`  as saved at ${page.savedAt}`);
      out.print(`  ${shown(folder)}`);
      if (!isDryRun) out.note(`to start from it: ${cli.self} team restart ${shellWord(folder)}`);
    });
    return undefined;
  },
};
