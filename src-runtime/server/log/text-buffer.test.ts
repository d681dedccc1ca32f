import { expect, it } from 'vitest';
import { TextBuffer } from './text-buffer.js';

it('returns the texts in order, and undefined for a missing one', () => {
  const kept = new TextBuffer();
  kept.store(['plain', undefined, '', 'größer 😀'], ['more']);
  expect(kept.texts()).toEqual(['plain', undefined, '', 'größer 😀', 'more']);
  kept.store(['x'.repeat(20_000)]);
  kept.store(['short', undefined]);
  expect(kept.texts()).toEqual(['short', undefined]);
  expect(kept.size).toBeLessThan(1_000);
});

it('keeps no part of a longer text that was replaced', () => {
  const kept = new TextBuffer();
  kept.store(['a long text with a secret']);
  kept.store(['short']);
  const { memory } = kept as unknown as { readonly memory: Buffer };
  expect(memory.toString()).not.toContain('secret');
});
