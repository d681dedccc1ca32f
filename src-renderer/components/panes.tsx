/** Panes side by side or one above the other, resized by pointer and keyboard; their sizes are kept. */

import type { ReactNode } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';

interface PaneSpec {
  readonly id: string;
  /** Pixels as a number, else a percentage as text. */
  readonly size?: number | string;
  readonly minSize?: number | string;
  /** Keeps its pixels when the window is resized. */
  readonly fixed?: boolean;
  readonly content: ReactNode;
}

interface PanesProps {
  /** Names the kept layout. */
  readonly id: string;
  readonly orientation?: 'horizontal' | 'vertical';
  readonly panes: readonly PaneSpec[];
}

export function Panes({ id, orientation = 'horizontal', panes }: PanesProps) {
  const kept = useDefaultLayout({
    id: `entail.${id}`,
    panelIds: panes.map((pane) => pane.id),
    storage: localStorage,
  });
  return (
    <Group id={id} orientation={orientation} {...kept}>
      {panes.map((pane, index) => [
        index === 0 ? null : (
          <Separator key={`${pane.id}-separator`} className="separator" aria-label={`Resize ${pane.id}`} />
        ),
        <Panel
          key={pane.id}
          id={pane.id}
          {...(pane.size === undefined ? {} : { defaultSize: pane.size })}
          minSize={pane.minSize ?? 120}
          groupResizeBehavior={pane.fixed === true ? 'preserve-pixel-size' : 'preserve-relative-size'}
        >
          {pane.content}
        </Panel>,
      ])}
    </Group>
  );
}

interface PaneProps {
  readonly title: ReactNode;
  /** Controls at the right end of the header. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly label?: string;
}

/** One pane: a header line and a body that scrolls. */
export function Pane({ title, actions, children, label }: PaneProps) {
  const name = label ?? (typeof title === 'string' ? title : undefined);
  return (
    <section className="pane" {...(name === undefined ? {} : { 'aria-label': name })}>
      <header className="pane-header">
        {typeof title === 'string' ? <h2 className="pane-title">{title}</h2> : title}
        <span className="pane-spacer" />
        {actions}
      </header>
      <div className="pane-body">{children}</div>
    </section>
  );
}
