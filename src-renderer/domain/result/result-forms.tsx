/** The forms of a result: table, JSON, graph and chart. The last one selected applies to all results. */

import { Button, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { createPersistentStore, useStore } from '../../state/store.js';
import { Empty } from '../failure/states.js';

const FORMS = ['table', 'json', 'graph', 'chart'] as const;
type ResultForm = (typeof FORMS)[number];

const isForm = (value: unknown): value is ResultForm => FORMS.some((form) => form === value);

const resultForm = createPersistentStore<ResultForm>('entail.result-form', 'table', isForm);

/** The form of a result. Only lists have a graph and a chart. */
export function useResultForm(isList: boolean): ResultForm {
  const form = useStore(resultForm);
  return isList || form === 'json' ? form : 'table';
}

interface ResultFormSwitchProps {
  readonly label: string;
  /** Name of the table, or of a single value. */
  readonly plain: string;
  /** Lists can be drawn as a graph or chart. */
  readonly isList?: boolean;
}

export function ResultFormSwitch({ label, plain, isList = false }: ResultFormSwitchProps) {
  const form = useResultForm(isList);
  return (
    <SegmentedControl
      aria-label={label}
      value={form}
      onChange={(selected) => isForm(selected) && resultForm.set(selected)}
      data={[
        { value: 'table', label: plain },
        { value: 'json', label: 'JSON' },
        ...(isList
          ? [
              { value: 'graph', label: 'Graph' },
              { value: 'chart', label: 'Chart' },
            ]
          : []),
      ]}
    />
  );
}

/** Placeholder for a graph or chart if the result has no values for it. */
export function NotDrawn({ children }: { children: ReactNode }) {
  return (
    <Empty title="Cannot be drawn">
      <p role="status">{children}</p>
      <Button variant="default" onClick={() => resultForm.set('table')}>
        Show the table
      </Button>
    </Empty>
  );
}
