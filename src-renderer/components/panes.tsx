/**
 * Panes side by side or one above the other, resized by pointer and keyboard; their sizes are kept. On a page too narrow for
 * panes side by side (zoomed to 200 %, say) they stand one below the other, each as large as the page, and scroll.
 */

import { useMediaQuery } from '@mantine/hooks';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { storedText, storeText } from '../data/page-storage.js';
import { Cut } from './cut.js';
import { moveInList } from './list-keys.js';

interface PaneSpec {
  readonly id: string;
  /** Its name for the handle that resizes it, where the id is not what a person would call it. */
  readonly name?: string;
  /** Pixels as a number, else a percentage as text. */
  readonly size?: number | string;
  /** No less than the panes within it have together. */
  readonly minSize?: number | string;
  /** Keeps its pixels when the window is resized. */
  readonly fixed?: boolean;
  /** Its pixels where panes stand below each other; as many as the page has unless given. */
  readonly stackedHeight?: number;
  /** What the address leads to, or what was just asked for: where panes stand below each other, in sight from then on. */
  readonly wanted?: boolean;
  readonly content: ReactNode;
}

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

export function Panes(props: PanesProps) {
  const isNarrow = useIsNarrow();
  const { orientation = 'horizontal', panes, stacks = orientation === 'horizontal' } = props;
  // One pane is a stack too: where a second is opened, what has the focus in the first is to stay what it is.
  if (!isNarrow || !stacks) return <ResizedPanes {...props} />;
  return <Stack panes={panes} />;
}

function Stack({ panes }: Pick<PanesProps, 'panes'>) {
  const stack = useRef<HTMLDivElement>(null);
  const before = useRef(new Map(panes.map(({ id }) => [id, false])));
  // What was opened stands at the end, out of sight, and so does what a link leads to and what was asked for.
  useEffect(() => {
    const opened = panes.findIndex(({ id, wanted }) => {
      const wasWanted = before.current.get(id);
      return wasWanted === undefined || (wanted === true && !wasWanted);
    });
    before.current = new Map(panes.map(({ id, wanted }) => [id, wanted === true]));
    const pane = stack.current?.children[opened];
    if (pane !== undefined) scrollStackTo(pane);
  }, [panes]);
  return (
    <div className="stack" ref={stack}>
      {panes.map((pane) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click.
        // biome-ignore lint/a11y/noStaticElementInteractions: what is clicked are the links within.
        <div
          className="stack-pane"
          key={pane.id}
          style={{ height: pane.stackedHeight, minHeight: pane.stackedHeight }}
          onClick={showNextPane}
        >
          {pane.content}
        </div>
      ))}
    </div>
  );
}

/** Links of lists, and what is no link: a request of the log, a test of the tree but not its file. */
const CHOICES = 'a.row, .log-list [role="option"], .tests-tree [aria-level="2"]';

/** What is chosen in a list is shown in the pane behind it, which may be out of sight; a call that is opened again, in that before the last. */
function showNextPane({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof Element)) return;
  const isCall = target.closest('.history-entry, .saved-call .row') !== null;
  if (!isCall && target.closest(CHOICES) === null) return;
  const { nextElementSibling: next, previousElementSibling: previous } = currentTarget;
  const pane = next ?? (isCall ? previous : null);
  if (pane !== null) scrollStackTo(pane);
}

/** Only the stack is scrolled, the outermost of several: `scrollIntoView` would move the whole page with it. */
function scrollStackTo(pane: Element): void {
  let stack = pane.closest('.stack');
  for (let outer = stack; outer !== null; outer = outer.parentElement?.closest('.stack') ?? null) stack = outer;
  if (stack !== null) stack.scrollTop += pane.getBoundingClientRect().top - stack.getBoundingClientRect().top;
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
