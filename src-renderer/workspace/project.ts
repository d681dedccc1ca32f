/** Recent projects, and reloading the page when the server opens another one. Small, because it is in the first bundle. */

import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { host } from '../host/current-host.js';
import type { SourceFile } from '../server-state/api.js';
import { useMissingGrant } from '../server-state/health.js';
import { useModuleInfo, useSources } from '../server-state/module.js';
import { isOtherProject, useProject } from '../server-state/projects.js';
import { storedText, storeText } from '../state/page-storage.js';
import { createPersistentStore, createStore, useStore } from '../state/store.js';

/** The dialog that is open. Which files it is about comes from the project. */
export type OpenSheet =
  | { readonly kind: 'openFiles' | 'openFolder' | 'saveAs' | 'addFile' | 'rename' }
  /** Nothing can be stored beside these files. */
  | { readonly kind: 'facts'; readonly paths: readonly string[]; readonly message: string };

export const projectSheet = createStore<OpenSheet | undefined>(undefined);

export interface RecentFiles {
  readonly name: string;
  readonly paths: readonly string[];
  /** The folder of the facts, or `memory`. */
  readonly facts?: string;
}

const RECENT_MAX = 10;

/** Projects that this browser opened from the machine of the server, the latest first. */
export const recentProjects = createPersistentStore<readonly RecentFiles[]>('entail.recent', [], areRecent, {
  isShared: true,
});

function areRecent(value: unknown): value is readonly RecentFiles[] {
  return Array.isArray(value) && value.every((each: Partial<RecentFiles> | null) => Array.isArray(each?.paths));
}

export function rememberRecent(project: RecentFiles): void {
  const key = project.paths.join();
  recentProjects.update((recent) => {
    const known = recent.find(({ paths }) => paths.join() === key);
    return [{ ...known, ...project }, ...recent.filter((each) => each !== known)].slice(0, RECENT_MAX);
  });
}

/** The files of the last project in memory, as saved. */
const lastHeldFiles = createPersistentStore<readonly SourceFile[]>('entail.held', [], areSources, { isShared: true });

function areSources(value: unknown): value is readonly SourceFile[] {
  const isSource = (each: unknown): boolean =>
    typeof each === 'object' && each !== null && 'file' in each && 'text' in each && typeof each.text === 'string';
  return Array.isArray(value) && value.every(isSource);
}

/** The files of a project in memory that this browser kept. */
export function useLastHeldFiles(): readonly SourceFile[] {
  return useStore(lastHeldFiles);
}

/** Used once, by the shell: remembers what is open, and reloads the page if the server has another project. */
export function useFollowProject(): void {
  const project = useProject();
  const held = useModuleInfo().data?.held === true;
  const sources = useSources().data;
  useEffect(() => {
    if (held && sources !== undefined && sources.length > 0) lastHeldFiles.set(sources);
  }, [held, sources]);
  useEffect(() => {
    if (project === undefined) return;
    const { name, paths, facts, failure } = project;
    if (isOtherProject(project)) loadFor(project.id);
    if (failure !== null) reportNotOpened(failure);
    if (host.projects === undefined && paths.length > 0) rememberRecent({ name, paths, facts: facts ?? 'memory' });
  }, [project]);
}

/** Once, because a host that names another project than its server would cause endless reloads. */
function loadFor(id: string): void {
  if (storedText('sessionStorage', LOADED_FOR) === id) return;
  storeText('sessionStorage', LOADED_FOR, id);
  window.location.assign('/module');
}

const LOADED_FOR = 'entail.loaded-for';

/** Whether the server can open other projects for this page. */
export function useMayOpen(): boolean {
  const project = useProject();
  const mayReload = useMissingGrant('reload') === undefined;
  return host.projects !== undefined || (project?.canOpen === true && mayReload);
}

/** One id, so that a new attempt replaces the toast of the last. */
export const NOT_OPENED = 'not-opened';

export function reportNotOpened(message: string, title = 'Could not open'): void {
  notifications.show({ id: NOT_OPENED, color: 'red', title, message, autoClose: false });
}
