/** What becomes of output that nobody reads. */

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { outliveReader } from './terminal.js';

describe('a stream that outlives its reader', () => {
  const failed = (code: string) => {
    const stream = new PassThrough();
    outliveReader(stream);
    return () => stream.emit('error', Object.assign(new Error(`write ${code}`), { code }));
  };

  it('goes on where the pipe has been closed', () => {
    expect(failed('EPIPE')).not.toThrow();
  });

  it('fails with everything else', () => {
    expect(failed('ENOSPC')).toThrow('write ENOSPC');
  });
});
