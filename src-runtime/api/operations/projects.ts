/** The open project: its files and its facts, and opening another in its place. */

import { z } from 'zod';
import {
  addProjectFileRequestSchema,
  createProjectRequestSchema,
  openProjectRequestSchema,
  placesSchema,
  projectSchema,
  renameProjectFileRequestSchema,
  saveProjectAsRequestSchema,
} from '../schemas/project-schemas.js';
import { defineOperation, result } from './define-operation.js';

const opening = { runsOn: 'server', capability: 'reload', writes: false, response: result(projectSchema) } as const;
const THEN =
  'The response is sent first. Then running requests finish, and the server restarts with the project at the same address.';

export const projects = {
  project: defineOperation({
    method: 'GET',
    path: '/v1/project',
    summary: 'The open project',
    ...opening,
    capability: null,
  }),
  openProject: defineOperation({
    method: 'POST',
    path: '/v1/project/open',
    summary: 'Open files or a folder of this machine',
    description: `Refused with details.reason "readOnly" if no facts can be stored beside the files; "facts" then names another folder. ${THEN}`,
    ...opening,
    body: openProjectRequestSchema,
  }),
  createProject: defineOperation({
    method: 'POST',
    path: '/v1/project',
    summary: 'Create a project from texts and open it',
    description: `In a new folder below the folder of new projects, or in memory if there is none. ${THEN}`,
    ...opening,
    body: createProjectRequestSchema,
  }),
  saveProjectAs: defineOperation({
    method: 'POST',
    path: '/v1/project/save-as',
    summary: 'Copy the project, with its facts, to a folder and open the copy',
    description: THEN,
    ...opening,
    body: saveProjectAsRequestSchema,
  }),
  closeProject: defineOperation({
    method: 'DELETE',
    path: '/v1/project',
    summary: 'Close the project',
    description: `Its files and facts stay. ${THEN}`,
    ...opening,
  }),
  addProjectFile: defineOperation({
    method: 'POST',
    path: '/v1/project/files',
    summary: 'Add a source file to the project',
    description: `Never replaces a file. ${THEN}`,
    ...opening,
    body: addProjectFileRequestSchema,
  }),
  renameProjectFile: defineOperation({
    method: 'POST',
    path: '/v1/project/files/rename',
    summary: 'Rename a source file of the project',
    description: THEN,
    ...opening,
    body: renameProjectFileRequestSchema,
  }),
  places: defineOperation({
    method: 'GET',
    path: '/v1/places',
    summary: 'Folders and modules in a folder of this machine',
    runsOn: 'server',
    capability: 'reload',
    writes: false,
    query: z.strictObject({ folder: z.string().optional().describe('By default the home folder of the user.') }),
    response: result(placesSchema),
  }),
};
