// What the worker of a host in a fleet does besides its own work. Loaded only there.

import { replicatePart } from "../../link/copies/replicate.js";
import { takeMailPart } from "../../link/mail/mail.js";
import { hearFatesPart } from "../../link/mail/mail-fates.js";
import type { MemberPart } from "../../link/member.js";
import type { Cli } from "../command.js";
import { answersPart } from "./answers.js";

export async function memberParts(cli: Cli): Promise<readonly MemberPart[]> {
  return [takeMailPart, hearFatesPart, answersPart(cli), replicatePart];
}
