/** The list of matching palette actions, loaded when the page is idle. */

import { Spotlight } from '@mantine/spotlight';
import { createPersistentStore, useStore } from '../state/store.js';
import { type PaletteAction, useDocsGroup, usePaletteGroups } from './palette-actions.js';
import { matchingActions } from './palette-filter.js';

/** Nobody reads a longer list. */
const ACTIONS_MAX = 40;
/** Many headings share a word with a command, so few of them are shown, below everything else. */
const DOCS_MAX = 8;
const RECENT_MAX = 20;

/** Ids of the actions that were run, the latest first. */
const recentActions = createPersistentStore<readonly string[]>(
  'entail.palette',
  [],
  (value): value is readonly string[] => Array.isArray(value) && value.every((id) => typeof id === 'string'),
  { isShared: true },
);

/** Mounted only while the palette is open, so that a closed palette sends no requests. */
export function PaletteList({ query }: { query: string }) {
  const recent = useStore(recentActions);
  const docs = useDocsGroup();
  const all = usePaletteGroups(query.trim());
  const found = matchingActions(query.trim() === '' ? [...all, docs] : all, query, { actionsMax: ACTIONS_MAX, recent });
  const foundDocs = query.trim() === '' ? [] : matchingActions([docs], query, { actionsMax: DOCS_MAX, recent });
  const groups = [...found, ...foundDocs];
  if (groups.length === 0) return <Spotlight.Empty>No matches</Spotlight.Empty>;
  return (
    <Spotlight.ActionsList>
      {groups.map(({ group, actions }) => (
        <Spotlight.ActionsGroup key={group} label={group}>
          {actions.map((action) => (
            <Action key={action.id} {...action} />
          ))}
        </Spotlight.ActionsGroup>
      ))}
    </Spotlight.ActionsList>
  );
}

function Action({ id, label, description, rightSection, onClick }: PaletteAction) {
  return (
    <Spotlight.Action
      label={label}
      {...(description !== undefined && { description })}
      rightSection={rightSection}
      onClick={() => {
        recentActions.update((current) => [id, ...current.filter((each) => each !== id)].slice(0, RECENT_MAX));
        onClick();
      }}
      highlightQuery
    />
  );
}
