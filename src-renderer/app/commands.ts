/** The commands of the page, each written once: the palette and the menus read this table. */

import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useLocation, useNavigate } from 'react-router';
import { currentFork, MAIN, placeOptions } from '../model/calls/place.js';
import { sortedForks } from '../model/facts/fork-names.js';
import {
  codeLocation,
  coverageLocation,
  dataLocation,
  docsLocation,
  forksLocation,
  historyLocation,
  historyOfLocation,
  queryLocation,
  settingsLocation,
  testsLocation,
} from '../model/facts/locations.js';
import { importLocation } from '../panels/data/import/import-location.js';
import { api } from '../server-state/api.js';
import { useCreateFork, useForkNames, useForks } from '../server-state/forks.js';
import { useReload } from '../server-state/save-module.js';
import { measureCoverage } from '../server-state/test-coverage.js';
import { useRunAllTests } from '../server-state/tests.js';
import { density } from '../state/density.js';
import { keysOf, reboundKeys } from '../state/shortcuts.js';
import { softWrap, toggleSoftWrap } from '../state/soft-wrap.js';
import { useStore } from '../state/store.js';
import { takeTour, tour } from '../tour/tour.js';
import { copyToken } from '../ui/copy-token.js';
import { bottomPane, problemsOpen, sendEditorCommand, usePreview, useSaveAll } from '../workspace/workspace.js';
import { queueEdit } from './host-events.js';
import { useProjectCommands } from './project-commands.js';

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Further words that find it. */
  readonly keywords?: string;
  /** As in the table of shortcuts; empty for none. */
  readonly keys?: string;
  readonly run: () => unknown;
}

export function useCommands(): readonly Command[] {
  return [
    ...useOpenCommands(),
    ...useModuleCommands(),
    ...useTestCommands(),
    ...useFactCommands(),
    ...usePageCommands(),
    ...useHelpCommands(),
  ];
}

/** The labels of a submenu say less than the palette has to. */
function useOpenCommands(): Command[] {
  const { open, samples, recent, change } = useProjectCommands();
  return [
    ...open,
    ...samples.map((command) => ({ ...command, label: `Open sample ${command.label}` })),
    ...recent.map((command) => ({ ...command, label: `Open recent ${command.label}` })),
    ...change,
  ];
}

function useModuleCommands(): Command[] {
  const navigate = useNavigate();
  const saveAll = useSaveAll();
  const preview = usePreview();
  const { mutateAsync: reload } = useReload();
  const rebound = useStore(reboundKeys);
  const isWrapping = useStore(softWrap);
  const toModule = (): void => void navigate('/module');
  return [
    {
      id: 'save',
      label: 'Save and reload',
      description: 'Build the sources and load them into the server',
      keywords: 'write compile deploy',
      keys: keysOf('save', rebound),
      run: () => void saveAll(),
    },
    {
      id: 'preview',
      label: 'Preview the save',
      description: 'See which conclusions a save will change',
      keywords: 'diff changes',
      run: () => {
        void preview();
        toModule();
      },
    },
    {
      id: 'saves',
      label: 'Show earlier saves',
      keywords: 'history versions restore undo',
      run: () => {
        bottomPane.set('saves');
        toModule();
      },
    },
    {
      id: 'format',
      label: 'Format the file',
      description: 'Apply the standard style',
      keywords: 'indent tidy prettify',
      keys: 'Shift+Alt+F',
      run: () => {
        sendEditorCommand('format');
        toModule();
      },
    },
    {
      id: 'softWrap',
      label: isWrapping ? 'Do not wrap long lines' : 'Wrap long lines',
      keywords: 'word soft wrap editor',
      keys: keysOf('softWrap', rebound),
      run: toggleSoftWrap,
    },
    {
      id: 'diagram',
      label: 'Show the diagram',
      description: 'Concepts and relations of the module',
      keywords: 'schema graph entity',
      run: () => void navigate('/module?view=diagram'),
    },
    {
      id: 'problems',
      label: 'Show or hide problems',
      keywords: 'errors warnings diagnostics',
      keys: keysOf('problems', rebound),
      run: () => problemsOpen.update((value) => !value),
    },
    {
      id: 'reload',
      label: 'Reload from disk',
      description: 'Load the module again from its files',
      run: () => report(reload(undefined), 'Could not reload', () => 'Module reloaded from disk.'),
    },
  ];
}

function useTestCommands(): Command[] {
  const navigate = useNavigate();
  const runAllTests = useRunAllTests();
  const isSourceShown = useIsSourceShown();
  return [
    ...(isSourceShown
      ? [
          {
            id: 'test',
            label: 'Run the test at the cursor',
            description: 'Runs the saved version',
            keywords: 'tests',
            keys: 'Alt+Shift+T',
            run: () => sendEditorCommand('runTest'),
          },
        ]
      : []),
    {
      id: 'tests',
      label: 'Run all tests',
      description: 'Tests of the module on the server',
      run: () => {
        void runAllTests();
        void navigate(testsLocation());
      },
    },
    {
      id: 'coverage',
      label: 'Measure coverage',
      description: 'Find clauses and callables without tests',
      run: () => {
        void measureCoverage();
        void navigate(coverageLocation());
      },
    },
  ];
}

/** The command needs a cursor, which only the text view has. */
function useIsSourceShown(): boolean {
  const { pathname, search } = useLocation();
  return pathname === '/module' && new URLSearchParams(search).get('view') !== 'diagram';
}

function useFactCommands(): Command[] {
  const navigate = useNavigate();
  const fork = useStore(currentFork);
  const nameOf = useForkNames();
  const open = sortedForks(useForks().data ?? []).filter(({ id, status }) => status === 'open' && id !== MAIN);
  const { mutateAsync: createFork } = useCreateFork();
  // Of the current fork, or else of the newest.
  const promoted = open.find(({ id }) => id === fork) ?? open[0];
  return [
    {
      id: 'new-query',
      label: 'New query',
      description: 'Open an empty tab in Query',
      keywords: 'ad-hoc create tab select',
      run: () => void emptyQueryTab().then((id) => navigate(queryLocation(id))),
    },
    {
      id: 'new-fork',
      label: `New fork of ${nameOf(fork)}`,
      description: 'Create it and switch to it',
      keywords: 'branch copy create what if try',
      run: () =>
        report(createFork({ from: fork }), 'Could not create a fork', ({ id }) => {
          currentFork.set(id);
          return `Switched to the new fork ${id}.`;
        }),
    },
    {
      id: 'import',
      label: 'Import a file',
      description: 'Load rows from CSV or JSON',
      keywords: 'upload spreadsheet excel add new',
      run: () => void navigate(importLocation('')),
    },
    {
      id: 'export',
      label: 'Export facts',
      description: 'Select a list in Data, then Export',
      keywords: 'download save csv json backup',
      run: () => void navigate(dataLocation()),
    },
    {
      id: 'undo',
      label: 'Undo the latest transaction…',
      description: `Shows what reverting it changes on ${nameOf(fork)}`,
      keywords: 'revert rollback back',
      run: () => void latestTransaction().then((txn) => navigate(revertingLocation(fork, txn))),
    },
    {
      id: 'history',
      label: `History of ${nameOf(fork)}`,
      description: 'Its transactions, the latest first',
      keywords: 'changes audit past who',
      run: () => void navigate(historyOfLocation(fork, undefined)),
    },
    {
      id: 'promote',
      label: promoted === undefined ? 'Promote a fork…' : `Promote ${nameOf(promoted.id)}…`,
      description:
        promoted === undefined ? 'Create a fork first' : `Shows what it changes on ${nameOf(promoted.parent ?? MAIN)}`,
      keywords: 'merge apply',
      run: () =>
        void navigate(promoted === undefined ? forksLocation() : `${forksLocation(promoted.id)}&sheet=promote`),
    },
    ...given(promoted, ({ id }) => ({
      id: 'compare',
      label: `Compare ${nameOf(id)}`,
      description: 'See what it changes',
      keywords: 'diff discard delete remove',
      run: () => void navigate(forksLocation(id)),
    })),
  ];
}

/** A static import would put the tabs into the first bundle. */
async function emptyQueryTab(): Promise<string> {
  const { newTab, queryTabs, withTab } = await import('../model/calls/query-tabs.js');
  const id = crypto.randomUUID();
  queryTabs.update((current) => withTab(current, newTab(id, '')));
  return id;
}

/** Undefined if the fork has no transactions, or if they cannot be read: its history says why. */
async function latestTransaction(): Promise<number | undefined> {
  const { signal } = new AbortController();
  try {
    const { result } = await api.transactions({ first: 1, limit: 1, ...placeOptions(signal) });
    return result[0]?.txn;
  } catch {
    return undefined;
  }
}

function revertingLocation(fork: string, txn: number | undefined): string {
  return txn === undefined
    ? historyOfLocation(fork, undefined)
    : `${historyLocation(fork, txn)}&sheet=undo-transaction`;
}

function usePageCommands(): Command[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const rebound = useStore(reboundKeys);
  const otherDensity = useStore(density) === 'compact' ? 'comfortable' : 'compact';
  return [
    {
      id: 'scheme',
      label: `Switch to ${other}`,
      keywords: 'theme mode colours colors appearance dark light',
      run: () => setColorScheme(other),
    },
    {
      id: 'system',
      label: 'Use the system appearance',
      keywords: 'theme mode colours colors dark light auto',
      run: () => setColorScheme('auto'),
    },
    {
      id: 'density',
      label: `Use ${otherDensity} rows`,
      keywords: 'density appearance height size',
      run: () => density.set(otherDensity),
    },
    {
      id: 'connect',
      label: 'Connect a client',
      description: 'Address, token and examples of calls',
      keywords: 'settings api curl http url openapi',
      run: () => void navigate(settingsLocation('connect')),
    },
    { id: 'token', label: 'Copy the API token', keywords: 'settings password', run: () => void copyToken() },
    {
      id: 'limits',
      label: 'Limits and grants',
      keywords: 'settings timeout capabilities',
      run: () => void navigate(settingsLocation('limits')),
    },
    {
      id: 'stored',
      label: 'Clear what is stored here',
      description: 'Drafts, arguments, history and layout',
      keywords: 'settings delete reset browser storage',
      run: () => void navigate(settingsLocation('kept')),
    },
    { id: 'back', label: 'Back', keywords: 'previous', keys: keysOf('back', rebound), run: () => void navigate(-1) },
    {
      id: 'forward',
      label: 'Forward',
      keywords: 'next',
      keys: keysOf('forward', rebound),
      run: () => void navigate(1),
    },
    { id: 'edit:undo', label: 'Undo typing', keys: 'Mod+Z', run: () => queueEdit('undo') },
    { id: 'edit:redo', label: 'Redo typing', keys: 'Mod+Shift+Z', run: () => queueEdit('redo') },
    { id: 'edit:selectAll', label: 'Select all', keys: 'Mod+A', run: () => queueEdit('selectAll') },
    {
      id: 'page',
      label: 'Reload the page',
      description: 'Your input is kept',
      keywords: 'refresh restart',
      run: () => window.location.reload(),
    },
  ];
}

/** The `?` menu shows these. */
export function useHelpCommands(): Command[] {
  const navigate = useNavigate();
  const { state } = useStore(tour);
  return [
    {
      id: 'docs',
      label: 'Docs',
      description: 'Guides and reference, also offline',
      keywords: 'help manual documentation learn',
      run: () => void navigate(docsLocation()),
    },
    {
      id: 'tour',
      label: 'Tour',
      description: state === 'running' ? 'Start it again' : 'Five short steps with the sample lease',
      keywords: 'help take the tour learn tutorial introduction getting started first new',
      run: takeTour,
    },
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      keywords: 'help keys hotkeys bindings settings',
      run: () => void navigate(settingsLocation('keyboard')),
    },
    {
      id: 'codes',
      label: 'Error codes',
      keywords: 'help errors failures reference',
      run: () => void navigate(codeLocation()),
    },
    {
      id: 'about',
      label: 'About',
      keywords: 'help version licence license entail',
      run: () => void navigate(settingsLocation('about')),
    },
  ];
}

/** Shows the outcome as a toast. The palette is closed by then, and React Query drops the callbacks of an unmounted component. */
function report<T>(work: Promise<T>, title: string, onDone: (result: T) => string): void {
  work.then(
    (result) => notifications.show({ message: onDone(result) }),
    (error: Error) => notifications.show({ color: 'red', title, message: error.message }),
  );
}

/** No commands if what they need is missing. */
function given<T>(needed: T | undefined, commandOf: (needed: T) => Command): Command[] {
  return needed === undefined ? [] : [commandOf(needed)];
}
