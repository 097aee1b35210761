// The folder each project's team file was last brought up from: the same project id in another folder is another
// project. For a team file with a non-default name, the row has the path of the file itself.

import { readFolder, readProject, rowFormat } from "./file/fields.js";

export interface ProjectRow {
  project: string;
  folder: string;
}

export const projectFormat = rowFormat<ProjectRow>(
  "a row is project|folder",
  { project: readProject, folder: readFolder },
  ({ project }) => project,
);
