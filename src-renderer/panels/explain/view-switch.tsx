/** Selects the view: outline, graph, both if there is room, sentences, or grounds. */

import { SegmentedControl } from '@mantine/core';
import { useIsNarrow } from '../../ui/panes/panes.js';

interface ViewSwitchProps {
  /** Empty for outline and graph side by side. */
  readonly view: string;
  readonly onView: (view: string) => void;
  /** Offers the view *Based on*. */
  readonly hasGrounds?: boolean;
}

export function ViewSwitch({ view, onView, hasGrounds = false }: ViewSwitchProps) {
  const isNarrow = useIsNarrow();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Show"
      value={view}
      onChange={onView}
      data={[
        { value: 'outline', label: 'Outline' },
        ...(isNarrow ? [] : [{ value: '', label: 'Both' }]),
        { value: 'graph', label: 'Graph' },
        { value: 'sentences', label: 'Sentences' },
        ...(hasGrounds ? [{ value: 'grounds', label: 'Based on' }] : []),
      ]}
    />
  );
}
