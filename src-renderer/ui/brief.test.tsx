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

it('is there whole for a screen reader, which is not told the ellipsis', () => {
  const markup = rendered(20);
  expect(markup).toContain('data-shown="com.exampl…2.process"');
  expect(markup.replaceAll(/<[^>]*>/g, '')).toBe(NAME);
});

it('leaves out the middle of a text that is too long to be laid out, for a screen reader too', () => {
  for (const lettersMax of [20, Number.POSITIVE_INFINITY]) {
    const markup = renderToStaticMarkup(
      <LettersMax value={lettersMax}>
        <Brief>{'word '.repeat(200_000)}</Brief>
      </LettersMax>,
    );
    expect(markup.length).toBeLessThan(2_000);
  }
});

it('stands as it is where there is room', () => expect(rendered(50)).toBe(NAME));
