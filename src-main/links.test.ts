/** `entail://` addresses can navigate to a panel, and nothing else. */

import { EventEmitter } from 'node:events';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type LinkMessages, openedLinks, panelAddress } from './links.js';

it.each([
  ['entail://data', '/data'],
  ['entail://data/', '/data'],
  [
    'ENTAIL://Explain?relation=lease%3A%3Aliable&tuple=%5B%22%40a%22%5D',
    '/explain?relation=lease%3A%3Aliable&tuple=%5B%22%40a%22%5D',
  ],
  ['entail://settings?section=about', '/settings?section=about'],
])('navigates for %s', (link, place) => {
  expect(panelAddress(link)).toBe(place);
});

it.each([
  ['a file', 'entail://open/etc/passwd'],
  ['a path below a panel', 'entail://data/../../v1/project/open'],
  ['an encoded path', 'entail://data/%2e%2e/v1'],
  ['the API', 'entail://v1/dispatch/mutation'],
  ['another origin', 'entail://data@evil.example'],
  ['a user', 'entail://user:word@data'],
  ['a port', 'entail://data:80'],
  ['no panel', 'entail://'],
  ['a third slash', 'entail:///data'],
  ['an opaque address', 'entail:data'],
  ['an inherited name', 'entail://constructor'],
  ['another scheme', 'https://data'],
  ['a script', 'javascript://data'],
  ['a file address', 'file:///data'],
  ['a switch', '--inspect=entail://data'],
  ['a quote and a switch', 'entail://data" --inspect'],
  ['a line feed', 'entail://data?a\nb'],
  ['a control character', 'entail://data?\0'],
  ['a letter outside ASCII', 'entail://dаta'],
  ['a very long address', `entail://data?a=${'a'.repeat(2_000)}`],
  ['text that is no address', 'data'],
])('ignores %s', (_what, link) => {
  expect(panelAddress(link)).toBeUndefined();
});

it('knows every panel', () => {
  const panels = readdirSync(new URL('../src-renderer/panels', import.meta.url));
  expect(panels.map((panel) => panelAddress(`entail://${panel}`))).toEqual(panels.map((panel) => `/${panel}`));
});

it('drops the fragment, in which a token could be', () => {
  expect(panelAddress('entail://data?a=1#token=secret')).toBe('/data?a=1');
});

it('shows the link of the start, and those of later starts and of macOS', () => {
  const messages = new EventEmitter();
  const shown: string[] = [];
  const links = openedLinks(messages as unknown as LinkMessages, ['/app', 'lease.entail', 'entail://log']);
  links.follow((place) => shown.push(place));
  messages.emit('second-instance', {}, ['entail', '--flag', 'entail://data?row=1'], '/');
  messages.emit('second-instance', {}, ['entail', 'lease.entail'], '/');
  const prevented: string[] = [];
  const open = (link: string) => messages.emit('open-url', { preventDefault: () => prevented.push(link) }, link);
  open('entail://checks');
  open('entail://open/x.entail');
  expect(shown).toEqual(['/log', '/data?row=1', '/checks']);
  expect(prevented).toHaveLength(2);
});

it('keeps the last link until there is a window', () => {
  const messages = new EventEmitter();
  const links = openedLinks(messages as unknown as LinkMessages, []);
  messages.emit('open-url', { preventDefault: () => undefined }, 'entail://data');
  messages.emit('open-url', { preventDefault: () => undefined }, 'entail://log');
  const shown: string[] = [];
  links.follow((place) => shown.push(place));
  expect(shown).toEqual(['/log']);
});
