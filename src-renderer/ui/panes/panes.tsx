/** Resizable panes with stored sizes. On a narrow page (for example at 200 % zoom) they form a stack, loaded on demand. */

import { useMediaQuery } from '@mantine/hooks';
import type { KeyboardEvent } from 'react';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { Group, type Layout, type LayoutChangedMeta, Panel, Separator } from 'react-resizable-panels';
import { storedJson, storeText } from '../../state/page-storage.js';
import { Cut } from '../cut.js';
import { type PaneSizes, type PaneSpec, sizeOf, sizesOf } from './pane-spec.js';

interface PanesProps {
  /** Key of the stored layout. */
  readonly id: string;
  readonly orientation?: 'horizontal' | 'vertical';
  readonly panes: readonly PaneSpec[];
  /** Whether panes scroll together with separate heights in a narrow window; default for panes side by side. */
  readonly stacks?: boolean;
}

/** Width limit: a window of 1280 pixels at 200 % is narrow. Style sheets use the same limit. */
const NARROW = '(max-width: 860px)';

export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
}

const Stack = lazy(async () => ({ default: (await import('./stack.js')).Stack }));

export function Panes(props: PanesProps) {
  const isNarrow = useIsNarrow();
  const { orientation = 'horizontal', panes, stacks = orientation === 'horizontal' } = props;
  // A single pane is a stack too, so that its state survives when a second one opens.
  if (!isNarrow || !stacks) return <ResizedPanes {...props} />;
  return (
    <Suspense fallback={null}>
      <Stack panes={panes} />
    </Suspense>
  );
}

function ResizedPanes({ id, orientation = 'horizontal', panes }: PanesProps) {
  const group = useRef<HTMLDivElement>(null);
  // The library keeps the sizes itself while it is mounted.
  const [stored] = useState(() => storedSizes(id));
  const storeDragged = (layout: Layout, { isUserInteraction }: LayoutChangedMeta): void => {
    if (!isUserInteraction || group.current === null) return;
    const space = spaceOf(group.current, orientation);
    storeText('localStorage', keyOf(id), JSON.stringify({ ...storedSizes(id), ...sizesOf(panes, layout, space) }));
  };
  return (
    <Group id={`${id}-panes`} orientation={orientation} elementRef={group} onLayoutChanged={storeDragged}>
      {/* One list with keys, so that a pane keeps its state when another one is added before it. */}
      {panes.flatMap((pane, index) => {
        const size = sizeOf(pane, stored);
        return [
          index === 0 ? null : (
            <Separator
              key={`${pane.id}-separator`}
              className="separator"
              aria-label={`Resize ${pane.name ?? pane.id}`}
            />
          ),
          <Panel
            key={pane.id}
            id={pane.id}
            {...(size === undefined ? {} : { defaultSize: size })}
            minSize={pane.minSize ?? 120}
            groupResizeBehavior={pane.fixed === true ? 'preserve-pixel-size' : 'preserve-relative-size'}
          >
            {pane.content}
          </Panel>,
        ];
      })}
    </Group>
  );
}

/** Pixels of the panes without their separators. */
function spaceOf(group: HTMLElement, orientation: 'horizontal' | 'vertical'): number {
  return Array.from(group.querySelectorAll<HTMLElement>(':scope > [data-panel]'))
    .map(({ offsetWidth, offsetHeight }) => (orientation === 'horizontal' ? offsetWidth : offsetHeight))
    .reduce((sum, size) => sum + size, 0);
}

const keyOf = (id: string): string => `entail.panes.${id}`;

function storedSizes(id: string): PaneSizes {
  const stored = storedJson('localStorage', keyOf(id));
  return typeof stored === 'object' && stored !== null ? (stored as PaneSizes) : {};
}

interface PaneProps {
  readonly title: ReactNode;
  /** Actions at the right end of the header. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly label?: string;
  /** The title is the panel name, which is already a heading of the page. */
  readonly isPanelName?: boolean;
}

/** One pane: header and scrolling body. */
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

/** Title of a pane, truncated with a tooltip; `isCut` if its content truncates. */
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

/** Arrow keys for rows of links. Lists with their own keys prevent the default. */
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
