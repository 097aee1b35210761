// The thread that searches beside the main one. A program of its own, built beside the command.

import { isMainThread, workerData } from "node:worker_threads";
import { type SecondOrder, searchFromEnd } from "./search-second.js";

if (!isMainThread) searchFromEnd(workerData as SecondOrder);
