/**
 * The frame of the page: rail, top bar, the open panel, problems and status line. Follows server state and compiles
 * drafts.
 */

import { ActionIcon } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { Outlet, useLocation, useNavigate, useSearchParams } from 'react-router';
import { DiagnosticList } from '../domain/failure/diagnostic-list.js';
import { host } from '../host/current-host.js';
import type { RuntimeState } from '../host/host.js';
import { currentFork, currentMoment, MAIN } from '../model/calls/place.js';
import { FORK_PARAMETER, MOMENT_PARAMETER } from '../model/facts/locations.js';
import { useFollowEnvironment } from '../server-state/environments.js';
import { useForkNames } from '../server-state/forks.js';
import { useHealth } from '../server-state/health.js';
import { lastWrite, refreshModule, useLiveUpdates } from '../server-state/live.js';
import { loadPart } from '../server-state/load-part.js';
import { useModuleInfo } from '../server-state/module.js';
import { isSilent } from '../server-state/query-client.js';
import { useWatchedTests } from '../server-state/tests.js';
import { followDensity } from '../state/density.js';
import { openName, titleOf } from '../state/page-title.js';
import { useShortcuts } from '../state/shortcuts.js';
import { useStore } from '../state/store.js';
import { FLOATING_ID } from '../theme/theme.js';
import { TOUR_SAMPLE, tour } from '../tour/tour.js';
import { firstTabbable } from '../ui/first-tabbable.js';
import { focusMainPart, MAIN_PART_ID, useFocusOfBusy, useFocusOfPanel } from '../ui/lost-focus.js';
import { Pane, Panes } from '../ui/panes/panes.js';
import { scrollStackTo } from '../ui/panes/stack-scroll.js';
import { compileState, useLiveCompile } from '../workspace/compiler.js';
import { useFollowProject } from '../workspace/project.js';
import { livePane, problemsOpen, useSaveAll, useWorkFiles } from '../workspace/workspace.js';
import { useLinkFocusOnReturn } from './focus-restoration.js';
import { useHostEvents } from './host-events.js';
import { useLastLocation, useRememberLocations } from './last-locations.js';
import { Palette } from './palette.js';
import { PANELS } from './panels.js';
import { ProjectSheets } from './project-menu.js';
import { Rail } from './rail.js';
import type { ServerStatus } from './server-status.js';
import { serverStatus } from './server-status.js';
import styles from './shell.module.css';
import { StatusLine } from './status-line.js';
import { TopBar } from './top-bar.js';

export function Shell() {
  useFollowEnvironment();
  useLiveUpdates();
  useWatchedTests();
  useFollowProject();
  useLayoutEffect(() => followDensity(document.documentElement), []);
  const status = useServerStatus();
  const open = useStore(problemsOpen);
  return (
    <div className={styles.shell}>
      <a className={styles.skipLink} href={`#${MAIN_PART_ID}`}>
        Skip to the panel
      </a>
      <Rail />
      <TopBar status={status} />
      <main id={MAIN_PART_ID} className={styles.shellMiddle} tabIndex={-1}>
        <PastPlace />
        <TourPlace />
        <div className={styles.shellBody}>
          <Panes
            id="shell"
            orientation="vertical"
            stacks
            panes={[
              {
                id: 'panel',
                minSize: 200,
                content: (
                  <div className={styles.shellPanel}>
                    <PanelHeading />
                    <Outlet />
                  </div>
                ),
              },
              ...(open
                ? [
                    {
                      ...{ id: 'problems', size: 168, minSize: 72, fixed: true, stackedHeight: 168 },
                      content: <Problems onClose={closeProblems} />,
                    },
                  ]
                : []),
            ]}
          />
        </div>
        <Floating />
      </main>
      <StatusLine server={status} problemsOpen={open} onToggleProblems={() => problemsOpen.update((value) => !value)} />
      <Palette />
      <ProjectSheets />
      <PageEffects />
      <PageTitle />
      {host.kind === 'electron' && (
        <Suspense>
          <MenuCommands />
        </Suspense>
      )}
    </div>
  );
}

/** Loads the notice if the page reads the past, or a link to it is followed. */
function PastPlace() {
  const { search } = useLocation();
  const moment = useStore(currentMoment);
  if (moment === undefined && !search.includes(`${MOMENT_PARAMETER}=`)) return null;
  return (
    <Suspense>
      <PastNotice />
    </Suspense>
  );
}

const PastNotice = lazy(async () => ({
  default: (await loadPart(() => import('../domain/past/past-notice.js'))).PastNotice,
}));

/** Loads the tour if it was started, or if it is offered: in Module, while the sample is open. */
function TourPlace() {
  const { state } = useStore(tour);
  const { pathname } = useLocation();
  const modules = useModuleInfo().data?.modules;
  const isOffered = pathname === '/module' && modules?.some(({ name }) => name === TOUR_SAMPLE) === true;
  if (state === 'dismissed' || (state === 'offered' && !isOffered)) return null;
  return (
    <Suspense>
      <TourCard />
    </Suspense>
  );
}

const TourCard = lazy(async () => ({
  default: (await loadPart(() => import('../tour/tour-card.js'))).TourCard,
}));

const MenuCommands = lazy(async () => ({
  default: (await loadPart(() => import('./menu-commands.js'))).MenuCommands,
}));

/** Effects that depend on each key typed. In a component without output, they do not render the frame again. */
function PageEffects() {
  const { files } = useWorkFiles();
  useLiveCompile(files);
  useForkParameter();
  useRememberLocations();
  useShellShortcuts();
  useHostEvents();
  useFocusOfPanel();
  useLinkFocusOnReturn();
  useFocusOfBusy();
  useWriteToasts();
  return null;
}

/** Menus, dialogs and toasts belong to the main landmark, where screen readers look for them. */
function Floating() {
  return (
    <>
      <div id={FLOATING_ID} />
      <Notifications position="bottom-right" autoClose={4000} limit={3} withinPortal={false} />
    </>
  );
}

/** Loaded with the first write. */
function useWriteToasts(): void {
  useEffect(
    () =>
      lastWrite.subscribe(() => {
        void loadPart(() => import('../domain/calls/write-toast.js')).then(({ showWriteToast }) => showWriteToast());
      }),
    [],
  );
}

function PageTitle() {
  const panel = usePanelName();
  const open = useStore(openName);
  const fork = useStore(currentFork);
  const nameOf = useForkNames();
  const modules = useModuleInfo().data?.modules.map(({ name }) => name) ?? [];
  const title = titleOf({ panel, open, modules: modules.join(', '), fork: fork === MAIN ? undefined : nameOf(fork) });
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}

function usePanelName(): string | undefined {
  const { pathname } = useLocation();
  if (pathname.startsWith('/docs')) return 'Docs';
  return PANELS.find((panel) => panel.to === pathname)?.name;
}

/** Screen readers look for the heading of the page. Others see the rail. */
function PanelHeading() {
  return <h1 className="visually-hidden">{usePanelName() ?? 'Entail'}</h1>;
}

function closeProblems(): void {
  problemsOpen.set(false);
}

function useShellShortcuts(): void {
  const navigate = useNavigate();
  const locationOf = useLastLocation();
  const saveAll = useSaveAll();
  useEffect(() => rememberPaneFocus(), []);
  useShortcuts({
    save: () => void saveAll(),
    back: () => void navigate(-1),
    forward: () => void navigate(1),
    problems: () => problemsOpen.update((value) => !value),
    live: () => livePane.update((value) => !value),
    nextPane: () => focusPane(1),
    previousPane: () => focusPane(-1),
    ...Object.fromEntries(
      PANELS.map(({ to, name }) => [
        `panel:${name}`,
        () => {
          void navigate(locationOf(to));
          focusMainPart();
        },
      ]),
    ),
  });
}

/** Switches to the fork named in the address, and removes the parameter. */
function useForkParameter(): void {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get(FORK_PARAMETER);
  useEffect(() => {
    if (wanted === null) return;
    currentFork.set(wanted);
    setSearch(
      (current) => {
        current.delete(FORK_PARAMETER);
        return current;
      },
      { replace: true },
    );
  }, [wanted, setSearch]);
}

/** The problems of all files, errors first. */
function Problems({ onClose }: { onClose: () => void }) {
  const { diagnostics, status } = useStore(compileState);
  const sorted = [...diagnostics].sort((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'));
  return (
    <Pane
      title="Problems"
      actions={
        <ActionIcon aria-label="Close problems" onClick={onClose}>
          <IconX size={14} />
        </ActionIcon>
      }
    >
      {sorted.length === 0 ? (
        <p className="pane-padded dim">
          {status === 'failed' ? 'The compiler stopped. It restarts as you type.' : 'No problems.'}
        </p>
      ) : (
        <DiagnosticList diagnostics={sorted} />
      )}
    </Pane>
  );
}

function notifyStopped(message: string): void {
  notifications.show({ id: 'runtime-stopped', message, color: 'red', autoClose: false });
}

function useServerStatus(): ServerStatus {
  const health = useHealth();
  const [hostState, setHostState] = useState<RuntimeState>();
  const client = useQueryClient();
  useEffect(() => {
    let wasAway = false;
    return host.onRuntimeState((state) => {
      setHostState(state);
      // The runtime may be back before anyone reads the status line, and the interrupted request only says that there
      // was no response.
      if (state.state === 'restarting' && state.message !== undefined) notifyStopped(state.message);
      const isReady = state.state === 'ready';
      // The new runtime may serve other files, or say why it serves none.
      if (isReady && wasAway) void refreshModule(client);
      // The runtime is back: ask for its health now instead of at the next interval.
      else if (isReady && isSilent()) void client.invalidateQueries({ queryKey: ['health'] });
      wasAway = !isReady;
    });
  }, [client]);
  return serverStatus({ data: health.data, error: health.error }, hostState);
}

const PANES = 'nav[aria-label="Panels"], [data-frame], main .pane';
const lastFocused = new WeakMap<Element, HTMLElement>();

/** Remembers the focused element of each pane. Returns a function that stops it. */
function rememberPaneFocus(): () => void {
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return;
    const pane = target.closest(PANES);
    if (pane !== null) lastFocused.set(pane, target);
  };
  document.addEventListener('focusin', onFocus);
  return () => document.removeEventListener('focusin', onFocus);
}

/**
 * Moves the focus to the next or previous pane, cyclically. From outside all panes, it moves to the nearest in document
 * order.
 */
function focusPane(step: 1 | -1): void {
  const panes = [...document.querySelectorAll(PANES)].filter((pane) => firstTabbable(pane) !== undefined);
  if (panes.length === 0) return;
  const here = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  const next = here < 0 ? adjacentPane(panes, step) : panes[(here + step + panes.length) % panes.length];
  if (next === undefined) return;
  const remembered = lastFocused.get(next);
  const target = remembered?.isConnected && next.contains(remembered) ? remembered : firstTabbable(next);
  target?.focus();
  const stacked = target?.closest('[data-stack-pane]');
  if (!stacked) return;
  scrollStackTo(stacked);
  // A pane may be higher than the page.
  target?.scrollIntoView({ block: 'nearest' });
}

/** The pane after or before the focused element in document order. A panel itself has the focus after a navigation. */
function adjacentPane(panes: readonly Element[], step: 1 | -1): Element | undefined {
  const from = document.activeElement ?? document.body;
  const { DOCUMENT_POSITION_FOLLOWING: following, DOCUMENT_POSITION_PRECEDING: preceding } = Node;
  if (step === 1) return panes.find((pane) => (from.compareDocumentPosition(pane) & following) !== 0) ?? panes[0];
  return panes.findLast((pane) => (from.compareDocumentPosition(pane) & preceding) !== 0) ?? panes.at(-1);
}
