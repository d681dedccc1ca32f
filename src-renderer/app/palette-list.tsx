/** The list of matching palette actions, loaded after the first paint. */

import { Spotlight } from '@mantine/spotlight';
import { type PaletteAction, usePaletteGroups } from './palette-actions.js';
import { matchingActions } from './palette-filter.js';

/** Nobody reads a longer list. */
const ACTIONS_MAX = 40;

/** Mounted only while the palette is open, so that a closed palette sends no requests. */
export function PaletteList({ query }: { query: string }) {
  const groups = matchingActions(usePaletteGroups(query.trim()), query, ACTIONS_MAX);
  if (groups.length === 0) return <Spotlight.Empty>No matches</Spotlight.Empty>;
  return (
    <Spotlight.ActionsList>
      {groups.map(({ group, actions }) => (
        <Spotlight.ActionsGroup key={group} label={group}>
          {actions.map(({ id, ...action }) => (
            <Action key={id} {...action} />
          ))}
        </Spotlight.ActionsGroup>
      ))}
    </Spotlight.ActionsList>
  );
}

function Action({ label, description, rightSection, onClick }: Omit<PaletteAction, 'id'>) {
  return (
    <Spotlight.Action
      label={label}
      {...(description !== undefined && { description })}
      rightSection={rightSection}
      onClick={onClick}
      highlightQuery
    />
  );
}
