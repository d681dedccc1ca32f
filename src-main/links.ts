/**
 * Addresses `entail://PANEL?PARAMETERS`, which other programs may open. Any web page can contain one, so they navigate to an address
 * of the page and do nothing else: page addresses show a state, they never run a call, write or open a file.
 */

import type { App, BrowserWindow } from 'electron';
import { GO_TO } from './bridge-channels.js';
import { WORKBENCH_ORIGIN } from './workbench-address.js';

const PANELS: ReadonlySet<string> = new Set(
  'module invoke query data explain forks checks tests log settings docs'.split(' '),
);

const LENGTH_MAX = 2_000;

/** The page's address for a link; undefined for anything that is not exactly a panel with parameters. */
export function panelAddress(link: string): string | undefined {
  if (link.length > LENGTH_MAX || !/^entail:\/\/[\x21-\x7e]+$/i.test(link) || !URL.canParse(link)) return undefined;
  const { hostname, pathname, search, username, password, port } = new URL(link);
  // URLs keep the case of a host if they do not know the scheme.
  const panel = hostname.toLowerCase();
  if (!PANELS.has(panel) || (pathname !== '' && pathname !== '/')) return undefined;
  if (username !== '' || password !== '' || port !== '') return undefined;
  // A fragment could hold a token for the page.
  return `/${panel}${search}`;
}

/** The part of Electron's `app` that is used here. */
export type LinkMessages = Pick<App, 'on'>;

/** Listens at once; `args` are those of this start. The callback gets the last link so far, and then each one. */
export function openedLinks(application: LinkMessages, args: readonly string[]) {
  let waiting = lastPlace(args);
  let show: ((place: string) => void) | undefined;

  function add(place: string | undefined): void {
    waiting = place ?? waiting;
    if (show === undefined || waiting === undefined) return;
    show(waiting);
    waiting = undefined;
  }

  application.on('open-url', (event, link) => {
    event.preventDefault();
    add(panelAddress(link));
  });
  application.on('second-instance', (_event, [_program, ...more]) => add(lastPlace(more)));
  return {
    follow(callback: (place: string) => void): void {
      show = callback;
      add(undefined);
    },
  };
}

function lastPlace(args: readonly string[]): string | undefined {
  return args.map(panelAddress).findLast((place) => place !== undefined);
}

/** A page that is still loading does not listen yet. */
export function showPlace(window: BrowserWindow, place: string): void {
  if (window.webContents.isLoadingMainFrame())
    void window.loadURL(`${WORKBENCH_ORIGIN}${place}`).catch(() => undefined);
  else window.webContents.send(GO_TO, place);
}
