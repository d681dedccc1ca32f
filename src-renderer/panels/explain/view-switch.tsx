/** How an explanation is shown: as an outline, as a graph, as both side by side where there is room, or as sentences. */

import { SegmentedControl } from '@mantine/core';
import { useIsNarrow } from '../../ui/panes/panes.js';

interface ViewSwitchProps {
  /** Empty for outline and graph beside each other. */
  readonly view: string;
  readonly onView: (view: string) => void;
  /** What it rests on is shown too. */
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
