/** The open project on the wire: what it is, where it is, and how another is opened. */

import { z } from 'zod';

const pathSchema = z.string().min(1).max(4096);
const fileSchema = z.strictObject({ file: pathSchema, text: z.string() });
const nameSchema = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u)
  .describe('Letters, digits, spaces, and . _ -; it starts with a letter or digit.');

export const projectSchema = z
  .object({
    id: z.string().describe('The same whenever the same project is open.'),
    /** Changes with every project that is opened, also with the same one again. */
    instance: z.string(),
    name: z.string().describe('Name of the folder, or of the file if one was opened. Empty if nothing is open.'),
    files: z.array(z.string()).describe('Names of the source files.'),
    newFiles: z
      .array(z.string())
      .describe('Modules that the opened folder has gained since. Opening it again adds them.'),
    paths: z.array(z.string()).describe('The files or the folder that were opened; empty for a project in memory.'),
    folder: z.string().nullable().describe('Null in memory, and for clients on other machines.'),
    facts: z.string().nullable().describe('The folder of the facts. Null if they are in memory.'),
    home: z.string().nullable().describe('The folder of new projects. Null if they are kept in memory.'),
    canOpen: z.boolean().describe('Another project can be opened on this server.'),
    opensPaths: z.boolean().describe('Requests may name files and folders on the machine of the server.'),
    failure: z.string().nullable().describe('Why the project that was requested last is not open.'),
  })
  .meta({ id: 'Project' });
export type ProjectInfo = z.infer<typeof projectSchema>;

export const openProjectRequestSchema = z
  .strictObject({
    paths: z.array(pathSchema).min(1).max(1000),
    facts: pathSchema.optional().describe('A folder for the facts, or "memory". By default .entail beside the files.'),
  })
  .meta({ id: 'OpenProjectRequest' });

export const createProjectRequestSchema = z
  .strictObject({
    name: nameSchema,
    files: z.array(fileSchema).min(1).max(1000),
  })
  .meta({ id: 'CreateProjectRequest' });

export const saveProjectAsRequestSchema = z
  .strictObject({ folder: pathSchema.describe('A new folder, or an empty one.') })
  .meta({ id: 'SaveProjectAsRequest' });

export const addProjectFileRequestSchema = fileSchema.meta({ id: 'AddProjectFileRequest' });

export const renameProjectFileRequestSchema = z
  .strictObject({ from: pathSchema, to: pathSchema })
  .meta({ id: 'RenameProjectFileRequest' });

export const placesSchema = z
  .object({
    folder: z.string(),
    parent: z.string().nullable(),
    folders: z.array(z.string()),
    files: z.array(z.string()),
  })
  .meta({ id: 'Places' });
export type PlacesList = z.infer<typeof placesSchema>;
