/** Which columns of a list are shown, in the order in which they stand, and the way back to how they stood at first. */

import { Button, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { useStore } from '../../../state/store.js';
import type { GridColumn } from '../rows/grid-columns.js';
import { changeColumns, columnChoices, NO_CHOICE, orderOf } from '../rows/grid-layout.js';

export function ColumnsMenu({ path, columns }: { path: string; columns: readonly GridColumn[] }) {
  const choice = useStore(columnChoices)[path] ?? NO_CHOICE;
  const { widths, hidden, order, frozen } = choice;
  const ordered = orderOf(columns, choice).flatMap((id) => columns.find((column) => column.id === id) ?? []);
  const shown = ordered.filter(({ id }) => !hidden.includes(id));
  const isArranged = order !== undefined || frozen !== undefined;
  const isChanged = isArranged || hidden.length > 0 || Object.keys(widths).length > 0;
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="subtle" leftSection={<IconColumns3 size={14} />}>
          Columns{shown.length < columns.length && ` ${shown.length} of ${columns.length}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="long-menu">
        <Menu.CheckboxGroup
          value={shown.map(({ id }) => id)}
          onChange={(ids) =>
            changeColumns(path, (choice) => ({
              ...choice,
              hidden: columns.map(({ id }) => id).filter((id) => !ids.includes(id)),
            }))
          }
        >
          {ordered.map(({ id, title }) => (
            <Menu.CheckboxItem key={id} value={id} disabled={shown.length === 1 && shown[0]?.id === id}>
              {title}
            </Menu.CheckboxItem>
          ))}
        </Menu.CheckboxGroup>
        <Menu.Divider />
        <Menu.Item disabled={!isChanged} onClick={() => changeColumns(path, () => NO_CHOICE)}>
          As at first
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
