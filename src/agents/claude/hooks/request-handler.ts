// The hook for permission requests: sh lines that hand a request to hivemind, and wait for a person's answer. The
// client shows its dialog meanwhile, and the first answer counts.
//
// - The hook exits 0 and prints either nothing or the answer. Nothing means that the dialog decides, as without hooks.
// - It waits in a read of a pipe, so waiting costs nothing.
// - The answer counts only for the very bytes that this hook wrote: whoever answers names their digest. A request that
//   somebody replaced gets no answer.
// - A sub-agent's dialog may open only after the hook has ended (2.1.325). So for a sub-agent the hook waits only while
//   hivemind's worker holds the other end of the pipe. The system closes that end when the worker ends or is killed.
// - After "yes" in the dialog, the client leaves the hook running. hivemind ends it when it next looks.
// - A hook is a session of its own and survives a client that is killed. The next hook, or hivemind, ends it.

import { limits } from "../../../limits.js";
import { aboutLines } from "./about-lines.js";

/** Stored in the folder of the reports. The requests are in its folder `requests`. */
export const requestHandler = {
  name: "request.sh",
  text: `# Hands a permission request of the client to hivemind, and waits for a person's answer.
# Sourced by a line that \`hivemind hooks install\` adds to the client's settings; that command also writes this file.
exec 3>&1 >/dev/null 2>&1
umask 077
${aboutLines}
about="$about,\\"hook\\":$$}"
asks=$hooks/requests
[ -L "$asks" ] || mkdir -p "$asks"
[ -L "$asks" ] && exit 0
id=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')
case $id in '' | *[!0-9a-f]*) exit 0 ;; esac
ask=$asks/$id
trap 'rm -f "$ask.new" "$ask.json" "$ask.pipe" "$ask.answer"; exit 0' 0
trap 'exit 0' 1 2 13 15
{ printf '%s\\n' "$about" && head -c ${limits.requestBytes + 1}; } >"$ask.new"
size=$(wc -c <"$ask.new") && [ -n "$size" ] || exit 0
# A longer one could not be shown as a whole: only the dialog answers it.
if [ $((size - \${#about} - 1)) -gt ${limits.requestBytes} ]; then cat; exit 0; fi
sum=$(sha256sum <"$ask.new" || shasum -a 256 <"$ask.new")
sum=\${sum%% *}
[ -n "$sum" ] && mkfifo "$ask.pipe" || exit 0
# A hook whose client was killed would wait for ever: the next one lets it go.
for other in "$asks"/*.json; do
  read -r line <"$other" || continue
  # A pid of another container says nothing here.
  case $line in *"\\"ns\\":\\"$ns\\""*) ;; *) continue ;; esac
  pid=\${line#*\\"pid\\":} pid=\${pid%%,*}
  case $pid in '' | *[!0-9]*) continue ;; esac
  kill -0 "$pid" || [ ! -p "\${other%.json}.pipe" ] || echo 1<>"\${other%.json}.pipe"
done
# A work folder must not stay in use.
cd /
said=
if grep -q '"agent_id":"' "$ask.new"; then
  read -r worker <"$asks/worker" && kill -0 "$worker" || exit 0
  mv "$ask.new" "$ask.json"
  # Should the worker never come, this ends the waiting. It holds nothing of the client: that would wait for it.
  { sleep ${limits.requestHoldSeconds}; [ -p "$ask.pipe" ] && : <>"$ask.pipe"; } </dev/null 3>&- &
  read -r said <"$ask.pipe"
else
  exec 4<>"$ask.pipe"
  mv "$ask.new" "$ask.json"
  read -r said <&4
fi
[ "$said" = "$sum" ] && cat "$ask.answer" >&3
exit 0
`,
};
