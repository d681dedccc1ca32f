/** The menu of the project. */

import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { useState } from 'react';
import { useProject } from '../server-state/projects.js';
import { type Command, useCommands } from './commands.js';
import { useRecentCommands, useSampleCommands } from './project-commands.js';
import styles from './shell.module.css';

/** Opens at once: it is loaded by the first click on its button. */
export function ProjectItems({ button }: { button: ReactElement }) {
  const [opened, setOpened] = useState(true);
  const commands = useCommands();
  const open = commands.filter(({ id }) => OPENING.includes(id));
  const change = commands.filter(({ id }) => CHANGING.includes(id));
  const samples = useSampleCommands();
  const recent = useRecentCommands();
  const project = useProject();
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-start" withinPortal>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown aria-label="Project">
        {project?.folder != null && <Menu.Label className={styles.projectFolder}>{project.folder}</Menu.Label>}
        {open.map(item)}
        {samples.length > 0 && <Submenu label="Samples" items={samples} />}
        {recent.length > 0 && <Submenu label="Recent" items={recent} />}
        {open.length > 0 && change.length > 0 && <Menu.Divider />}
        {change.map(item)}
        {open.length === 0 && <Menu.Label>This server serves one project only.</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}

const OPENING = ['new', 'open-files', 'open-folder'];
const CHANGING = ['add-file', 'rename', 'save-as', 'download', 'close'];

function Submenu({ label, items }: { label: string; items: readonly Command[] }) {
  return (
    <Menu.Sub>
      <Menu.Sub.Target>
        <Menu.Sub.Item>{label}</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown>{items.map(item)}</Menu.Sub.Dropdown>
    </Menu.Sub>
  );
}

function item({ id, label, description, run }: Command) {
  return (
    <Menu.Item key={id} title={description} onClick={() => void run()}>
      {label}
    </Menu.Item>
  );
}
