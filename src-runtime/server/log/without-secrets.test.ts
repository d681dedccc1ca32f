import { describe, expect, it } from 'vitest';
import { createCleaning } from './without-secrets.js';

describe('a long token', () => {
  const clean = createCleaning(['q8Zr-T4u_wXy5']);

  it.each([
    '{"note":"q8Zr-T4u_wXy5"}',
    '{"note":"first\\nq8Zr-T4u_wXy5"}',
    '/v1/schema?page=q8Zr-T4u_wXy5&x=1',
    '/v1/schema?page=a%20q8Zr-T4u_wXy5',
    'Authorization: Bearer q8Zr-T4u_wXy5',
    'q8Zr-T4u_wXy5',
  ])('is removed from %s', (text) => {
    expect(clean(text)).toBe(text.replace('q8Zr-T4u_wXy5', '[removed]'));
  });

  it('is kept inside a longer word', () => {
    expect(clean('q8Zr-T4u_wXy56 and aq8Zr-T4u_wXy5')).toBe('q8Zr-T4u_wXy56 and aq8Zr-T4u_wXy5');
  });
});

describe('a token that may be a word', () => {
  const clean = createCleaning(['secret']);

  it.each([
    ['/page?token=secret&x=1', '/page?token=[removed]&x=1'],
    ['"curl -H \'authorization: Bearer secret\' /v1"', '"curl -H \'authorization: Bearer [removed]\' /v1"'],
    ['{"token":"secret"}', '{"token":"[removed]"}'],
    ['{"text":"{\\"token\\": \\"secret\\"}"}', '{"text":"{\\"token\\": \\"[removed]\\"}"}'],
    ['serve --token secret', 'serve --token [removed]'],
    ['ENTAIL_TOKEN=secret', 'ENTAIL_TOKEN=[removed]'],
  ])('is removed only where a token is expected: %s', (text, cleaned) => {
    expect(clean(text)).toBe(cleaned);
  });

  it.each(['{"name":"secretary","of":"secret service"}', '{"token":"secretary"}', '{"secret":true}'])(
    'is kept as an ordinary word: %s',
    (text) => {
      expect(clean(text)).toBe(text);
    },
  );
});

it('removes any token parameter of an address', () => {
  expect(createCleaning([])('/?token=yesterdays%20one#token=z')).toBe('/?token=[removed]#token=[removed]');
});
