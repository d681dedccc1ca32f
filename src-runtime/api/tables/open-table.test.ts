/** Reading files of any kind as they arrive. */

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openTable, type TableOptions } from './open-table.js';

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, options: TableOptions = {}, size = 3) {
  const table = await openTable(chunksOf(bytes, size), options);
  const rows = [];
  for await (const batch of table.rows) for (const row of batch) rows.push('cells' in row ? row.cells : row.record);
  return { ...table, rows };
}

const utf8 = (text: string) => Buffer.from(text);

describe('a file', () => {
  const text = 'name;n\nZoë;1\n"Æ;b";2\n';
  const rows = [
    ['Zoë', '1'],
    ['Æ;b', '2'],
  ];

  it.each([
    ['utf-8', utf8(text), {}],
    ['utf-8', utf8(`\uFEFF${text}`), {}],
    ['utf-16le', Buffer.from(`\uFEFF${text}`, 'utf16le'), {}],
    ['utf-16be', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(), {}],
    ['windows-1252', Buffer.from(text, 'latin1'), {}],
    ['utf-16le', Buffer.from(text, 'utf16le'), { encoding: 'utf-16le' }],
    ['utf-8', utf8(`\uFEFF${text}`), { encoding: 'windows-1252' }],
  ])('is read as %s', async (encoding, bytes, options) => {
    const table = await read(bytes, options);
    expect([table.encoding, table.isCompressed, table.rows]).toEqual([encoding, false, rows]);
    const packed = await read(gzipSync(bytes), options);
    expect([packed.encoding, packed.isCompressed, packed.rows]).toEqual([encoding, true, rows]);
  });

  it('is read to its end, whatever its size, with the first rows as sample', async () => {
    const lines = Array.from({ length: 50_000 }, (_, at) => `name ${at},${at}`);
    const table = await read(utf8(`name,n\n${lines.join('\n')}`), {}, 10_000);
    expect(table.rows).toHaveLength(50_000);
    expect(table.rows.at(-1)).toEqual(['name 49999', '49999']);
    expect(table.sample.records.length).toBeLessThan(25_000);
  });

  it('stops where it is malformed, after the rows before', async () => {
    const lines = Array.from({ length: 50_000 }, (_, at) => `name ${at},${at}`);
    const table = await openTable(chunksOf(utf8(`name,n\n${lines.join('\n')}\n"a"b,1\n`), 10_000), {});
    let count = 0;
    const reading = (async () => {
      for await (const batch of table.rows) count += batch.length;
    })();
    await expect(reading).rejects.toThrow('In line 50002, a cell continues after its closing quote');
    expect(count).toBe(50_000);
  });

  it('names the remedy for bytes that are malformed behind the sample', async () => {
    const bytes = Buffer.concat([utf8('a\n'), utf8('x\n'.repeat(2 ** 20)), Buffer.from('Zo\xEB\n', 'latin1')]);
    const reading = read(bytes, { encodingRemedy: 'add --encoding' }, 2 ** 16);
    await expect(reading).rejects.toThrow(/^Not all of the file is utf-8: .* malformed; add --encoding\.$/);
    expect((await read(bytes, { encoding: 'windows-1252' }, 2 ** 16)).rows.at(-1)).toEqual(['Zoë']);
  });

  it('is refused if it is empty, has no rows, is cut off or has an unknown encoding', async () => {
    await expect(read(utf8(''))).rejects.toThrow('The file is empty.');
    await expect(read(utf8('a,b\n'))).rejects.toThrow('The file has a header and no rows.');
    const packed = gzipSync(utf8(text.repeat(9)));
    await expect(read(packed.subarray(0, 30))).rejects.toThrow('The compressed file is damaged or cut off.');
    await expect(read(utf8(text), { encoding: 'klingon' })).rejects.toThrow('The encoding "klingon" is unknown.');
  });
});
