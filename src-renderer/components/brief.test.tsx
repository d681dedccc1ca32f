/** What is cut by letters for the eye. */

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

it('stands as it is where there is room', () => expect(rendered(50)).toBe(NAME));
