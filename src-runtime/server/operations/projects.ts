/** The open project, and opening another in its place. */

import { homedir } from 'node:os';
import { basename, join, relative, resolve, sep } from 'node:path';
import type { z } from 'zod';
import { ApiError } from '../../api/errors.js';
import type {
  createProjectRequestSchema,
  openProjectRequestSchema,
  PlacesList,
  ProjectInfo,
} from '../../api/schemas/project-schemas.js';
import { canStoreFacts, factsFolderOf } from '../../project/facts-folder.js';
import { type FoundProject, findProject, ProjectError } from '../../project/find-project.js';
import { findSources } from '../../project/find-sources.js';
import { placesIn } from '../../project/places.js';
import {
  createProject as createInFolder,
  type ProjectFile,
  renameFile,
  writeFiles,
} from '../../project/write-project.js';
import { badRequest } from '../http/envelope.js';
import type { NextProject, ServedProject } from '../options.js';
import type { ServerContext } from './call.js';

export async function project({ settings, loader, instance }: ServerContext): Promise<ProjectInfo> {
  const { projects } = settings;
  const { paths = [], name } = projects?.current ?? {};
  const files = (await loader.source?.readOrDeleted())?.map(({ file }) => file) ?? [];
  const shows = projects?.opensPaths === true;
  return {
    id: projects?.id ?? '',
    instance,
    name: name ?? (paths.length > 0 ? basename(paths[0] ?? '') : (files[0] ?? '')),
    files,
    newFiles: shows ? await newFilesIn(paths, loader.source?.paths ?? []) : [],
    paths: shows ? [...paths] : [],
    folder: shows ? (loader.source?.folder ?? null) : null,
    facts: shows ? (projects.facts ?? null) : null,
    home: shows ? (projects.home ?? null) : null,
    canOpen: projects !== undefined,
    opensPaths: shows,
    failure: projects?.failure ?? null,
  };
}

/** The modules of an opened folder that are not served, relative to it. Empty if files were opened. */
async function newFilesIn(opened: readonly string[], served: readonly string[]): Promise<string[]> {
  const [folder = ''] = opened;
  if (opened.length !== 1 || served.length === 0 || served.includes(folder)) return [];
  const found = await findSources(folder);
  return found
    .filter((path) => !served.includes(path))
    .map((path) => relative(folder, path).split(sep).join('/'))
    .sort();
}

export async function openProject(
  context: ServerContext,
  { paths, facts }: z.output<typeof openProjectRequestSchema>,
): Promise<ProjectInfo> {
  const host = requirePaths(context);
  return await answering(context, async () => {
    const found = await findProject(paths);
    const other = found.files.find((file) => !/\.(entail|json)$/i.test(file));
    if (other !== undefined) {
      throw new ProjectError(
        `${other} is not a module (.entail), artifact (.entail.json) or repro bundle (.repro.json).`,
      );
    }
    await requireFacts(found, facts);
    host.open({ paths: found.paths, facts });
  });
}

export async function createProject(
  context: ServerContext,
  { name, files }: z.output<typeof createProjectRequestSchema>,
): Promise<ProjectInfo> {
  const host = requireHost(context);
  return await answering(context, async () => {
    host.open(
      host.home === undefined ? { name, texts: files } : { paths: [await createInFolder(host.home, name, files)] },
    );
  });
}

export async function saveProjectAs(context: ServerContext, { folder }: { folder: string }): Promise<ProjectInfo> {
  const host = requirePaths(context);
  return await answering(context, async () => {
    const target = resolve(folder);
    const files = await currentFiles(context);
    if (files.length === 0) throw new ProjectError('An artifact has no sources to save. Copy its file instead.');
    await writeFiles(target, files);
    await host.copyFacts(join(target, '.entail'));
    host.open({ paths: [target] });
  });
}

export async function closeProject(context: ServerContext): Promise<ProjectInfo> {
  requireHost(context).open({});
  return await project(context);
}

export async function addProjectFile(context: ServerContext, added: ProjectFile): Promise<ProjectInfo> {
  const host = requireHost(context);
  return await answering(context, async () => {
    const folder = context.loader.source?.folder;
    if (folder === undefined) {
      const files = await currentFiles(context);
      if (files.some(({ file }) => file === added.file)) {
        throw new ProjectError(`${added.file} exists already. Choose another name.`);
      }
      host.open({ ...host.current, texts: [...files, added] });
      return;
    }
    await writeFiles(folder, [added]);
    host.open(withFiles(host, (paths) => [...paths, join(folder, added.file)]));
  });
}

export async function renameProjectFile(
  context: ServerContext,
  { from, to }: { from: string; to: string },
): Promise<ProjectInfo> {
  const host = requireHost(context);
  return await answering(context, async () => {
    const files = await currentFiles(context);
    if (!files.some(({ file }) => file === from)) throw new ProjectError(`${from} is not a file of the project.`);
    const folder = context.loader.source?.folder;
    if (folder === undefined) {
      const texts = files.map(({ file, text }) => ({ file: file === from ? to : file, text }));
      host.open({ ...host.current, texts });
      return;
    }
    await renameFile(join(folder, from), join(folder, to));
    host.open(withFiles(host, (paths) => paths.map((path) => (path === join(folder, from) ? join(folder, to) : path))));
  });
}

export async function places(context: ServerContext, folder = homedir()): Promise<PlacesList> {
  requirePaths(context);
  const { folders, files, ...rest } = await withApiErrors(() => placesIn(resolve(folder)));
  return { ...rest, folders: [...folders], files: [...files] };
}

/** A project that was opened as a folder has all files in it. */
function withFiles({ current }: ServedProject, change: (paths: readonly string[]) => readonly string[]): NextProject {
  const { paths = [] } = current;
  return { ...current, paths: paths.every((path) => /\.entail$/i.test(path)) ? change(paths) : paths };
}

async function currentFiles({ loader }: ServerContext): Promise<readonly ProjectFile[]> {
  const files = (await loader.source?.readOrDeleted()) ?? [];
  return files.map(({ file, text }) => ({ file, text }));
}

async function requireFacts(found: FoundProject, chosen: string | undefined): Promise<void> {
  if (found.isBundle || chosen === 'memory') return;
  const folder = chosen ?? (await factsFolderOf(found));
  if (await canStoreFacts(folder)) return;
  throw badRequest(`${folder} cannot be written. Choose another folder for the facts, or keep them in memory.`, {
    reason: 'readOnly',
    folder,
  });
}

function requireHost({ settings }: ServerContext): ServedProject {
  if (settings.projects !== undefined) return settings.projects;
  throw badRequest('This server serves one project only. Start another one with: entail serve FILES');
}

function requirePaths(context: ServerContext): ServedProject {
  const host = requireHost(context);
  if (host.opensPaths) return host;
  throw badRequest('This server opens no paths for clients. Send the texts, or start it with: entail serve FILES');
}

/** The host closes the server once this response is sent. */
async function answering(context: ServerContext, work: () => Promise<void>): Promise<ProjectInfo> {
  const before = await project(context);
  await withApiErrors(work);
  return before;
}

async function withApiErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProjectError) throw badRequest(error.message);
    if (error instanceof Error && 'code' in error && !(error instanceof ApiError)) {
      throw new ApiError('SVC_RUNTIME_STORAGE_ERROR', error.message, {}, { cause: error });
    }
    throw error;
  }
}
