// The second search thread. A separate program, built beside the command.

import { isMainThread, workerData } from "node:worker_threads";
import { type SecondOrder, searchFromEnd } from "./search-from-end.js";

if (!isMainThread) searchFromEnd(workerData as SecondOrder);
