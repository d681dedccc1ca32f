/** The parts of a demo's story, and the messages to its author if it is not valid. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseStory, STEPS } from './story.mjs';

const HEAD = '# Signing\n\nModule: lease.entail\n\n';

describe('a story', () => {
  it('consists of scenes with captions and steps', () => {
    const text = `${HEAD}## Sign\n\nChidi signs,\nand nobody guarantees it.\n\n- open Invoke\n- call sign (tenant: Chidi Okafor, code: A, B, rent: 700)\n- call leaseCount\n`;
    expect(parseStory(text, 'signing.md')).toEqual({
      title: 'Signing',
      modules: ['lease.entail'],
      scenes: [
        {
          title: 'Sign',
          caption: 'Chidi signs, and nobody guarantees it.',
          steps: [
            { verb: 'open', object: 'Invoke', args: {}, text: 'open Invoke' },
            {
              verb: 'call',
              object: 'sign',
              args: { tenant: 'Chidi Okafor', code: 'A, B', rent: '700' },
              text: 'call sign (tenant: Chidi Okafor, code: A, B, rent: 700)',
            },
            { verb: 'call', object: 'leaseCount', args: {}, text: 'call leaseCount' },
          ],
        },
      ],
    });
  });

  it.each([
    ['- open Invoke', 'signing.md:5: captions and steps belong to a scene; begin one with "## ".'],
    ['## Sign\n- opne Invoke', 'signing.md:6: "opne" is no step. Steps are:\nopen PANEL'],
    ['## Sign\n- open', 'signing.md:6: "open" wants more: open PANEL.'],
    ['## Sign\n- call sign(', 'signing.md:6: "call sign(" cannot be read'],
    ['## Sign\n- call sign (Chidi)', 'signing.md:6: "Chidi" is no argument; it should be "name: value".'],
    ['', 'signing.md: there is no scene'],
  ])('is rejected if it contains %j', (body, message) => {
    expect(() => parseStory(HEAD + body, 'signing.md')).toThrow(message);
  });

  it('is rejected without a module', () => {
    expect(() => parseStory('## Sign\n', 'signing.md')).toThrow('signing.md: a line "Module: FILE"');
  });

  it('has exactly the steps that docs/demos.md lists', () => {
    const page = readFileSync(join(import.meta.dirname, '../docs/demos.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `(\w+) .*?` \|/gm)].map(([, verb]) => verb);
    expect(listed.sort()).toEqual(Object.keys(STEPS).sort());
  });
});
