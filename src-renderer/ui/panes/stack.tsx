/** Panes in one column for narrow pages (for example at 200 % zoom). It opens on the main pane and has links to all panes. */

import {
  type CSSProperties,
  createContext,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { firstTabbable } from '../first-tabbable.js';
import type { PaneSpec } from './pane-spec.js';
import styles from './stack.module.css';
import { scrollStackTo } from './stack-scroll.js';

interface Outer {
  /** Nesting depth. */
  readonly depth: number;
  /** Notifies the outermost stack of new nested panes. */
  readonly changed: () => void;
}

const OuterStack = createContext<Outer | undefined>(undefined);

interface StackProps {
  readonly panes: readonly PaneSpec[];
}

export function Stack({ panes }: StackProps) {
  return useContext(OuterStack) === undefined ? <PageStack panes={panes} /> : <JoinedStack panes={panes} />;
}

/** The outermost stack, which scrolls. */
function PageStack({ panes }: StackProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<readonly HTMLElement[]>([]);
  const [at, setAt] = useState(0);
  const changed = useCallback(() => {
    if (scroller.current === null) return;
    const next = innermostPanes(scroller.current);
    setShown((before) => (isSame(before, next) ? before : next));
    setAt(paneInSight(scroller.current, next));
  }, []);
  useLayoutEffect(changed);
  const outer = useMemo(() => ({ depth: 1, changed }), [changed]);
  return (
    <OuterStack.Provider value={outer}>
      <div className={styles.stackPage}>
        <nav className={styles.stackNames} aria-label="Panes">
          {shown.map((pane, index) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: each position has one button, whatever its name.
              key={index}
              type="button"
              className="plain"
              aria-current={index === at}
              onClick={({ detail }) => {
                scrollStackTo(pane);
                // Pressed by keyboard: moves the focus.
                if (detail === 0) firstTabbable(pane)?.focus({ preventScroll: true });
              }}
            >
              {pane.dataset['name']}
            </button>
          ))}
        </nav>
        <div className={styles.stack} data-stack ref={scroller} onScroll={changed}>
          <StackedPanes panes={panes} depth={0} />
        </div>
      </div>
    </OuterStack.Provider>
  );
}

function JoinedStack({ panes }: StackProps) {
  const outer = useContext(OuterStack);
  const { depth = 0, changed } = outer ?? {};
  const names = panes.map(nameOf).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the names that are told of.
  useEffect(() => {
    changed?.();
    return changed;
  }, [names, changed]);
  const inner = useMemo(() => changed && { depth: depth + 1, changed }, [depth, changed]);
  return (
    <OuterStack.Provider value={inner}>
      <div className={styles.stack} data-stack>
        <StackedPanes panes={panes} depth={depth} />
      </div>
    </OuterStack.Provider>
  );
}

function StackedPanes({ panes, depth }: StackProps & { readonly depth: number }): ReactNode {
  const frames = useRef(new Map<string, HTMLDivElement>());
  const before = useRef<ReadonlyMap<string, boolean>>(undefined);
  // Scrolls to panes that were opened, linked to or requested.
  useLayoutEffect(() => {
    const known = before.current;
    before.current = new Map(panes.map(({ id, wanted }) => [id, wanted === true]));
    const asked = panes.find(({ id, wanted }) => {
      const wasWanted = known === undefined ? false : known.get(id);
      return wasWanted === undefined || (wanted === true && !wasWanted);
    });
    const main = panes.find(({ fixed }) => fixed !== true);
    const frame = frames.current.get((asked ?? main)?.id ?? '');
    if (frame === undefined || (asked === undefined && known !== undefined)) return;
    // Starts at the main pane. Nested panes added later do so only if no other pane has the focus.
    if (asked === undefined && depth !== 1 && (main === panes[0] || isBusyElsewhere(frame))) return;
    scrollStackTo(frame);
  }, [panes, depth]);
  return panes.map((pane) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click.
    // biome-ignore lint/a11y/noStaticElementInteractions: only the links inside are clicked.
    <div
      className={styles.stackPane}
      data-stack-pane
      key={pane.id}
      ref={(frame) => {
        if (frame !== null) frames.current.set(pane.id, frame);
        return () => void frames.current.delete(pane.id);
      }}
      data-name={nameOf(pane)}
      style={heightStyle(pane)}
      onClick={showNextPane}
    >
      {pane.content}
    </div>
  ));
}

function heightStyle({ stackedHeight }: PaneSpec): CSSProperties {
  return stackedHeight === undefined ? {} : { ['--stacked-height' as string]: `${stackedHeight}px` };
}

function nameOf({ id, name = id }: PaneSpec): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function innermostPanes(stack: Element): readonly HTMLElement[] {
  return [...stack.querySelectorAll<HTMLElement>('[data-stack-pane]:not(:has([data-stack-pane]))')];
}

function isSame(before: readonly HTMLElement[], next: readonly HTMLElement[]): boolean {
  return before.length === next.length && before.every((pane, index) => pane === next[index]);
}

/** The last pane that starts in the upper half. */
function paneInSight(stack: Element, panes: readonly Element[]): number {
  const { top, height } = stack.getBoundingClientRect();
  return Math.max(
    0,
    panes.findLastIndex((pane) => pane.getBoundingClientRect().top < top + height / 2),
  );
}

/** Whether the focus is in a sibling pane. */
function isBusyElsewhere(frame: Element): boolean {
  const pane = document.activeElement?.closest('[data-stack-pane]');
  return pane !== null && pane !== undefined && !pane.contains(frame);
}

/** Links of lists open the next pane. So do rows and leaves inside an element with `data-opens`, such as the requests of the log. */
const ROWS =
  'a.row, [data-opens="next"] :is(.row, [role="option"], [role="treeitem"]), [data-opens="leaf"] [role="treeitem"]:not([aria-expanded])';

/** A selected row scrolls to the next pane, where its details are; a problem scrolls to the editor before it. */
function showNextPane({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  if (!(target instanceof Element) || target.closest('[data-stack-pane]') !== currentTarget) return;
  const isSelected = (what: string): boolean => target.closest(what) !== null;
  const { nextElementSibling: next, previousElementSibling: previous } = currentTarget;
  const pane = isSelected('[data-opens="previous"]')
    ? previous
    : isSelected('button[data-opens="either"], [data-opens="either"] .row')
      ? (next ?? previous)
      : isSelected(ROWS)
        ? next
        : null;
  if (pane !== null) scrollStackTo(pane);
}
