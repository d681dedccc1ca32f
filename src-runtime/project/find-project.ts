/** What a user opens as one project: a folder of module sources, some sources, one artifact, or one repro bundle. */

import { stat } from 'node:fs/promises';
import { basename, dirname, parse, resolve, sep } from 'node:path';
import { REPRO_EXTENSION } from '../api/repro-bundle.js';
import { findSources } from './find-sources.js';

export interface FoundProject {
  /** As they were opened, absolute: files, or one folder. */
  readonly paths: readonly string[];
  /** The files to serve. One that was deleted is listed too: saving writes it again. */
  readonly files: readonly string[];
  /** The opened folder, or the common folder of the files. */
  readonly folder: string;
  /** It is one repro bundle, which contains its facts. */
  readonly isBundle: boolean;
}

/** The paths cannot be opened as a project. The message is a sentence for the user. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';
}

/** Throws ProjectError. */
export async function findProject(opened: readonly string[]): Promise<FoundProject> {
  const paths = [...new Set(opened.map((path) => resolve(path)))];
  const files = [...new Set((await Promise.all(paths.map(filesAt))).flat())];
  requireOneDrive(files);
  const isBundle = files.some((file) => file.endsWith(REPRO_EXTENSION));
  const alone = files.find((file) => !/\.entail$/i.test(file));
  if (alone !== undefined && files.length > 1) {
    const kind = isBundle ? 'a repro bundle' : 'an artifact';
    throw new ProjectError(`${basename(alone)} is ${kind} and cannot be combined with other files.`);
  }
  const [only = ''] = paths;
  const isFolder = paths.length === 1 && !files.includes(only);
  return { paths, files, folder: isFolder ? only : commonFolder(files), isBundle };
}

/** Names of files are relative to their common folder, which Windows has only on one drive. */
export function requireOneDrive(files: readonly string[], rootOf = (path: string) => parse(path).root): void {
  const roots = new Set(files.map((file) => rootOf(file).toLowerCase()));
  if (roots.size > 1) {
    throw new ProjectError(`The files are on several drives: ${[...roots].join(', ')}. Move them to one drive.`);
  }
}

async function filesAt(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) {
    const sources = await findSources(path);
    if (sources.length > 0) return sources;
    throw new ProjectError(`${path} has no files that end in .entail.`);
  }
  if (found !== undefined || /\.(entail|json)$/i.test(path)) return [path];
  throw new ProjectError(`${path} does not exist.`);
}

export function commonFolder(files: readonly string[]): string {
  const folders = files.map((path) => dirname(path).split(sep));
  const [first = []] = folders;
  let shared = 0;
  while (shared < first.length && folders.every((folder) => folder[shared] === first[shared])) shared++;
  return first.slice(0, shared).join(sep) || sep;
}
