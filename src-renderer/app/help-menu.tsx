/** The `?` menu: the help commands of the palette. Loaded when it is first opened. */

import { Menu } from '@mantine/core';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useHelpCommands } from './commands.js';

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
  return useHelpCommands().map(({ id, label, run }) => (
    <Menu.Item key={id} onClick={run}>
      {label}
    </Menu.Item>
  ));
}
