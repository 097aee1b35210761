import { counted } from "../../base/text/counted.js";
import { shellWord } from "../../base/text/shell-word.js";
import { teamName } from "../../names/gates.js";
import type { Command } from "../command.js";
import { byteBar, shown } from "../output.js";
import { hostTyped } from "./from-bundle.js";

export const teamPull: Command = {
  words: "team pull",
  about: "fetch another host's teams and conversations",
  args: [{ name: "host", about: "its name in ssh", meaning: "text" }],
  options: [
    { name: "team", value: "team", about: "only this team of that host", meaning: "text" },
    { name: "dry-run", about: "show what would be fetched, and write nothing" },
  ],
  examples: [
    "hivemind team pull beta --dry-run",
    "hivemind team pull beta",
    "hivemind team pull beta --team web4team",
  ],
  notes:
    "Fetches the stored teams, the newest snapshot of each, layouts, lineage and transcripts into hivemind.pulled/HOST\n" +
    "(with --team: HOST.TEAM). Reads nothing else of that host and changes nothing there.\n" +
    "After an interruption run the same command again. Needs hivemind on that host, and an ssh key that works without a\n" +
    "password prompt (HIVEMIND_SSH_CONFIG names another ssh configuration). To start the teams: hivemind team restart DIR",
  hasJson: true,
  async run(cli, input) {
    const host = hostTyped(input);
    const typed = input.option("team");
    const team = typed === undefined ? null : teamName(typed);
    const { stores } = await cli.hive();
    const { withFar } = await import("../../hosts/wire/far.js");
    const { planPull, pullBundle } = await import("../../hosts/pull.js");
    const { sizeOf } = await import("../../stores/text/bundle.js");
    const { out } = cli;
    const { progress, note: say } = out;
    const voice = { env: cli.env, interrupted: cli.untilInterrupted(), progress, say };
    await withFar(host, voice, async (far) => {
      const plan = await planPull(far, stores, team);
      const isDryRun = input.flag("dry-run");
      const folder = isDryRun
        ? stores.received.folderOf(plan.name)
        : await pullBundle(far, stores, plan, (done, all) => out.progress(`${host}: ${byteBar(done, all)}`));
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
      const what = `${counted(files, "file")}, ${bytes} bytes${had > 0 ? `; ${had} already here` : ""}`;
      out.print(`${isDryRun ? "would fetch" : "fetched"} ${page.teams.join(", ")} from ${host}: ${what}`);
      if (isDryRun) for (const { path, sizeBytes } of missing) out.print(`  ${path}  ${sizeBytes}`);
      if (page.savedAt === null) out.note(`${host} has no snapshot yet; run there: hivemind save`);
      else out.print(`  as saved at ${page.savedAt}`);
      out.print(`  ${shown(folder)}`);
      if (!isDryRun) out.note(`to start it here: ${cli.self} team restart ${shellWord(folder)}`);
    });
    return undefined;
  },
};
