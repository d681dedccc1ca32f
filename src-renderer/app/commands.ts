/** The commands of the palette and the menus, with their actions. Their labels and keys are in the table of menus. */

import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { host } from '../host/current-host.js';
import { type CommandEntry, commandsOn, isHostCommand, type PageCommandId } from '../host/menus.js';
import { currentFork, currentMoment, MAIN, placeOptions, timelineOpen } from '../model/calls/place.js';
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
import { keysOf, reboundKeys, runShortcut, SHORTCUTS } from '../state/shortcuts.js';
import { softWrap, toggleSoftWrap } from '../state/soft-wrap.js';
import { useStore } from '../state/store.js';
import { takeTour, tour } from '../tour/tour.js';
import { copyToken } from '../ui/copy-token.js';
import {
  bottomPane,
  livePane,
  problemsOpen,
  sendEditorCommand,
  usePreview,
  useSaveAll,
} from '../workspace/workspace.js';
import { pressInEditor, pressKeys, runEdit } from './key-presses.js';
import { useLastLocation } from './last-locations.js';
import { PANELS } from './panels.js';
import { useProjectActions, useRecentCommands, useSampleCommands } from './project-commands.js';

/** What a command does now, and what the palette says instead of the table. */
export interface Action {
  readonly run: () => unknown;
  readonly label?: string;
  readonly description?: string;
  /** It acts on the focused element. */
  readonly needsFocus?: true;
  /** For toggles. */
  readonly isOn?: boolean;
}

export interface Command extends Pick<CommandEntry, 'description' | 'keywords'>, Action {
  readonly id: string;
  readonly label: string;
  /** As in the table of shortcuts; empty for none. */
  readonly keys: string;
}

/** Undefined for a command that the page cannot run now. */
type Actions<Id extends string = PageCommandId> = Readonly<Record<Id, Action | undefined>>;

/** Those that this page can run now, in the order of the menus. */
export function useCommands(): readonly Command[] {
  const rebound = useStore(reboundKeys);
  const actions: Actions = {
    ...usePanelActions(),
    ...useProjectActions(),
    ...useModuleActions(),
    ...useTestActions(),
    ...useFactActions(),
    ...useEditActions(),
    ...usePageActions(),
    ...useHelpActions(),
  };
  const byId = new Map<string, Action | undefined>(Object.entries(actions));
  return commandsOn(host.desktop?.system ?? 'others').flatMap((entry) => {
    const action = isHostCommand(entry.id) ? hostAction(entry.id) : byId.get(entry.id);
    if (action === undefined || (entry.isOfBrowser === true && host.kind !== 'browser')) return [];
    return [{ ...entry, ...action, keys: keysIn(entry, rebound) }];
  });
}

function keysIn(entry: CommandEntry, rebound: Parameters<typeof keysOf>[1]): string {
  const shortcut = SHORTCUTS.find(({ id }) => id === entry.shortcut);
  if (shortcut !== undefined) return keysOf(shortcut.id, rebound);
  const keys = host.desktop?.system === 'mac' ? (entry.macKeys ?? entry.keys) : entry.keys;
  // Without native menus, a browser has other uses for the rest.
  return host.kind === 'electron' || entry.areOfPage === true ? (keys ?? '') : '';
}

function hostAction(id: Parameters<NonNullable<typeof host.desktop>['run']>[0]): Action | undefined {
  const { desktop } = host;
  return desktop && { run: () => desktop.run(id), needsFocus: true };
}

function usePanelActions(): Actions<Extract<PageCommandId, `panel:${string}`>> {
  const navigate = useNavigate();
  const locationOf = useLastLocation();
  const actions = PANELS.map(({ to, name }) => [`panel:${name}`, { run: () => void navigate(locationOf(to)) }]);
  return Object.fromEntries(actions) as ReturnType<typeof usePanelActions>;
}

function useModuleActions() {
  const navigate = useNavigate();
  const saveAll = useSaveAll();
  const preview = usePreview();
  const { mutateAsync: reload } = useReload();
  const isLive = useStore(livePane);
  const toModule = (): void => void navigate('/module');
  return {
    save: { run: () => void saveAll() },
    preview: {
      run: () => {
        void preview();
        toModule();
      },
    },
    saves: {
      run: () => {
        bottomPane.set('saves');
        toModule();
      },
    },
    format: {
      run: () => {
        sendEditorCommand('format');
        toModule();
      },
    },
    diagram: { run: () => void navigate('/module?view=diagram') },
    problems: { run: () => problemsOpen.update((value) => !value) },
    live: {
      isOn: isLive,
      run: () => {
        livePane.update((value) => !value);
        toModule();
      },
    },
    reload: { run: () => report(reload(undefined), 'Could not reload', () => 'Module reloaded from disk.') },
  } satisfies Partial<Actions>;
}

function useTestActions() {
  const navigate = useNavigate();
  const runAllTests = useRunAllTests();
  const isSourceShown = useIsSourceShown();
  return {
    test: isSourceShown ? { run: () => sendEditorCommand('runTest') } : undefined,
    tests: {
      run: () => {
        void runAllTests();
        void navigate(testsLocation());
      },
    },
    coverage: {
      run: () => {
        void measureCoverage();
        void navigate(coverageLocation());
      },
    },
  } satisfies Partial<Actions>;
}

/** The command needs a cursor, which only the text view has. */
function useIsSourceShown(): boolean {
  const { pathname, search } = useLocation();
  return pathname === '/module' && new URLSearchParams(search).get('view') !== 'diagram';
}

function useFactActions() {
  const navigate = useNavigate();
  const fork = useStore(currentFork);
  const moment = useStore(currentMoment);
  const nameOf = useForkNames();
  const open = sortedForks(useForks().data ?? []).filter(({ id, status }) => status === 'open' && id !== MAIN);
  const { mutateAsync: createFork } = useCreateFork();
  // Of the current fork, or else of the newest.
  const promoted = open.find(({ id }) => id === fork) ?? open[0];
  return {
    'new-query': { run: () => void emptyQueryTab().then((id) => navigate(queryLocation(id))) },
    'new-fork': {
      label: `New fork of ${nameOf(fork)}`,
      run: () =>
        report(createFork({ from: fork }), 'Could not create a fork', ({ id }) => {
          currentFork.set(id);
          return `Switched to the new fork ${id}.`;
        }),
    },
    import: { run: () => void navigate(importLocation('')) },
    export: { run: () => void navigate(dataLocation()) },
    'download-backup': { run: () => import('../workspace/download-backup.js').then((part) => part.downloadBackup()) },
    'undo-transaction': {
      description: `Shows what reverting it changes on ${nameOf(fork)}`,
      run: () => void latestTransaction().then((txn) => navigate(revertingLocation(fork, txn))),
    },
    timeline: { run: () => timelineOpen.set(true) },
    now: moment === undefined ? undefined : { run: () => currentMoment.set(undefined) },
    history: {
      label: `History of ${nameOf(fork)}`,
      run: () => void navigate(historyOfLocation(fork, undefined)),
    },
    promote:
      promoted === undefined
        ? { description: 'Create a fork first', run: () => void navigate(forksLocation()) }
        : {
            label: `Promote ${nameOf(promoted.id)}…`,
            description: `Shows what it changes on ${nameOf(promoted.parent ?? MAIN)}`,
            run: () => void navigate(`${forksLocation(promoted.id)}&sheet=promote`),
          },
    compare: promoted && {
      label: `Compare ${nameOf(promoted.id)}`,
      run: () => void navigate(forksLocation(promoted.id)),
    },
  } satisfies Partial<Actions>;
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

function useEditActions() {
  const isWrapping = useStore(softWrap);
  const { pathname } = useLocation();
  const hasEditor = useIsSourceShown() || pathname === '/query';
  const focused = (run: () => unknown): Action => ({ run, needsFocus: true });
  const inEditor = (keys: string): Action | undefined => (hasEditor ? focused(() => pressInEditor(keys)) : undefined);
  const isMac = host.desktop?.system === 'mac';
  return {
    // The palette has another command that undoes.
    undo: { ...focused(() => runEdit('undo')), label: 'Undo typing' },
    redo: { ...focused(() => runEdit('redo')), label: 'Redo typing' },
    'select-all': focused(() => runEdit('selectAll')),
    find: focused(() => pressKeys('Mod+F') || pressInEditor('Mod+F')),
    replace: inEditor(isMac ? 'Mod+Alt+F' : 'Mod+H'),
    'find-next': inEditor('Mod+G'),
    'find-previous': inEditor('Mod+Shift+G'),
    'add-cursor-above': inEditor('Mod+Alt+ArrowUp'),
    'add-cursor-below': inEditor('Mod+Alt+ArrowDown'),
    'next-occurrence': inEditor('Mod+D'),
    'all-occurrences': inEditor('Mod+Shift+L'),
    'move-line-up': inEditor('Alt+ArrowUp'),
    'move-line-down': inEditor('Alt+ArrowDown'),
    'copy-line-up': inEditor('Alt+Shift+ArrowUp'),
    'copy-line-down': inEditor('Alt+Shift+ArrowDown'),
    'toggle-comment': inEditor('Mod+/'),
    wrap: {
      label: isWrapping ? 'Do not wrap long lines' : 'Wrap long lines',
      isOn: isWrapping,
      run: toggleSoftWrap,
    },
    run: focused(() => runShortcut('run')),
    'dry-run': focused(() => runShortcut('dryRun')),
    'close-tab': focused(() => runShortcut('closeTab')),
  } satisfies Partial<Actions>;
}

function usePageActions() {
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const isCompact = useStore(density) === 'compact';
  const otherDensity = isCompact ? 'comfortable' : 'compact';
  return {
    palette: { run: () => runShortcut('palette') },
    scheme: { label: `Switch to ${other}`, run: () => setColorScheme(other) },
    system: { isOn: colorScheme === 'auto', run: () => setColorScheme('auto') },
    density: { label: `Use ${otherDensity} rows`, isOn: isCompact, run: () => density.set(otherDensity) },
    connect: { run: () => void navigate(settingsLocation('connect')) },
    'copy-token': { run: () => void copyToken() },
    limits: { run: () => void navigate(settingsLocation('limits')) },
    stored: { run: () => void navigate(settingsLocation('kept')) },
    back: { run: () => void navigate(-1) },
    forward: { run: () => void navigate(1) },
    'reload-page': { run: () => window.location.reload() },
  } satisfies Partial<Actions>;
}

function useHelpActions() {
  const navigate = useNavigate();
  const { state } = useStore(tour);
  return {
    docs: { run: () => void navigate(docsLocation()) },
    tour: { ...(state === 'running' && { description: 'Start it again' }), run: takeTour },
    shortcuts: { run: () => void navigate(settingsLocation('keyboard')) },
    'error-codes': { run: () => void navigate(codeLocation()) },
    about: { label: 'About', run: () => void navigate(settingsLocation('about')) },
  } satisfies Partial<Actions>;
}

/** The commands of a list: samples, recent projects and other windows. */
export function useListedCommands(): readonly Command[] {
  const prefixed = (commands: readonly Command[], prefix: string): Command[] =>
    commands.map((command) => ({ ...command, label: `${prefix} ${command.label}` }));
  // The labels of a submenu say less than the palette has to.
  return [
    ...prefixed(useSampleCommands(), 'Open sample'),
    ...prefixed(useRecentCommands(), 'Open recent'),
    ...prefixed(useWindowCommands(), 'Show window'),
  ];
}

function useWindowCommands(): Command[] {
  const { desktop } = host;
  const others = useQuery({
    queryKey: ['windows'],
    queryFn: () => desktop?.windows() ?? [],
    enabled: desktop !== undefined,
    staleTime: 0,
  });
  return (others.data ?? []).map(({ id, title }) => ({
    id: `window:${id}`,
    label: title,
    keys: '',
    run: () => desktop?.showWindow(id),
  }));
}

/** Shows the outcome as a toast. The palette is closed by then, and React Query drops the callbacks of an unmounted component. */
function report<T>(work: Promise<T>, title: string, onDone: (result: T) => string): void {
  work.then(
    (result) => notifications.show({ message: onDone(result) }),
    (error: Error) => notifications.show({ color: 'red', title, message: error.message }),
  );
}
