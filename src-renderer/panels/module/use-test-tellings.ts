/** Test results of a file, as far as they apply to the edited text. */

import { useMemo } from 'react';
import type { OutlineItem } from '../../../src-runtime/language/service/index.js';
import { tellingOf, testKey } from '../../model/facts/test-runs.js';
import type { SourceFile } from '../../server-state/api.js';
import { useModuleInfo } from '../../server-state/module.js';
import { testRuns, useTests } from '../../server-state/tests.js';
import { useStore } from '../../state/store.js';
import type { TestTellings } from './editor/editor-tests.js';

/** Whether the server runs all texts as edited. */
export function useIsServed(files: readonly SourceFile[]): boolean {
  const sources = useModuleInfo().data?.sources;
  return useMemo(() => {
    const served = new Map(sources?.map(({ file, text }) => [file, text]));
    return served.size === files.length && files.every(({ file, text }) => served.get(file) === text);
  }, [sources, files]);
}

export function useTestTellings(
  items: readonly OutlineItem[] | undefined,
  module: string | undefined,
  isServed: boolean,
): TestTellings {
  const runs = useStore(testRuns);
  const loadedAt = useTests().data?.loadedAt;
  return useMemo(() => {
    const tests = module === undefined ? [] : (items ?? []).filter(({ kind }) => kind === 'test');
    const keys = tests.map(({ name }) => testKey({ module: module ?? '', name }));
    return new Map(keys.map((key) => [key, tellingOf(key, runs, { isServed, loadedAt })]));
  }, [items, module, isServed, runs, loadedAt]);
}
