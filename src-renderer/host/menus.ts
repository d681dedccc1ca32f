/**
 * The menus of the desktop as data: every command with its label, and where it is. The main process makes the native menus from this
 * table, and the page the palette, so that both show the same commands. Imports nothing, because both processes load it.
 */

export interface CommandEntry {
  readonly id: string;
  /** In the palette; menus capitalize it. */
  readonly label: string;
  readonly description?: string;
  /** Further words that find it. */
  readonly keywords?: string;
  /** The page's shortcut for it, whose keys the user can change. */
  readonly shortcut?: string;
  /** Fixed keys, as in the table of shortcuts. The native item shows these. */
  readonly keys?: string;
  readonly macKeys?: string;
  /** An editor or the page handles the keys, so that the menu only shows them. */
  readonly areOfPage?: true;
  /** Electron's behaviour of the native item. */
  readonly role?: NativeRole;
  /** The main process runs it, only on the desktop. */
  readonly isOfHost?: true;
  /** A browser has it, but not the desktop. */
  readonly isOfBrowser?: true;
  /** Only on a Mac, or only elsewhere. */
  readonly on?: 'mac' | 'others';
  /** Opens a window if none is open. Without it, the command needs a window. */
  readonly opensWindow?: true;
  /** The native item shows whether it is on. */
  readonly isToggle?: true;
}

type NativeRole = 'cut' | 'copy' | 'delete' | 'minimize' | 'quit' | 'togglefullscreen' | 'zoom' | 'front';

/** Items that the user does not find in the palette: the system's own, and lists whose members the palette shows one by one. */
export type OtherEntry =
  | { readonly kind: 'separator'; readonly on?: 'others' }
  | { readonly kind: 'list'; readonly list: 'recent' | 'samples' | 'windows'; readonly label: string }
  | { readonly kind: 'system'; readonly role: 'paste' | 'services' | 'hide' | 'hideOthers' | 'unhide' };

export interface MenuEntry {
  readonly label: string;
  readonly on?: 'mac';
  readonly entries: readonly (CommandEntry | OtherEntry)[];
}

const SEPARATOR = { kind: 'separator' } as const;

/** On a Mac, Settings, About and Quit are in the menu of the application. */
const SETTINGS = {
  id: 'panel:Settings',
  label: 'Settings',
  keywords: 'preferences options configuration theme token',
  shortcut: 'panel:Settings',
  keys: 'Mod+,',
  opensWindow: true,
} as const;
const ABOUT = {
  id: 'about',
  label: 'About Entail',
  keywords: 'help version licence license entail',
  opensWindow: true,
} as const;
const QUIT = { id: 'quit', label: 'Quit Entail', keywords: 'exit end close', role: 'quit', isOfHost: true } as const;

const MENUS = [
  {
    label: 'Entail',
    on: 'mac',
    entries: [
      ABOUT,
      SEPARATOR,
      SETTINGS,
      SEPARATOR,
      { kind: 'system', role: 'services' },
      SEPARATOR,
      { kind: 'system', role: 'hide' },
      { kind: 'system', role: 'hideOthers' },
      { kind: 'system', role: 'unhide' },
      SEPARATOR,
      QUIT,
    ],
  },
  {
    label: 'File',
    entries: [
      {
        id: 'new',
        label: 'New module',
        keywords: 'create project file start',
        keys: 'Mod+N',
        opensWindow: true,
      },
      {
        id: 'new-query',
        label: 'New query',
        description: 'Open an empty tab in Query',
        keywords: 'ad-hoc create tab select',
      },
      SEPARATOR,
      {
        id: 'open-files',
        label: 'Open files…',
        keywords: 'open module artifact bundle load',
        keys: 'Mod+O',
        opensWindow: true,
      },
      { id: 'open-folder', label: 'Open folder…', keywords: 'open project directory load', opensWindow: true },
      { kind: 'list', list: 'recent', label: 'Open Recent' },
      { kind: 'list', list: 'samples', label: 'Samples' },
      SEPARATOR,
      { id: 'add-file', label: 'Add file…', keywords: 'new file module source create' },
      { id: 'rename', label: 'Rename…', keywords: 'file module name' },
      { id: 'save-as', label: 'Save as…', keywords: 'copy project folder export', keys: 'Mod+Shift+S' },
      { id: 'download', label: 'Download', keywords: 'save source files zip export', isOfBrowser: true },
      SEPARATOR,
      {
        id: 'import',
        label: 'Import a file',
        description: 'Load rows from CSV or JSON',
        keywords: 'upload spreadsheet excel add new',
      },
      {
        id: 'export',
        label: 'Export facts',
        description: 'Select a list in Data, then Export',
        keywords: 'download save csv json',
      },
      SEPARATOR,
      {
        id: 'back-up',
        label: 'Back up…',
        description: 'Save all facts and their history as one file',
        keywords: 'backup copy export archive',
        isOfHost: true,
      },
      {
        id: 'download-backup',
        label: 'Download a backup',
        description: 'All facts and their history as one file',
        keywords: 'back up copy export archive',
        isOfBrowser: true,
      },
      {
        id: 'restore',
        label: 'Restore…',
        description: 'Open a backup as a new project',
        keywords: 'backup facts import',
        isOfHost: true,
      },
      {
        id: 'check-data',
        label: 'Check data',
        description: 'Verify the files and facts of this project',
        keywords: 'damage repair verify checksum corrupt',
        isOfHost: true,
      },
      SEPARATOR,
      {
        id: 'close-tab',
        label: 'Close tab',
        description: 'Or the sheet above it',
        keywords: 'query batch sheet',
        shortcut: 'closeTab',
        keys: 'Mod+W',
        areOfPage: true,
      },
      { id: 'close', label: 'Close project', keywords: 'close project module' },
      { ...SEPARATOR, on: 'others' },
      { ...SETTINGS, on: 'others' },
      { ...SEPARATOR, on: 'others' },
      { ...QUIT, on: 'others' },
    ],
  },
  {
    label: 'Edit',
    entries: [
      { id: 'undo', label: 'Undo', keys: 'Mod+Z', areOfPage: true },
      { id: 'redo', label: 'Redo', keys: 'Mod+Shift+Z', areOfPage: true },
      SEPARATOR,
      { id: 'cut', label: 'Cut', role: 'cut', isOfHost: true },
      { id: 'copy', label: 'Copy', role: 'copy', isOfHost: true },
      // Not a command, because the page must not read the clipboard.
      { kind: 'system', role: 'paste' },
      { id: 'delete', label: 'Delete', role: 'delete', isOfHost: true },
      SEPARATOR,
      { id: 'find', label: 'Find', keywords: 'search text result', shortcut: 'find' },
      {
        id: 'replace',
        label: 'Find and replace',
        keywords: 'search substitute',
        keys: 'Mod+H',
        macKeys: 'Mod+Alt+F',
        areOfPage: true,
      },
      { id: 'find-next', label: 'Find next', keywords: 'search match', keys: 'Mod+G', areOfPage: true },
      { id: 'find-previous', label: 'Find previous', keywords: 'search match', keys: 'Mod+Shift+G', areOfPage: true },
      SEPARATOR,
      {
        id: 'format',
        label: 'Format the file',
        description: 'Apply the standard style',
        keywords: 'indent tidy prettify',
        keys: 'Alt+Shift+F',
        areOfPage: true,
      },
    ],
  },
  {
    label: 'Selection',
    entries: [
      { id: 'select-all', label: 'Select all', keys: 'Mod+A', areOfPage: true },
      SEPARATOR,
      {
        id: 'add-cursor-above',
        label: 'Add cursor above',
        keywords: 'multiple caret column',
        keys: 'Mod+Alt+ArrowUp',
        areOfPage: true,
      },
      {
        id: 'add-cursor-below',
        label: 'Add cursor below',
        keywords: 'multiple caret column',
        keys: 'Mod+Alt+ArrowDown',
        areOfPage: true,
      },
      {
        id: 'next-occurrence',
        label: 'Add next occurrence',
        keywords: 'multiple cursor select word',
        keys: 'Mod+D',
        areOfPage: true,
      },
      {
        id: 'all-occurrences',
        label: 'Select all occurrences',
        keywords: 'multiple cursor word',
        keys: 'Mod+Shift+L',
        areOfPage: true,
      },
      SEPARATOR,
      { id: 'move-line-up', label: 'Move line up', keys: 'Alt+ArrowUp', areOfPage: true },
      { id: 'move-line-down', label: 'Move line down', keys: 'Alt+ArrowDown', areOfPage: true },
      {
        id: 'copy-line-up',
        label: 'Copy line up',
        keywords: 'duplicate',
        keys: 'Alt+Shift+ArrowUp',
        areOfPage: true,
      },
      {
        id: 'copy-line-down',
        label: 'Copy line down',
        keywords: 'duplicate',
        keys: 'Alt+Shift+ArrowDown',
        areOfPage: true,
      },
      SEPARATOR,
      {
        id: 'toggle-comment',
        label: 'Comment or uncomment',
        keywords: 'toggle line',
        keys: 'Mod+/',
        areOfPage: true,
      },
      {
        id: 'wrap',
        label: 'Wrap long lines',
        keywords: 'word soft wrap editor',
        shortcut: 'softWrap',
        isToggle: true,
      },
    ],
  },
  {
    label: 'View',
    entries: [
      { id: 'palette', label: 'Go to or run…', shortcut: 'palette' },
      SEPARATOR,
      {
        id: 'panel:Module',
        label: 'Module',
        keywords: 'source editor code schema',
        shortcut: 'panel:Module',
      },
      {
        id: 'panel:Invoke',
        label: 'Invoke',
        keywords: 'call run dispatch batch history',
        shortcut: 'panel:Invoke',
      },
      { id: 'panel:Query', label: 'Query', keywords: 'ad-hoc select sql search', shortcut: 'panel:Query' },
      {
        id: 'panel:Data',
        label: 'Data',
        keywords: 'facts tables rows grid individuals insert add delete remove',
        shortcut: 'panel:Data',
      },
      { id: 'panel:Explain', label: 'Explain', keywords: 'why proof derive reason', shortcut: 'panel:Explain' },
      {
        id: 'panel:Forks',
        label: 'Forks',
        keywords: 'branch what if new discard delete merge history',
        shortcut: 'panel:Forks',
      },
      {
        id: 'panel:Checks',
        label: 'Checks',
        keywords: 'violations constraints rules errors',
        shortcut: 'panel:Checks',
      },
      { id: 'panel:Tests', label: 'Tests', keywords: 'coverage', shortcut: 'panel:Tests' },
      { id: 'panel:Log', label: 'Log', keywords: 'requests http timing bundle', shortcut: 'panel:Log' },
      SEPARATOR,
      {
        id: 'diagram',
        label: 'Show the diagram',
        description: 'Concepts and relations of the module',
        keywords: 'schema graph entity',
      },
      {
        id: 'problems',
        label: 'Show or hide problems',
        keywords: 'errors warnings diagnostics',
        shortcut: 'problems',
      },
      {
        id: 'live',
        label: 'Show or hide live results',
        description: 'What the declaration at the cursor gives',
        keywords: 'preview bindings counts rows while typing',
        shortcut: 'live',
        isToggle: true,
      },
      { id: 'saves', label: 'Show earlier saves', keywords: 'history versions restore undo' },
      SEPARATOR,
      { id: 'back', label: 'Back', keywords: 'previous', shortcut: 'back' },
      { id: 'forward', label: 'Forward', keywords: 'next', shortcut: 'forward' },
      SEPARATOR,
      { id: 'scheme', label: 'Switch the theme', keywords: 'theme mode colours colors appearance dark light' },
      {
        id: 'system',
        label: 'Use the system appearance',
        keywords: 'theme mode colours colors dark light auto',
        isToggle: true,
      },
      {
        id: 'density',
        label: 'Compact rows',
        keywords: 'density appearance height size',
        isToggle: true,
      },
      SEPARATOR,
      { id: 'zoom-in', label: 'Zoom in', keywords: 'larger text size', keys: 'Mod+Plus', isOfHost: true },
      { id: 'zoom-out', label: 'Zoom out', keywords: 'smaller text size', keys: 'Mod+-', isOfHost: true },
      { id: 'zoom-reset', label: 'Actual size', keywords: 'zoom reset', keys: 'Mod+0', isOfHost: true },
      { id: 'full-screen', label: 'Full screen', role: 'togglefullscreen', isOfHost: true },
    ],
  },
  {
    label: 'Run',
    entries: [
      {
        id: 'save',
        label: 'Save and reload',
        description: 'Build the sources and load them into the server',
        keywords: 'write compile deploy',
        shortcut: 'save',
      },
      {
        id: 'preview',
        label: 'Preview the save',
        description: 'See which conclusions a save will change',
        keywords: 'diff changes',
      },
      {
        id: 'reload',
        label: 'Reload from disk',
        description: 'Load the module again from its files',
      },
      SEPARATOR,
      {
        id: 'run',
        label: 'Run the call',
        description: 'The open query, mutation or function',
        keywords: 'execute send request',
        shortcut: 'run',
      },
      {
        id: 'dry-run',
        label: 'Dry run',
        description: 'Preview the changes of the open mutation',
        keywords: 'execute try simulate',
        shortcut: 'dryRun',
      },
      SEPARATOR,
      { id: 'tests', label: 'Run all tests', description: 'Tests of the module on the server' },
      {
        id: 'test',
        label: 'Run the test at the cursor',
        description: 'Runs the saved version',
        keywords: 'tests',
        keys: 'Alt+Shift+T',
        areOfPage: true,
      },
      { id: 'coverage', label: 'Measure coverage', description: 'Find clauses and callables without tests' },
      SEPARATOR,
      {
        id: 'new-fork',
        label: 'New fork',
        description: 'Create it and switch to it',
        keywords: 'branch copy create what if try',
      },
      {
        id: 'compare',
        label: 'Compare a fork',
        description: 'See what it changes',
        keywords: 'diff discard delete remove',
      },
      { id: 'promote', label: 'Promote a fork…', keywords: 'merge apply' },
      {
        id: 'history',
        label: 'History',
        description: 'Its transactions, the latest first',
        keywords: 'changes audit past who',
      },
      {
        id: 'timeline',
        label: 'Timeline',
        description: 'Read an earlier state',
        keywords: 'past history as of time travel moment earlier',
      },
      { id: 'now', label: 'Back to now', keywords: 'past timeline present' },
      { id: 'undo-transaction', label: 'Undo the latest transaction…', keywords: 'revert rollback back' },
      SEPARATOR,
      {
        id: 'connect',
        label: 'Connect a client',
        description: 'Address, token and examples of calls',
        keywords: 'settings api curl http url openapi',
      },
      { id: 'copy-token', label: 'Copy the API token', keywords: 'settings password' },
      { id: 'limits', label: 'Limits and grants', keywords: 'settings timeout capabilities' },
      {
        id: 'restart-runtime',
        label: 'Restart the runtime',
        description: 'Stored facts are kept',
        keywords: 'server stop start',
        isOfHost: true,
      },
    ],
  },
  {
    label: 'Window',
    entries: [
      { id: 'new-window', label: 'New window', keys: 'Mod+Shift+N', isOfHost: true, opensWindow: true },
      { id: 'minimize', label: 'Minimize window', role: 'minimize', isOfHost: true },
      { id: 'zoom-window', label: 'Zoom window', role: 'zoom', isOfHost: true, on: 'mac' },
      { id: 'close-window', label: 'Close window', keys: 'Mod+Shift+W', isOfHost: true },
      SEPARATOR,
      { id: 'front', label: 'Bring all to front', role: 'front', isOfHost: true, on: 'mac' },
      { kind: 'list', list: 'windows', label: 'Windows' },
    ],
  },
  {
    label: 'Help',
    entries: [
      {
        id: 'docs',
        label: 'Docs',
        description: 'Guides and reference, also offline',
        keywords: 'help manual documentation learn',
        opensWindow: true,
      },
      {
        id: 'tour',
        label: 'Tour',
        description: 'Five short steps with the sample lease',
        keywords: 'help take the tour learn tutorial introduction getting started first new',
        opensWindow: true,
      },
      {
        id: 'shortcuts',
        label: 'Keyboard shortcuts',
        keywords: 'help keys hotkeys bindings settings',
        opensWindow: true,
      },
      { id: 'error-codes', label: 'Error codes', keywords: 'help errors failures reference', opensWindow: true },
      SEPARATOR,
      {
        id: 'open-logs',
        label: 'Open the logs folder',
        keywords: 'files errors report',
        isOfHost: true,
        opensWindow: true,
      },
      {
        id: 'install-command',
        label: 'Install the entail command',
        description: 'For terminals',
        keywords: 'shell cli path terminal',
        isOfHost: true,
        opensWindow: true,
      },
      {
        id: 'copy-versions',
        label: 'Copy the versions',
        description: 'For a report of a problem',
        keywords: 'about electron system',
        isOfHost: true,
        opensWindow: true,
      },
      SEPARATOR,
      {
        id: 'stored',
        label: 'Clear what is stored here',
        description: 'Drafts, arguments, history and layout',
        keywords: 'settings delete reset browser storage',
      },
      {
        id: 'reload-page',
        label: 'Reload the page',
        description: 'Your input is kept',
        keywords: 'refresh restart',
        keys: 'Mod+R',
      },
      {
        id: 'force-reload',
        label: 'Force reload of the page',
        description: 'Ignores the cache',
        keywords: 'refresh restart',
        keys: 'Mod+Shift+R',
        isOfHost: true,
      },
      {
        id: 'developer-tools',
        label: 'Toggle developer tools',
        keywords: 'inspect console debug chromium',
        keys: 'Ctrl+Shift+I',
        macKeys: 'Mod+Alt+I',
        isOfHost: true,
      },
      SEPARATOR,
      { ...ABOUT, on: 'others' },
    ],
  },
] as const satisfies readonly MenuEntry[];

type Entry = (typeof MENUS)[number]['entries'][number];
type Command = Extract<Entry, { readonly id: string }>;

export type CommandId = Command['id'];
/** Commands of the main process. */
export type HostCommandId = Extract<Command, { readonly isOfHost: true }>['id'];
/** Commands of the page. */
export type PageCommandId = Exclude<CommandId, HostCommandId>;

/** The menus of a Mac or of other systems. */
export function menusOn(system: 'mac' | 'others'): readonly MenuEntry[] {
  const all: readonly MenuEntry[] = MENUS;
  return all
    .filter(({ on = system }) => on === system)
    .map((menu) => ({ ...menu, entries: menu.entries.filter((entry) => !('on' in entry) || entry.on === system) }));
}

/** Their commands; each is in one menu. */
export function commandsOn(system: 'mac' | 'others'): readonly CommandEntry[] {
  return menusOn(system).flatMap(({ entries }) => entries.filter((entry) => 'id' in entry));
}

const HOST_COMMANDS = new Set(
  [...commandsOn('mac'), ...commandsOn('others')].filter(({ isOfHost }) => isOfHost === true).map(({ id }) => id),
);

export function isHostCommand(id: string): id is HostCommandId {
  return HOST_COMMANDS.has(id);
}

/** What a page reports for the menus. */
export interface MenuState {
  /** Ids of the commands of the page that it can run now. */
  readonly enabled: readonly string[];
  /** Ids of the toggles that are on. */
  readonly checked: readonly string[];
  /** The keys of commands that the user can bind, by id. */
  readonly keys: Readonly<Record<string, string>>;
  /** It has unsaved texts. */
  readonly edited: boolean;
}
