import { expect, it } from 'vitest';
import { KeptTexts } from './kept-texts.js';

it('returns the texts in order, and undefined for a missing one', () => {
  const kept = new KeptTexts();
  kept.keep(['plain', undefined, '', 'größer 😀'], ['more']);
  expect(kept.texts()).toEqual(['plain', undefined, '', 'größer 😀', 'more']);
  kept.keep(['x'.repeat(20_000)]);
  kept.keep(['short', undefined]);
  expect(kept.texts()).toEqual(['short', undefined]);
  expect(kept.size).toBeLessThan(1_000);
});

it('leaves nothing of a longer text', () => {
  const kept = new KeptTexts();
  kept.keep(['a long text with a secret']);
  kept.keep(['short']);
  const { memory } = kept as unknown as { readonly memory: Buffer };
  expect(memory.toString()).not.toContain('secret');
});
