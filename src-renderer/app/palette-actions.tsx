/** The actions of the palette: panels, commands, callables, relations, forks, individuals and docs. */

import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { Entity } from '../../src-runtime/api/schemas/schemas.js';
import { callOfSaved, callTitle } from '../model/calls/calls.js';
import { currentFork, usePlace } from '../model/calls/place.js';
import { selectEnvironment, selectedEnvironment } from '../model/calls/variable-scope.js';
import { FORK_STATUS_WORDS, sortedForks } from '../model/facts/fork-names.js';
import { entityLabel } from '../model/facts/labels.js';
import {
  docsLocation,
  explainLocation,
  invokeLocation,
  runLocation,
  savedLocation,
  shortName,
} from '../model/facts/locations.js';
import { relationIndex } from '../model/facts/relation-index.js';
import { useCollections } from '../server-state/collections.js';
import { useEnvironments } from '../server-state/environments.js';
import { individualsWith, useIndividuals } from '../server-state/facts.js';
import { useForkNames, useForks } from '../server-state/forks.js';
import { useSchema } from '../server-state/module.js';
import { keysText } from '../state/shortcuts.js';
import { useStore } from '../state/store.js';
import { type Command, useCommands, useListedCommands } from './commands.js';

import { runWithFocus } from './host-events.js';
import type { PaletteGroup } from './palette-filter.js';
import { PANELS } from './panels.js';
import styles from './shell.module.css';

export interface PaletteAction {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly rightSection?: ReactNode;
  readonly onClick: () => void;
}

/** `query` searches individuals on the server, because there may be too many to list. */
export function usePaletteGroups(query: string): PaletteGroup<PaletteAction>[] {
  const commands = [...useCommands(), ...useListedCommands()].filter(({ id }) => id !== 'palette');
  return [
    { group: 'Panels', actions: commands.filter(isPanel).map(panelAction) },
    { group: 'Commands', actions: commands.filter((command) => !isPanel(command)).map(commandAction) },
    { group: 'Call', actions: useCallableActions() },
    { group: 'Saved calls', actions: useSavedActions() },
    { group: 'Explain', actions: useRelationActions() },
    { group: 'Forks', actions: useForkActions() },
    { group: 'Environments', actions: useEnvironmentActions() },
    { group: 'Individuals', actions: useIndividualActions(query) },
  ];
}

/** The panels, with what the rail says about them. */
function panelAction(command: Command): PaletteAction {
  const purpose = PANELS.find(({ name }) => command.id === `panel:${name}`)?.purpose ?? '';
  const { id, label, keywords = '', keys, run } = command;
  return { id, label, keywords: [purpose, keywords], rightSection: <Keys keys={keys} />, onClick: () => void run() };
}

/** Decorative: the palette runs an action without its keys. */
function Keys({ keys }: { keys: string }) {
  return (
    <kbd className={styles.paletteKind} aria-hidden>
      {keysText(keys)}
    </kbd>
  );
}

function useForkActions(): PaletteAction[] {
  const fork = useStore(currentFork);
  const nameOf = useForkNames();
  return sortedForks(useForks().data ?? [])
    .filter(({ id }) => id !== fork)
    .map(({ id, status }) => ({
      id: `fork:${id}`,
      label: nameOf(id),
      description:
        status === 'open' ? 'Switch to this fork' : `Switch to this fork (${FORK_STATUS_WORDS[status]}, read-only)`,
      keywords: ['fork', 'switch', id],
      onClick: () => currentFork.set(id),
    }));
}

function useEnvironmentActions(): PaletteAction[] {
  const { name: selected } = useStore(selectedEnvironment);
  const environments = useEnvironments().data ?? [];
  const others = environments.filter(({ name }) => name !== selected);
  const actions = others.map((environment) => ({
    id: `environment:${environment.name}`,
    label: environment.name,
    description: 'Use its variables in calls',
    keywords: ['environment', 'variables', 'switch'],
    onClick: () => selectEnvironment(environment),
  }));
  if (selected === '') return actions;
  return [...actions, { id: 'environment:', label: 'No environment', onClick: () => selectEnvironment(undefined) }];
}

function commandAction({ id, label, description, keywords = '', keys, run, needsFocus }: Command): PaletteAction {
  return {
    label,
    ...(description !== undefined && { description }),
    id: `command:${id}`,
    keywords: [keywords],
    rightSection: <Keys keys={keys} />,
    onClick: () => void (needsFocus === true ? runWithFocus(run) : run()),
  };
}

function isPanel({ id }: Command): boolean {
  return id.startsWith('panel:');
}

function useCallableActions(): PaletteAction[] {
  const navigate = useNavigate();
  const schema = useSchema().data;
  if (schema === undefined) return [];
  const callables = [
    ...schema.queries.map((callable) => ({ callable, kind: 'query' })),
    ...schema.mutations.map((callable) => ({ callable, kind: 'mutation' })),
    ...schema.functions.filter((callable) => !callable.extern).map((callable) => ({ callable, kind: 'function' })),
  ].filter(({ callable }) => callable.public);
  return callables.map(({ callable, kind }) => ({
    id: `call:${callable.path}`,
    label: shortName(callable.path),
    ...(callable.doc === undefined ? {} : { description: callable.doc }),
    keywords: [callable.path, kind],
    rightSection: <span className={styles.paletteKind}>{kind}</span>,
    onClick: () => void navigate(invokeLocation(callable.path)),
  }));
}

/** Pages of the docs and their headings. Empty until the docs are loaded. */
export function useDocsGroup(): PaletteGroup<PaletteAction> {
  const navigate = useNavigate();
  const { data: pages = [] } = useQuery({
    queryKey: ['docs'],
    queryFn: async () => (await import('../panels/docs/doc-pages.js')).DOC_PAGES,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const actions = pages.flatMap(({ id, title, sections }) =>
    sections.map(({ heading, anchor }) => ({
      id: `docs:${id}#${anchor}`,
      label: heading,
      description: heading === title ? 'Docs' : `Docs: ${title}`,
      onClick: () => void navigate(docsLocation(id, anchor)),
    })),
  );
  return { group: 'Docs', actions };
}

/** Calls and texts saved in files beside the module. */
function useSavedActions(): PaletteAction[] {
  const navigate = useNavigate();
  const collections = useCollections().data ?? [];
  return collections.flatMap(({ name: collection, calls }) => [
    ...(calls.length === 0
      ? []
      : [
          {
            id: `run:${collection}`,
            label: `Run ${collection}.calls.json`,
            description: 'Run all calls of the file in order',
            onClick: () => void navigate(runLocation(collection)),
          },
        ]),
    ...calls.map((call) => ({
      id: `saved:${collection}/${call.name}`,
      label: call.name,
      description: call.note ?? `${collection}.calls.json`,
      keywords: [collection, callTitle(callOfSaved(call).request)],
      onClick: () => void navigate(savedLocation(collection, call.name)),
    })),
  ]);
}

function useRelationActions(): PaletteAction[] {
  const navigate = useNavigate();
  const schema = useSchema().data;
  if (schema === undefined) return [];
  return [...relationIndex(schema).values()]
    .filter((info) => info.kind !== 'field')
    .map((info) => ({
      id: `explain:${info.path}`,
      label: shortName(info.path),
      ...(info.doc === undefined ? {} : { description: info.doc }),
      keywords: [info.path, info.kind],
      rightSection: <span className={styles.paletteKind}>{info.kind}</span>,
      onClick: () => void navigate(explainLocation(info.path)),
    }));
}

/** The first page of individuals, and those that the server finds for the query. */
function useIndividualActions(query: string): PaletteAction[] {
  const navigate = useNavigate();
  const known = useIndividuals(undefined).data;
  const [debounced] = useDebouncedValue(query, DEBOUNCE_MS);
  const found = useMatchingIndividuals(debounced, known?.nextCursor !== undefined && debounced !== '');
  const entities = new Map([...(known?.result ?? []), ...found].map((entity) => [entity.$id, entity]));
  return [...entities.values()].map((entity) => ({
    id: `individual:${entity.$id}`,
    label: entityLabel(entity),
    description: `${shortName(entity.$meta.type)} ${entity.$id}`,
    // The server searches all fields. The keyword keeps the palette's filter from dropping a match in a field that the
    // label lacks.
    keywords: found.includes(entity) ? [debounced] : [],
    onClick: () => void navigate(explainLocation(entity.$meta.type, [entity.$id])),
  }));
}

/** Debounce of the search on the server. */
const DEBOUNCE_MS = 150;
const MATCHES_PER_CONCEPT_MAX = 10;

/** The server accepts at most so many conditions. */
const WORDS_MAX = 16;

function wordsOf(text: string): string[] {
  return text.split(/\s+/).slice(0, WORDS_MAX);
}

/** Searches each root concept for individuals that have every word in some column. */
function useMatchingIndividuals(text: string, enabled: boolean): readonly Entity[] {
  const place = usePlace();
  const roots = (useSchema().data?.concepts ?? []).filter(({ parent }) => parent === null);
  const responses = useQueries({
    queries: (enabled ? roots : []).map(({ path }) => ({
      ...individualsWith(wordsOf(text), { classPath: path, limit: MATCHES_PER_CONCEPT_MAX, place }),
      retry: false,
    })),
  });
  return responses.flatMap(({ data }) => data?.result ?? []);
}
