/**
 * The panels in the order of the rail. Routes, rail and palette are made from this table. Each panel is a separate
 * chunk.
 */

import {
  IconBinaryTree,
  IconFileCode,
  IconFlask,
  IconGitBranch,
  IconLogs,
  IconPlayerPlay,
  IconSettings,
  IconShieldCheck,
  IconTable,
  IconTerminal2,
  type TablerIcon,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { PanelName } from '../state/shortcuts.js';

export interface PanelEntry {
  readonly to: string;
  readonly name: PanelName;
  /** One sentence: the tooltip in the rail. */
  readonly purpose: string;
  readonly Icon: TablerIcon;
  readonly load: () => Promise<ComponentType>;
}

export const PANELS: readonly PanelEntry[] = [
  {
    to: '/module',
    name: 'Module',
    purpose: 'Write concepts, rules, checks and calls, and save them.',
    Icon: IconFileCode,
    load: async () => (await import('../panels/module/module-panel.js')).ModulePanel,
  },
  {
    to: '/invoke',
    name: 'Invoke',
    purpose: 'Run the queries, mutations and functions of the module.',
    Icon: IconPlayerPlay,
    load: async () => (await import('../panels/invoke/invoke-panel.js')).InvokePanel,
  },
  {
    to: '/query',
    name: 'Query',
    purpose: 'Run a query that the module does not declare.',
    Icon: IconTerminal2,
    load: async () => (await import('../panels/query/query-panel.js')).QueryPanel,
  },
  {
    to: '/data',
    name: 'Data',
    purpose: 'Browse, edit, import and export facts.',
    Icon: IconTable,
    load: async () => (await import('../panels/data/data-panel.js')).DataPanel,
  },
  {
    to: '/explain',
    name: 'Explain',
    purpose: 'See why a fact is true, or what it would need.',
    Icon: IconBinaryTree,
    load: async () => (await import('../panels/explain/explain-panel.js')).ExplainPanel,
  },
  {
    to: '/forks',
    name: 'Forks',
    purpose: 'Change a copy of the facts, compare it, and promote it.',
    Icon: IconGitBranch,
    load: async () => (await import('../panels/forks/forks-panel.js')).ForksPanel,
  },
  {
    to: '/checks',
    name: 'Checks',
    purpose: 'See which checks are violated, and why.',
    Icon: IconShieldCheck,
    load: async () => (await import('../panels/checks/checks-panel.js')).ChecksPanel,
  },
  {
    to: '/tests',
    name: 'Tests',
    purpose: 'Run the tests of the module and measure their coverage.',
    Icon: IconFlask,
    load: async () => (await import('../panels/tests/tests-panel.js')).TestsPanel,
  },
  {
    to: '/log',
    name: 'Log',
    purpose: 'Inspect every request to the server.',
    Icon: IconLogs,
    load: async () => (await import('../panels/log/log-panel.js')).LogPanel,
  },
  {
    to: '/settings',
    name: 'Settings',
    purpose: 'Connect clients, and change appearance and keys.',
    Icon: IconSettings,
    load: async () => (await import('../panels/settings/settings-panel.js')).SettingsPanel,
  },
];
