/** The declarations of a module, as its outline lists them. */

import { joinSpans } from '../../base/span.js';
import type { Item, ModuleSyntax } from '../ast.js';
import type { OutlineItem, OutlineKind } from './types.js';

/**
 * In source order. Later clauses of a rule are counted with its first, and facts of one relation that follow
 * one another with the first of them.
 */
export function outlineOf(module: ModuleSyntax): OutlineItem[] {
  const outline: OutlineItem[] = [];
  const rules = new Map<string, number>();
  for (const item of module.items) {
    const entry = outlineItem(item);
    if (entry === undefined) continue;
    const last = outline.length - 1;
    const isRule = entry.kind === 'derive' || entry.kind === 'define';
    const first = isRule ? rules.get(`${entry.kind} ${entry.name}`) : last;
    const before = first === undefined ? undefined : outline[first];
    const joins = isRule || (entry.kind === 'fact' && before?.kind === 'fact');
    if (joins && first !== undefined && before !== undefined && before.name === entry.name) {
      const span = first === last ? joinSpans(before.span, entry.span) : before.span;
      outline[first] = { ...before, span, parts: before.parts + 1 };
      continue;
    }
    if (isRule) rules.set(`${entry.kind} ${entry.name}`, outline.length);
    outline.push(entry);
  }
  return outline;
}

function outlineItem(item: Item): OutlineItem | undefined {
  if (item.kind === 'use') return undefined;
  const common = { span: item.span, parts: 1 };
  if (item.kind === 'fact') {
    const relation = item.relation.segments.map((segment) => segment.text).join('::');
    return { ...common, kind: 'fact', name: relation, public: false };
  }
  if (item.kind === 'test') return { ...common, kind: 'test', name: item.title.value, public: false };
  if (item.kind === 'context') return { ...common, kind: 'context', name: item.name.text, public: false };
  return { ...common, kind: outlineKind(item.kind), name: item.name.text, public: item.public };
}

function outlineKind(kind: Exclude<Item['kind'], 'use' | 'fact' | 'test' | 'context'>): OutlineKind {
  return kind === 'externFn' || kind === 'externType' ? 'extern' : kind;
}
