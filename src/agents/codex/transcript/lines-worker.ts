// The worker thread that reads rollouts. A separate program, built beside the command.

import { serveScans } from "../../../transcripts/scan/scan-worker.js";
import { codexLines } from "./lines.js";

serveScans(codexLines);
