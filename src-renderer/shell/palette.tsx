/** The palette (Ctrl/Cmd+K): panels, commands, callables, relations, forks and individuals under one search. */

import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { sortedForks, useForks } from '../data/forks.js';
import { entityLabel } from '../data/labels.js';
import { explainLocation, invokeLocation, shortName, testsLocation } from '../data/locations.js';
import { currentFork } from '../data/place.js';
import { useIndividuals, useReload, useSchema } from '../data/queries.js';
import { relationIndex } from '../data/relation-index.js';
import { useShortcuts } from '../data/shortcuts.js';
import { useStore } from '../data/store.js';
import { useRunAllTests } from '../data/tests.js';
import { useSaveAll, wishToFormat } from '../data/workspace.js';
import { host } from '../host/current-host.js';
import { usePlaceOfPanel } from './panel-places.js';
import { PANELS } from './panels.js';

export function Palette() {
  const groups: SpotlightActionGroupData[] = [
    { group: 'Panels', actions: usePanelActions() },
    { group: 'Commands', actions: useCommandActions() },
    { group: 'Call', actions: useCallableActions() },
    { group: 'Explain', actions: useRelationActions() },
    { group: 'Forks', actions: useForkActions() },
    { group: 'Individuals', actions: useIndividualActions() },
  ];
  useShortcuts({ palette: spotlight.toggle });
  return (
    <Spotlight
      actions={groups.filter((group) => group.actions.length > 0)}
      attributes={{ content: { 'aria-label': 'Go to or run' } }}
      shortcut={null}
      limit={40}
      scrollable
      maxHeight={420}
      size={620}
      nothingFound="Nothing of that name"
      highlightQuery
      // The page itself never scrolls, so nothing needs locking; locking would add a style that the page's policy forbids.
      lockScroll={false}
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      transitionProps={{ duration: 80 }}
      radius="lg"
      searchProps={{
        placeholder: 'Panel, command, callable, relation, fork or individual',
        'aria-label': 'Go to or run',
        leftSection: <IconSearch size={16} aria-hidden />,
      }}
    />
  );
}

function usePanelActions(): SpotlightActionData[] {
  const navigate = useNavigate();
  const placeOf = usePlaceOfPanel();
  return PANELS.map(({ to, name }) => ({
    id: `panel:${name}`,
    label: name,
    onClick: () => void navigate(placeOf(to)),
  }));
}

/** Switching to a fork, and to `main`. */
function useForkActions(): SpotlightActionData[] {
  const fork = useStore(currentFork);
  return sortedForks(useForks().data ?? [])
    .filter(({ id }) => id !== fork)
    .map(({ id, status }) => ({
      id: `fork:${id}`,
      label: id,
      description: status === 'open' ? 'Look at it and write to it' : `Look at it; it is ${status}`,
      keywords: ['fork', 'switch'],
      onClick: () => currentFork.set(id),
    }));
}

function useCommandActions(): SpotlightActionData[] {
  const navigate = useNavigate();
  const saveAll = useSaveAll();
  const reload = useReload();
  const runAllTests = useRunAllTests();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const actions: SpotlightActionData[] = [
    {
      id: 'command:save',
      label: 'Save and reload',
      description: 'Build the sources and run them',
      onClick: () => void saveAll(),
    },
    {
      id: 'command:format',
      label: 'Format the file',
      description: 'Write it in the one style of the language',
      onClick: () => {
        wishToFormat();
        void navigate('/module');
      },
    },
    {
      id: 'command:reload',
      label: 'Reload from disk',
      description: 'Read the module again from where the server was started with it',
      onClick: () =>
        reload.mutate(undefined, {
          onSuccess: () => notifications.show({ message: 'The server runs the module as it is on disk.' }),
          onError: (error) => notifications.show({ color: 'red', title: 'Not reloaded', message: error.message }),
        }),
    },
    {
      id: 'command:tests',
      label: 'Run all tests',
      description: 'Those of the module that the server runs',
      onClick: () => {
        void runAllTests();
        void navigate(testsLocation());
      },
    },
    { id: 'command:scheme', label: `Switch to ${other}`, onClick: () => setColorScheme(other) },
    { id: 'command:system', label: 'Follow the system’s appearance', onClick: () => setColorScheme('auto') },
    {
      id: 'command:token',
      label: 'Copy the API token',
      onClick: () => {
        void host.copyToken().then(
          () => notifications.show({ message: 'The token is on the clipboard.' }),
          () => notifications.show({ color: 'red', message: 'The clipboard refused the token.' }),
        );
      },
    },
  ];
  const open = host.openModuleFiles;
  if (open !== undefined) {
    actions.unshift({ id: 'command:open', label: 'Open module files', onClick: () => void open() });
  }
  return actions;
}

function useCallableActions(): SpotlightActionData[] {
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
    rightSection: <span className="palette-kind">{kind}</span>,
    onClick: () => void navigate(invokeLocation(callable.path)),
  }));
}

function useRelationActions(): SpotlightActionData[] {
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
      rightSection: <span className="palette-kind">{info.kind}</span>,
      onClick: () => void navigate(explainLocation(info.path)),
    }));
}

function useIndividualActions(): SpotlightActionData[] {
  const navigate = useNavigate();
  const entities = useIndividuals(undefined).data?.result ?? [];
  return entities.map((entity) => ({
    id: `individual:${entity.$id}`,
    label: entityLabel(entity),
    description: `${shortName(entity.$meta.type)} ${entity.$id}`,
    onClick: () => void navigate(explainLocation(entity.$meta.type, [entity.$id])),
  }));
}
