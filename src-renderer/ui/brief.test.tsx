/** Truncation by number of characters. */

import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Brief, LettersMax } from './brief.js';

const NAME = 'com.example.pipeline.Stage12.process';

const rendered = (lettersMax: number): string =>
  renderToStaticMarkup(
    <LettersMax value={lettersMax}>
      <Brief>{NAME}</Brief>
    </LettersMax>,
  );

it('gives screen readers the full text without the ellipsis', () => {
  const markup = rendered(20);
  expect(markup).toContain('data-shown="com.exampl…2.process"');
  expect(markup.replaceAll(/<[^>]*>/g, '')).toBe(NAME);
});

it('omits the middle of a text that is too long to lay out, for screen readers too', () => {
  for (const lettersMax of [20, Number.POSITIVE_INFINITY]) {
    const markup = renderToStaticMarkup(
      <LettersMax value={lettersMax}>
        <Brief>{'word '.repeat(200_000)}</Brief>
      </LettersMax>,
    );
    expect(markup.length).toBeLessThan(2_000);
  }
});

it('shows a text that fits unchanged', () => expect(rendered(50)).toBe(NAME));
