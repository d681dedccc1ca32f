/** Output to a pipe whose reader has closed it. */

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ignoreClosedPipe } from './terminal.js';

describe('ignoreClosedPipe', () => {
  const failed = (code: string) => {
    const stream = new PassThrough();
    ignoreClosedPipe(stream);
    return () => stream.emit('error', Object.assign(new Error(`write ${code}`), { code }));
  };

  it('ignores a closed pipe', () => {
    expect(failed('EPIPE')).not.toThrow();
  });

  it('throws other errors', () => {
    expect(failed('ENOSPC')).toThrow('write ENOSPC');
  });
});
