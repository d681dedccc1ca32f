/** An accessible, virtualized tree with one tab stop. The focused row is its active descendant. */

import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { clsx } from 'clsx';
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
} from 'react';
import styles from './tree.module.css';
import { type TreeNode, type TreeRow, treeFind, treeMove, treeRows } from './tree-model.js';
import { useRowVirtualizer } from './use-row-virtualizer.js';

interface TreeProps<N extends TreeNode> {
  readonly label: string;
  readonly roots: readonly N[];
  readonly collapsed: ReadonlySet<string>;
  readonly onCollapsedChange: (collapsed: ReadonlySet<string>) => void;
  readonly selected: string | undefined;
  readonly onSelect: (node: N) => void;
  /** Enter or a double click on a row. */
  readonly onOpen?: (node: N) => void;
  /** Opens by a single click. */
  readonly opensByClick?: boolean;
  readonly renderNode: (node: N) => ReactNode;
  /** The name that type-ahead matches; absent for no type-ahead. */
  readonly nameOf?: (node: N) => string;
  /** Wraps long rows instead of cutting them. */
  readonly wraps?: boolean;
}

export function Tree<N extends TreeNode & { readonly children: readonly N[] }>(props: TreeProps<N>) {
  const { roots, collapsed, onCollapsedChange, selected, onSelect, onOpen, nameOf, wraps = false } = props;
  const treeId = useId();
  const typing = useTyping();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => treeRows(roots, collapsed), [roots, collapsed]);
  const virtualizer = useRowVirtualizer({
    count: rows.length,
    scroller,
    overscan: 20,
    keyOf: (index) => rows[index]?.node.id ?? index,
  });
  const selectedIndex = rows.findIndex((row) => row.node.id === selected);
  useEffect(() => {
    if (selectedIndex >= 0) virtualizer.scrollToIndex(selectedIndex, { align: 'auto' });
  }, [selectedIndex, virtualizer]);

  const setCollapsed = (id: string, value: boolean): void => {
    const next = new Set(collapsed);
    if (value) next.add(id);
    else next.delete(id);
    onCollapsedChange(next);
  };

  const find = (key: string, at: number): void => {
    const found = nameOf && treeFind(rows, selected, typing.typed(key, at), nameOf);
    if (found !== undefined) onSelect(found);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key.length > 1 && event.key !== 'Shift') typing.end();
    const current = rows[Math.max(0, selectedIndex)];
    if (current === undefined) return;
    if (event.key === 'Enter') {
      onOpen?.(current.node);
    } else if (event.key === ' ') {
      onSelect(current.node);
    } else if (event.key === '*') {
      const open = new Set(collapsed);
      for (const row of rows) if (row.parent === current.parent) open.delete(row.node.id);
      onCollapsedChange(open);
    } else if (nameOf !== undefined && event.key.length === 1) {
      find(event.key, event.timeStamp);
    } else {
      const move = treeMove(rows, current.node.id, event.key);
      if (move === undefined && !/^(Arrow|Home|End)/.test(event.key)) return;
      if (move?.kind === 'select') {
        const target = rows.find((row) => row.node.id === move.id);
        if (target !== undefined) onSelect(target.node);
      } else if (move !== undefined) setCollapsed(move.id, move.kind === 'collapse');
    }
    event.preventDefault();
  };

  const active = selectedIndex < 0 ? rows[0]?.node.id : selected;
  return (
    <div className={styles.treeScroller} ref={scroller}>
      <div
        role="tree"
        aria-label={props.label}
        tabIndex={0}
        aria-activedescendant={active === undefined ? undefined : `${treeId}${active}`}
        className={styles.tree}
        style={{ height: virtualizer.getTotalSize() }}
        onKeyDown={onKeyDown}
        onFocus={() => {
          const first = rows[0];
          if (selectedIndex < 0 && first !== undefined) onSelect(first.node);
        }}
        onBlur={typing.end}
      >
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <Row
              key={item.key}
              id={`${treeId}${row.node.id}`}
              row={row}
              top={item.start}
              selected={row.node.id === selected}
              {...(wraps && { index: item.index, measured: virtualizer.measureElement })}
              onSelect={() => onSelect(row.node)}
              onOpen={() => onOpen?.(row.node)}
              opensByClick={props.opensByClick === true}
              onToggle={() => setCollapsed(row.node.id, row.expanded === true)}
            >
              {props.renderNode(row.node)}
            </Row>
          );
        })}
      </div>
    </div>
  );
}

/** After this pause type-ahead starts a new name. */
const TYPING_PAUSE_MS = 700;

/** The letters of type-ahead so far. */
function useTyping() {
  const letters = useRef({ text: '', at: 0 });
  return {
    typed(key: string, at: number): string {
      const { text, at: before } = letters.current;
      letters.current = { text: at - before > TYPING_PAUSE_MS ? key : text + key, at };
      return letters.current.text;
    },
    end(): void {
      letters.current.text = '';
    },
  };
}

/** Sets a tooltip on a row whose text is cut at the edge, or at its last line. */
function setTooltip({ currentTarget: row }: PointerEvent<HTMLElement>): void {
  const room = row.closest('[role="tree"]')?.parentElement?.clientWidth ?? 0;
  const isCut = row.offsetWidth > room || [...row.children].some((part) => part.scrollHeight > part.clientHeight + 1);
  row.title = isCut ? row.innerText.replaceAll('\n', ' ') : '';
}

interface RowProps<N extends TreeNode> {
  readonly id: string;
  readonly row: TreeRow<N>;
  readonly top: number;
  /** Of a row that wraps: its index, and the virtualizer's callback that measures its height. */
  readonly index?: number;
  readonly measured?: (element: HTMLElement | null) => void;
  readonly selected: boolean;
  readonly onSelect: () => void;
  readonly onOpen: () => void;
  readonly opensByClick: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

/** Half the indent from the seventh level on, so that deep rows keep room for their text. */
function indentStyle(level: number): CSSProperties {
  return { ['--indent' as string]: `${8 + 16 * Math.min(level - 1, 6) + 8 * Math.max(0, level - 7)}px` };
}

function Row<N extends TreeNode>(props: RowProps<N>) {
  const { id, row, top, index, measured, selected, onSelect, onOpen, opensByClick, onToggle, children } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the tree is the one tab stop; this is its active descendant.
    <div
      id={id}
      ref={measured}
      role="treeitem"
      className={measured === undefined ? styles.treeRow : clsx(styles.treeRow, styles.treeRowWraps)}
      data-index={index}
      data-node={row.node.id}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={selected}
      aria-expanded={row.expanded}
      style={{ transform: `translateY(${top}px)`, ...indentStyle(row.level) }}
      onClick={(event) => {
        onSelect();
        if (opensByClick && event.detail < 2) onOpen();
      }}
      onDoubleClick={opensByClick ? undefined : onOpen}
      onPointerEnter={setTooltip}
    >
      {row.expanded === undefined ? (
        <span className={styles.treeToggle} />
      ) : (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the tree do the same.
        // biome-ignore lint/a11y/noStaticElementInteractions: a pointer's shortcut for the arrow keys.
        <span
          className={styles.treeToggle}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          {row.expanded ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
        </span>
      )}
      {children}
    </div>
  );
}
