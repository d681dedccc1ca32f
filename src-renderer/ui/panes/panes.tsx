/**
 * Panes side by side or one above the other, resized by pointer and keyboard; their sizes are kept. On a page too narrow for
 * panes side by side (zoomed to 200 %, say) they are a stack, whose code is loaded there only.
 */

import { useMediaQuery } from '@mantine/hooks';
import type { KeyboardEvent } from 'react';
import { lazy, type ReactNode, Suspense } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { storedText, storeText } from '../../state/page-storage.js';
import { Cut } from '../cut.js';
import type { PaneSpec } from './pane-spec.js';

interface PanesProps {
  /** Names the kept layout. */
  readonly id: string;
  readonly orientation?: 'horizontal' | 'vertical';
  readonly panes: readonly PaneSpec[];
  /** Whether each has a height of its own in a narrow window, and all of them scroll: those side by side have, unless given. */
  readonly stacks?: boolean;
}

/** Too narrow for panes side by side, as a window of 1280 pixels at 200 % is; style sheets say the same. */
const NARROW = '(max-width: 860px)';

export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
}

const Stack = lazy(async () => ({ default: (await import('./stack.js')).Stack }));

export function Panes(props: PanesProps) {
  const isNarrow = useIsNarrow();
  const { orientation = 'horizontal', panes, stacks = orientation === 'horizontal' } = props;
  // One pane is a stack too: where a second is opened, what has the focus in the first is to stay what it is.
  if (!isNarrow || !stacks) return <ResizedPanes {...props} />;
  return (
    <Suspense fallback={null}>
      <Stack panes={panes} />
    </Suspense>
  );
}

/** Where their sizes are kept. */
const LAYOUTS = {
  getItem: (key: string) => storedText('localStorage', key),
  setItem: (key: string, text: string) => storeText('localStorage', key, text),
};

function ResizedPanes({ id, orientation = 'horizontal', panes }: PanesProps) {
  const kept = useDefaultLayout({
    id: `entail.${id}`,
    panelIds: panes.map((pane) => pane.id),
    storage: LAYOUTS,
  });
  return (
    <Group id={`${id}-panes`} orientation={orientation} {...kept}>
      {/* One list, so that a pane stays what it is where another one comes before it. */}
      {panes.flatMap((pane, index) => [
        index === 0 ? null : (
          <Separator key={`${pane.id}-separator`} className="separator" aria-label={`Resize ${pane.name ?? pane.id}`} />
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
  /** The title is the panel's name, which the page has a heading for: it is none again. */
  readonly isPanelName?: boolean;
}

/** One pane: a header line and a body that scrolls. */
export function Pane({ title, actions, children, label, isPanelName = false }: PaneProps) {
  const name = label ?? (typeof title === 'string' ? title : undefined);
  const titleLine = isPanelName ? <TitleLine as="div">{title}</TitleLine> : <PaneTitle>{title}</PaneTitle>;
  return (
    <section className="pane" {...(name === undefined ? {} : { 'aria-label': name })}>
      <header className="pane-header">
        {typeof title === 'string' ? titleLine : title}
        <span className="pane-spacer" />
        {actions}
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what has the keys are the links within. */}
      <div className="pane-body" onKeyDown={moveInList}>
        {children}
      </div>
    </section>
  );
}

/** The heading of a pane: one line, and whole in a tooltip where its place is too narrow for it; `isCut` where what it has sees to that. */
export function PaneTitle({ children, isCut = false }: { children: ReactNode; isCut?: boolean }) {
  return (
    <TitleLine as="h2" isCut={isCut}>
      {children}
    </TitleLine>
  );
}

function TitleLine({
  as: Element,
  children,
  isCut = false,
}: {
  as: 'h2' | 'div';
  children: ReactNode;
  isCut?: boolean;
}) {
  return <Element className="pane-title">{isCut ? children : <Cut>{children}</Cut>}</Element>;
}

/** For whatever holds rows that are links. A list with keys of its own has prevented what it has handled. */
function moveInList(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (event.defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) return;
  if (!(target instanceof Element) || !target.matches(ROW)) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>(ROW)].filter((row) => row.checkVisibility());
  const next = placeAfter(key, rows.indexOf(target as HTMLElement), rows.length);
  if (next === undefined) return;
  event.preventDefault();
  rows[next]?.focus();
}

const ROW = 'a.row';

function placeAfter(key: string, at: number, count: number): number | undefined {
  const places: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 };
  const wanted = places[key];
  return wanted === undefined ? undefined : Math.min(Math.max(wanted, 0), count - 1);
}
