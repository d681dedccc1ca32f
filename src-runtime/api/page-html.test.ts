import { expect, it } from 'vitest';
import { pageAt } from './page-html.js';

const HTML = `<head>
    <meta name="style-nonce" content="__STYLE_NONCE__">
    <link rel="modulepreload" href="/assets/index.js">
    <link data-panel="/module" rel="modulepreload" href="/assets/module-panel.js">
    <link data-panel="/data" rel="stylesheet" href="/assets/data-panel.css">
    <link data-panel="/data" rel="modulepreload" href="/assets/data-panel.js">
  </head>`;

const filesAt = (path: string) =>
  [...pageAt(HTML, path, { nonce: 'n', project: 'p' }).matchAll(/href="\/assets\/([^"]+)"/g)].map(([, file]) => file);

it('links only the files that its panel needs', () => {
  expect(filesAt('/data')).toEqual(['index.js', 'data-panel.css', 'data-panel.js']);
  expect(filesAt('/module')).toEqual(['index.js', 'module-panel.js']);
});

it.each(['/', '/index.html', '/elsewhere', '/data/'])('opens on the module at %s', (path) => {
  expect(filesAt(path)).toEqual(['index.js', 'module-panel.js']);
});

it('has the nonce where the page reads it', () => {
  expect(pageAt(HTML, '/data', { nonce: 'abc', project: 'p' })).toContain('<meta name="style-nonce" content="abc">');
});
