// The worker thread that reads transcripts. A separate program, built beside the command.

import { serveScans } from "../../../transcripts/scan/scan-worker.js";
import { claudeLines } from "./lines.js";

serveScans(claudeLines);
