// Which folder a project's team file was last brought up from: the same project id elsewhere is another project. A file
// whose name nobody would look for stands there itself.

import type { Report } from "./error.js";
import { readFolder, readProject, splitFields } from "./fields.js";
import { type RowFile, rowFile } from "./row-file.js";
import type { RowFormat } from "./row-lines.js";

export interface ProjectRow {
  project: string;
  folder: string;
}

export function openProjects(path: string, report?: Report): RowFile<ProjectRow> {
  return rowFile(path, format, report);
}

const format: RowFormat<ProjectRow> = {
  rule: "a row is project|folder",
  parse(line) {
    const fields = splitFields(line, 2);
    const project = readProject(fields?.[0]);
    const folder = readFolder(fields?.[1]);
    return project === null || folder === null ? this.rule : { project, folder };
  },
  format: ({ project, folder }) => `${project}|${folder}`,
  key: ({ project }) => project,
};
