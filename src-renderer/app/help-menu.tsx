/** The `?` menu: commands that help. Loaded when it is first opened. */

import { Menu } from '@mantine/core';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useCommands } from './commands.js';

/** `button` takes the place of the one that was pressed, and its focus. */
export function HelpMenu({ button }: { button: ReactElement }) {
  const [opened, setOpened] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.querySelector('button')?.focus();
    setOpened(true);
  }, []);
  return (
    <div ref={place}>
      <Menu opened={opened} onChange={setOpened} position="bottom-end" withinPortal>
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          <Items />
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

function Items() {
  return useCommands()
    .filter(({ id }) => HELP.includes(id))
    .map(({ id, label, run }) => (
      <Menu.Item key={id} onClick={run}>
        {label}
      </Menu.Item>
    ));
}

const HELP = ['docs', 'tour', 'shortcuts', 'error-codes', 'about'];
