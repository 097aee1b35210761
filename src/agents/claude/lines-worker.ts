// The thread that reads transcripts beside the main one. A program of its own, built beside the command.

import { serveScans } from "../../transcripts/scan-worker.js";
import { claudeLines } from "./lines.js";

serveScans(claudeLines);
