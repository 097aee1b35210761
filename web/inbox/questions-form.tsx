// Questions of an agent: options, or words of the person's own.

import { useSignal } from "@preact/signals";
import type { Question } from "../../src/agents/asked.js";
import { Button } from "../parts/button.js";
import { Marked } from "../parts/marked.js";
import { answersOf, choose, type Given, nothing } from "./answers.js";
import { useDecision } from "./decision.js";
import { allowsActions } from "./read-only-note.js";
import { RejectForm } from "./reject-form.js";
import type { WholeRequest } from "./request-body.js";

export function QuestionsForm({ request }: { request: WholeRequest }) {
  const { id, questions } = request;
  const given = useSignal<readonly Given[]>(questions.map(() => nothing));
  const isRejecting = useSignal(false);
  const { isBusy, decide } = useDecision();
  const answers = answersOf(questions, given.value);
  const isAllowed = allowsActions();
  const change = (at: number, value: Given) => (given.value = given.value.with(at, value));
  return (
    <>
      <form
        class="item-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (answers !== null) void decide(null, "/answer", { name: id, answer: answers }, "Answered.");
        }}
      >
        {questions.map((question, at) => (
          <QuestionField
            key={question.text}
            name={`${id}-${at}`}
            question={question}
            given={given.value[at] ?? nothing}
            isAllowed={isAllowed}
            change={(value) => change(at, value)}
          />
        ))}
        {isAllowed && !isRejecting.value && (
          <div class="row item-actions">
            <Button kind="main" icon="send" type="submit" isBusy={isBusy} disabled={answers === null}>
              Send {questions.length === 1 ? "answer" : "answers"}
            </Button>
            <Button icon="close" isBusy={isBusy} onClick={() => (isRejecting.value = true)}>
              Reject…
            </Button>
            <span class="faint mono item-id">{id}</span>
          </div>
        )}
      </form>
      {isRejecting.value && <RejectForm name={id} close={() => (isRejecting.value = false)} />}
    </>
  );
}

function QuestionField({
  name,
  question,
  given,
  isAllowed,
  change,
}: {
  name: string;
  question: Question;
  given: Given;
  isAllowed: boolean;
  change(given: Given): void;
}) {
  const { text, options, takesSeveral } = question;
  const kind = takesSeveral ? "checkbox" : "radio";
  return (
    <fieldset class="options" disabled={!isAllowed}>
      <legend>
        <Marked text={text} />
        {takesSeveral && <span class="faint"> Several are possible.</span>}
      </legend>
      {options.map((label, at) => (
        <label key={label} class="option">
          <input
            type={kind}
            name={name}
            checked={!given.isOwn && given.chosen.includes(at)}
            onChange={() => change(choose(given, at, takesSeveral))}
          />
          <span>
            <Marked text={label} />
          </span>
        </label>
      ))}
      {isAllowed && (
        <label class="option option-own">
          <input
            type={kind}
            name={name}
            checked={given.isOwn}
            aria-label="In my own words"
            onChange={() => change({ ...given, isOwn: !given.isOwn || !takesSeveral })}
          />
          <input
            class="field"
            type="text"
            placeholder="In my own words"
            aria-label="My own words"
            value={given.own}
            onInput={(event) => change({ ...given, own: event.currentTarget.value, isOwn: true })}
          />
        </label>
      )}
    </fieldset>
  );
}
