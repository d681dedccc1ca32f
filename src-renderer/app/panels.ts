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
  readonly Icon: TablerIcon;
  readonly load: () => Promise<ComponentType>;
}

export const PANELS: readonly PanelEntry[] = [
  {
    to: '/module',
    name: 'Module',
    Icon: IconFileCode,
    load: async () => (await import('../panels/module/module-panel.js')).ModulePanel,
  },
  {
    to: '/invoke',
    name: 'Invoke',
    Icon: IconPlayerPlay,
    load: async () => (await import('../panels/invoke/invoke-panel.js')).InvokePanel,
  },
  {
    to: '/query',
    name: 'Query',
    Icon: IconTerminal2,
    load: async () => (await import('../panels/query/query-panel.js')).QueryPanel,
  },
  {
    to: '/data',
    name: 'Data',
    Icon: IconTable,
    load: async () => (await import('../panels/data/data-panel.js')).DataPanel,
  },
  {
    to: '/explain',
    name: 'Explain',
    Icon: IconBinaryTree,
    load: async () => (await import('../panels/explain/explain-panel.js')).ExplainPanel,
  },
  {
    to: '/forks',
    name: 'Forks',
    Icon: IconGitBranch,
    load: async () => (await import('../panels/forks/forks-panel.js')).ForksPanel,
  },
  {
    to: '/checks',
    name: 'Checks',
    Icon: IconShieldCheck,
    load: async () => (await import('../panels/checks/checks-panel.js')).ChecksPanel,
  },
  {
    to: '/tests',
    name: 'Tests',
    Icon: IconFlask,
    load: async () => (await import('../panels/tests/tests-panel.js')).TestsPanel,
  },
  {
    to: '/log',
    name: 'Log',
    Icon: IconLogs,
    load: async () => (await import('../panels/log/log-panel.js')).LogPanel,
  },
  {
    to: '/settings',
    name: 'Settings',
    Icon: IconSettings,
    load: async () => (await import('../panels/settings/settings-panel.js')).SettingsPanel,
  },
];
