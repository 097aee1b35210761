// The lines of transcripts as the client writes them: kinds of records, order of keys, and what is written twice.
// Taken from recordings of 2.1.197 and 2.1.325 against the stand-in of the API.

import { lengthOf, type Random, type Text, uuid } from "./corpus-text.js";

export type Version = "2.1.197" | "2.1.325";

export interface Session {
  id: string;
  version: Version;
  cwd: string;
  title: string;
  lastMessage: string | null;
  timeMs: number;
  contextTokens: number;
  /** The id with which the writing process began. */
  startedAs: string;
  /** The id of the sub-agent that writes. */
  subAgent?: string;
}

export interface Source {
  random: Random;
  prose: Text;
  picture: Text;
}

/** What a process writes before its first message, and again now and then. */
export function headLines({ id, title, version }: Session): string[] {
  const lines = [
    titleLine(id, title),
    `{"type":"agent-name","agentName":"${title}","sessionId":"${id}"}`,
    `{"type":"mode","mode":"normal","sessionId":"${id}"}`,
    `{"type":"permission-mode","permissionMode":"acceptEdits","sessionId":"${id}"}`,
  ];
  return version === "2.1.325" ? [...lines, `{"type":"atis-latch","atis":"","sessionId":"${id}"}`] : lines;
}

export function titleLine(id: string, title: string): string {
  return `{"type":"custom-title","customTitle":"${title}","sessionId":"${id}"}`;
}

/** What a process attaches to its first prompt: lists of tools and skills, and its own prompt. */
export function openingLines(session: Session, { prose, random }: Source): string[] {
  const rendered = `"rendered":[{"content":"${prose(900)}"}],"renderedRole":"system",`;
  if (session.version === "2.1.197") {
    return [2000, 4500].map((size) => attachment(session, random, "skill_listing", prose(size), ""));
  }
  return [
    ...[500, 5000, 12_000].map((size) =>
      attachment(session, random, "agent_listing_delta", prose(size), rendered),
    ),
    attachment(session, random, "prompt_snapshot", prose(64_000), ""),
    `{"type":"api-request-shape","sessionId":"${session.id}","shapeHash":"${"a3".repeat(32)}","timestamp":"${time(session)}","version":"2.1.325","shape":{"system":[{"type":"text","text":"${prose(44_000)}"}]}}`,
  ];
}

/** One turn of long work: a prompt, some tools and their results, an answer, and the client's notes. */
export function turnLines(session: Session, source: Source): string[] {
  const { random, prose } = source;
  const prompt = `{"role":"user","content":"${prose(lengthOf(random, 500))}"}`;
  const lines = [
    userLine(
      session,
      random,
      prompt,
      `"permissionMode":"acceptEdits","origin":{"kind":"human"},"promptSource":"typed",`,
    ),
  ];
  for (let left = lengthOf(random, 9); left > 0; left--) {
    if (random() < 0.3) lines.push(...thinkingLines(session, source));
    lines.push(...toolLines(session, source));
  }
  if (random() < 0.4) lines.push(...thinkingLines(session, source));
  lines.push(...answerLines(session, random, [`{"type":"text","text":"${prose(lengthOf(random, 900))}"}`]));
  lines.push(
    systemLine(session, random, `"subtype":"turn_duration","durationMs":5300,"messageCount":41,`),
    `{"type":"file-history-snapshot","messageId":"${uuid(random)}","snapshot":{"messageId":"${uuid(random)}","trackedFileBackups":{},"timestamp":"${time(session)}"},"isSnapshotUpdate":false}`,
  );
  return lines;
}

/** A message that a person typed while the agent worked. */
export function queueLines({ id, timeMs }: Session, { random, prose }: Source): string[] {
  const at = `"timestamp":"${new Date(timeMs).toISOString()}","sessionId":"${id}"`;
  const typed = prose(lengthOf(random, 200));
  return [
    `{"type":"queue-operation","operation":"enqueue",${at},"content":"${typed}"}`,
    `{"type":"queue-operation","operation":"dequeue",${at}}`,
  ];
}

/** The beginning of a conversation that an earlier client continued. */
export function summaryLines({ random, prose }: Source): string[] {
  return [1, 2].map(() => `{"type":"summary","summary":"${prose(80)}","leafUuid":"${uuid(random)}"}`);
}

export function compactionLines(session: Session, { random, prose }: Source): string[] {
  const before = session.lastMessage;
  session.lastMessage = null;
  session.contextTokens = 20_000;
  const boundary = `"logicalParentUuid":"${before}","subtype":"compact_boundary","content":"Conversation compacted","level":"info","compactMetadata":{"trigger":"auto","preTokens":160000},`;
  const summary = `{"role":"user","content":"This session is being continued. ${prose(6000)}"}`;
  return [
    systemLine(session, random, boundary),
    userLine(session, random, summary, "", `"isVisibleInTranscriptOnly":true,"isCompactSummary":true,`),
  ];
}

/** The command `/clear`, as the first message of a new conversation. */
export function clearLines(session: Session, { random }: Source): string[] {
  const said = (text: string) => `{"role":"user","content":"${text}"}`;
  return [
    userLine(
      session,
      random,
      said("<local-command-caveat>Not for you.</local-command-caveat>"),
      "",
      `"isMeta":true,`,
    ),
    userLine(session, random, said("<command-name>/clear</command-name>"), ""),
  ];
}

/** A copied record keeps its ids. A branch also says where it comes from. */
export function copyOf(line: string, from: string, to: string, isBranch: boolean): string {
  const copy = line.replace(`"sessionId":"${from}"`, `"sessionId":"${to}"`);
  if (!isBranch) return copy;
  const message = /"uuid":"([0-9a-f-]{36})"/.exec(line)?.[1];
  return `${copy.slice(0, -1)},"forkedFrom":{"sessionId":"${from}","messageUuid":"${message}"}}`;
}

/** The client writes each block of an answer as a record of its own. */
function thinkingLines(session: Session, { random, prose, picture }: Source): string[] {
  const thought = prose(lengthOf(random, 700));
  const block = `{"type":"thinking","thinking":"${thought}","signature":"${picture(400 + lengthOf(random, 900))}"}`;
  return answerLines(session, random, [block]);
}

/** A call and its result, which is in the record twice. */
function toolLines(session: Session, source: Source): string[] {
  const { random } = source;
  const { input, shown, result } = toolOf(session, source);
  const call = `toolu_${uuid(random)}`;
  const lines = answerLines(session, random, [`{"type":"tool_use","id":"${call}",${input}}`]);
  const content = `{"role":"user","content":[{"tool_use_id":"${call}","type":"tool_result","content":${shown}}]}`;
  const decision =
    session.version === "2.1.325" ? `"permissionDecision":{"decision":"accept","source":"config"},` : "";
  const from = `"toolUseResult":${result},"sourceToolAssistantUUID":"${session.lastMessage}",${decision}`;
  lines.push(userLine(session, random, content, from));
  return lines;
}

function toolOf({ cwd }: Session, { random, prose, picture }: Source) {
  const dice = random();
  const file = `"file_path":"${cwd}/a.ts"`;
  if (dice < 0.45) {
    const text = prose(lengthOf(random, 1500));
    return {
      input: `"name":"Bash","input":{"command":"${prose(80)}","description":"Run it"}`,
      shown: `"${text}","is_error":false`,
      result: `{"stdout":"${text}","stderr":"","interrupted":false,"isImage":false,"usage":{"input_tokens":999999}}`,
    };
  }
  if (dice < 0.75) {
    const text = prose(lengthOf(random, 4000));
    return {
      input: `"name":"Read","input":{${file}}`,
      shown: `"${text}"`,
      result: `{"type":"text","file":{"filePath":"${cwd}/a.ts","content":"${text}","numLines":90,"startLine":1,"totalLines":90}}`,
    };
  }
  if (dice < 0.95) {
    const [then, now] = [prose(lengthOf(random, 500)), prose(lengthOf(random, 700))];
    return {
      input: `"name":"Edit","input":{"type":"custom-title","customTitle":"decoy",${file},"old_string":"${then}","new_string":"${now}"}`,
      shown: `"The file ${cwd}/a.ts has been updated successfully."`,
      result: `{"filePath":"${cwd}/a.ts","oldString":"${then}","newString":"${now}","originalFile":"${prose(lengthOf(random, 6000))}","structuredPatch":[{"oldStart":1,"oldLines":2,"newStart":1,"newLines":2,"lines":["-${then}","+${now}"]}],"userModified":false}`,
    };
  }
  if (dice < 0.955) {
    const data = picture(20_000 + lengthOf(random, 120_000));
    return {
      input: `"name":"Read","input":{"file_path":"${cwd}/a.png"}`,
      shown: `[{"type":"image","source":{"type":"base64","data":"${data}","media_type":"image/png"}}]`,
      result: `{"type":"image","file":{"base64":"${data}","type":"image/png","originalSize":9000}}`,
    };
  }
  const found = prose(lengthOf(random, 2500));
  return {
    input: `"name":"Agent","input":{"description":"look","prompt":"${prose(400)}","uuid":"nested"}`,
    shown: `[{"type":"text","text":"${found}"}]`,
    result: `{"status":"completed","agentId":"a50a1a99e382d79ea","content":[{"type":"text","text":"${found}"}],"totalTokens":15,"usage":{"input_tokens":10,"cache_read_input_tokens":900000}}`,
  };
}

/** 2.1.325 also records each request. */
function answerLines(session: Session, random: Random, content: readonly string[]): string[] {
  const isNew = session.version === "2.1.325";
  session.contextTokens += Math.floor(random() * 1500);
  const usage =
    `{"input_tokens":${Math.floor(random() * 9)},"cache_creation_input_tokens":${Math.floor(random() * 900)},` +
    `"cache_read_input_tokens":${session.contextTokens},"output_tokens":${Math.floor(random() * 800)},` +
    `"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},"service_tier":"standard",` +
    `"cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":120},"inference_geo":"","iterations":[],"speed":"standard"}`;
  const model = isNew ? "claude-opus-5-5" : "claude-opus-4-8";
  const message =
    `"message":{"id":"msg_${uuid(random)}","type":"message","role":"assistant","model":"${model}",` +
    `"content":[${content}],"stop_reason":"end_turn","stop_sequence":null,"usage":${usage},"stop_details":null},`;
  const request = isNew
    ? `"apiBlockIndex":0,"requestRef":"${uuid(random)}","requestedModel":"${model}[1m]","promptCacheRequested":"5m",`
    : "";
  const more = isNew ? `"effort":"medium","perTurnEffort":"medium","madeBy":"model",` : "";
  const line = `${front(session)}${message}${request}"type":"assistant",${named(session, random)}${more}${back(session)}`;
  if (!isNew) return [line];
  const asked = `{"type":"api-request","sessionId":"${session.id}","id":"${uuid(random)}","timestamp":"${time(session)}","version":"2.1.325","querySource":"repl_main_thread","shapeHash":"${"a3".repeat(32)}","params":{"model":"${model}","betas":["${"b".repeat(300)}"],"max_tokens":128000},"keep":41,"tail":[{"hash":"${"d9".repeat(32)}"}],"requestDigest":"${"c4".repeat(32)}"}`;
  return [asked, line];
}

function userLine(session: Session, random: Random, message: string, behind: string, before = ""): string {
  const prompt = `"promptId":"${uuid(random)}",`;
  return `${front(session)}${prompt}"type":"user","message":${message},${before}${named(session, random)}${behind}${back(session)}`;
}

function systemLine(session: Session, random: Random, facts: string): string {
  return `${front(session)}"type":"system",${facts}${named(session, random)}"isMeta":false,${back(session)}`;
}

function attachment(session: Session, random: Random, type: string, content: string, behind: string): string {
  return `${front(session)}"attachment":{"type":"${type}","content":"${content}"},"type":"attachment",${named(session, random)}${behind}${back(session)}`;
}

/** Names the message before, which `named` replaces. */
function front({ lastMessage, subAgent }: Session): string {
  const side =
    subAgent === undefined ? `"isSidechain":false,` : `"isSidechain":true,"agentId":"${subAgent}",`;
  return `{"parentUuid":${lastMessage === null ? "null" : `"${lastMessage}"`},${side}`;
}

function named(session: Session, random: Random): string {
  session.lastMessage = uuid(random);
  session.timeMs += Math.floor(random() * 30_000);
  return `"uuid":"${session.lastMessage}","timestamp":"${time(session)}",`;
}

function back({ id, version, cwd, startedAs }: Session): string {
  const began = version === "2.1.325" ? `"session_id":"${startedAs}",` : "";
  return `${began}"userType":"external","entrypoint":"cli","cwd":"${cwd}","sessionId":"${id}","version":"${version}","gitBranch":"main"}`;
}

function time({ timeMs }: Session): string {
  return new Date(timeMs).toISOString();
}
