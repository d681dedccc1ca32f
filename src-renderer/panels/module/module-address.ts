/** The address of the Module panel: file and position, view, and diagram options. */

import { useMemo } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';
import type { Span } from '../../../src-runtime/base/span.js';
import { type DiagramPart, PARTS } from './diagram/diagram.js';

export const VIEWS = ['text', 'split', 'diagram'] as const;
export type ModuleView = (typeof VIEWS)[number];

export interface ModuleAddress {
  readonly file: string | null;
  readonly view: ModuleView;
  /** The declaration selected in the diagram. */
  readonly selected: string | undefined;
  /** Shows only this declaration and its neighbours. */
  readonly neighboursOf: string | undefined;
  readonly hidden: ReadonlySet<DiagramPart>;
  setView(view: ModuleView): void;
  select(path: string): void;
  showNeighboursOf(path: string | undefined): void;
  setHidden(part: DiagramPart, isHidden: boolean): void;
  /** Shows a position in the source, beside the diagram if only that is shown, and selects the declaration. */
  openSpan(span: Pick<Span, 'file' | 'start'>, path?: string): void;
  openFile(file: string): void;
}

export function useModuleAddress(): ModuleAddress {
  const [search, setSearch] = useSearchParams();
  const hide = search.get('hide') ?? '';
  const hidden = useMemo(() => hiddenParts(hide), [hide]);
  return useMemo(() => {
    const view = VIEWS.find((each) => each === search.get('view')) ?? 'text';
    const set = (changes: Readonly<Record<string, string | undefined>>, options?: NavigateOptions): void =>
      setSearch((current) => changed(current, changes), options);
    // The position was shown already. Other changes of the address must not show it again.
    const stay = { line: undefined, column: undefined };
    return {
      file: search.get('file'),
      view,
      selected: search.get('at') ?? undefined,
      neighboursOf: search.get('around') ?? undefined,
      hidden,
      setView: (next) => set({ ...stay, view: next === 'text' ? undefined : next }),
      select: (path) => set({ ...stay, at: path }, { replace: true }),
      showNeighboursOf: (path) => set({ ...stay, around: path, ...(path !== undefined && { at: path }) }),
      setHidden(part, isHidden) {
        const next = PARTS.filter((each) => (each === part ? isHidden : hidden.has(each)));
        // Synchronous, so that a checkbox does not wait for the layout of the diagram.
        const options = { replace: true, flushSync: true };
        set({ ...stay, hide: next.length === 0 ? undefined : next.join(',') }, options);
      },
      openFile: (file) => set({ ...stay, file }),
      openSpan: ({ file, start }, path) =>
        set({
          ...(path !== undefined && { at: path }),
          file,
          line: String(start.line),
          column: String(start.column),
          ...(view === 'diagram' && { view: 'split' }),
        }),
    };
  }, [search, setSearch, hidden]);
}

function hiddenParts(hide: string): ReadonlySet<DiagramPart> {
  const names = hide.split(',');
  return new Set(PARTS.filter((part) => names.includes(part)));
}

function changed(current: URLSearchParams, changes: Readonly<Record<string, string | undefined>>): URLSearchParams {
  const next = new URLSearchParams(current);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}
