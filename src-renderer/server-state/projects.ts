/** The open project, and opening another in its place. */

import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ProjectInfo } from '../../src-runtime/api/schemas/project-schemas.js';
import { project as projectOfPage } from '../state/page-storage.js';
import { api } from './api.js';

export const PROJECT = queryOptions({
  queryKey: ['project'],
  queryFn: ({ signal }) => api.project({ signal }).then(({ result }) => result),
  staleTime: Number.POSITIVE_INFINITY,
});

export function useProject(): ProjectInfo | undefined {
  return useQuery(PROJECT).data;
}

/** True if the page was loaded with another project, whose drafts and forms it shows. */
export function isOtherProject({ id }: ProjectInfo): boolean {
  return projectOfPage !== '' && id !== projectOfPage;
}

const INTERVAL_MS = 100;
const RESTART_MS = 60_000;

/** Sends a request that opens a project. Resolves once the server has restarted with it. */
export async function opened(request: () => Promise<{ readonly result: ProjectInfo }>): Promise<ProjectInfo> {
  const { instance } = (await request()).result;
  const end = Date.now() + RESTART_MS;
  while (Date.now() < end) {
    const answer = await api.project().catch(() => undefined);
    if (answer !== undefined && answer.result.instance !== instance) return answer.result;
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
  throw new Error('The server did not restart with the project. Its log says why.');
}
