// What a person can do with an agent. What ends something, or starts it again, asks first.

import { useSignal } from "@preact/signals";
import type { AgentView } from "../../src/fleet/view.js";
import { labelOf, nameOf } from "../board/board-rows.js";
import { allowsActions } from "../inbox/read-only-note.js";
import { Button } from "../parts/button.js";
import { useAction } from "../server/act.js";
import { ActionDialog } from "./action-dialog.js";

type Asked = "fork" | "rename" | "restart" | "kill";

export function AgentActions({ agent }: { agent: AgentView }) {
  const open = useSignal<Asked | null>(null);
  const { isRunning, act } = useAction();
  const name = nameOf(agent);
  if (!allowsActions() || name === null || agent.agent === null) return null;
  const isHere = agent.paneId !== null;
  const ask = (what: Asked) => () => (open.value = what);
  return (
    <>
      {isHere && agent.uuid !== null && (
        <Button icon="fork" onClick={ask("fork")}>
          Fork
        </Button>
      )}
      {isHere && (
        <Button kind="quiet" icon="rename" onClick={ask("rename")}>
          Rename
        </Button>
      )}
      <Button
        kind="quiet"
        icon="hold"
        title="Its messages wait in the queue"
        isBusy={isRunning.value}
        onClick={() => void act("/hold", { name })}
      >
        Hold
      </Button>
      <Button
        kind="quiet"
        icon="release"
        title="Its messages are delivered again"
        isBusy={isRunning.value}
        onClick={() => void act("/release", { name })}
      >
        Release
      </Button>
      <Button kind={isHere ? "quiet" : "main"} icon="restart" onClick={ask("restart")}>
        Restart
      </Button>
      {isHere && (
        <Button kind="bad" icon="kill" onClick={ask("kill")}>
          Kill
        </Button>
      )}
      {open.value !== null && (
        <ActionDialog
          kind={open.value}
          name={name}
          label={labelOf(agent)}
          isHere={isHere}
          close={() => (open.value = null)}
        />
      )}
    </>
  );
}
