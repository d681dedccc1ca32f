/** The address stores and restores the state of the Log panel. */

import { describe, expect, it } from 'vitest';
import { changedAddress, orderedRequests, readAddress, shownRequests } from './log-address.js';
import { requestRow as row } from './testing/request-rows.js';

describe('the address of the log', () => {
  it('restores the selection and the filters', () => {
    const address = changedAddress(new URLSearchParams('request=old&keep=1'), {
      request: 'r1',
      status: '4xx',
      fork: 'what-if',
      tenant: 'south',
      own: 'shown',
      order: 'slow',
      bodies: 'too',
    });
    expect(address.toString()).toBe(
      'request=r1&keep=1&status=4xx&on=what-if&tenant=south&own=shown&order=slow&bodies=too',
    );
    expect(readAddress(address)).toEqual({
      request: 'r1',
      with: undefined,
      isChanging: false,
      codes: undefined,
      filter: { status: '4xx', fork: 'what-if', tenant: 'south' },
      own: true,
      order: 'slow',
      bodies: true,
    });
  });

  it('has the second request of a comparison, which is empty until selected', () => {
    const comparing = changedAddress(new URLSearchParams('request=r1'), { with: '' });
    expect(readAddress(comparing).with).toBe('');
    expect(readAddress(changedAddress(comparing, { with: 'r2' })).with).toBe('r2');
    expect(readAddress(changedAddress(comparing, { with: undefined })).with).toBeUndefined();
    expect(readAddress(new URLSearchParams('with=r2')).with).toBeUndefined();
  });

  it('has the editing mode of the selected request, and drops it if another one is selected', () => {
    const changing = changedAddress(new URLSearchParams('request=r1'), { changes: 'r1' });
    expect(readAddress(changing).isChanging).toBe(true);
    expect(readAddress(changedAddress(changing, { request: 'r2' })).isChanging).toBe(false);
    expect(readAddress(changedAddress(changing, { changes: undefined })).isChanging).toBe(false);
  });

  it('drops cleared parameters, and distinguishes all error codes from none', () => {
    expect(changedAddress(new URLSearchParams('text=a&on=b&codes='), { text: '', fork: undefined }).toString()).toBe(
      'codes=',
    );
    expect(readAddress(new URLSearchParams('codes=')).codes).toBe('');
    expect(readAddress(new URLSearchParams('')).codes).toBeUndefined();
  });
});

describe('the list of requests', () => {
  it('hides reads of the workbench, unless they failed or the user shows them', () => {
    const rows = [
      row(4, { client: 'workbench' }),
      row(3, { client: 'workbench', status: 503 }),
      row(2, { client: 'workbench', method: 'POST', path: '/v1/dispatch/query' }),
      row(1, { client: 'ci' }),
    ];
    const shown = (search: string) =>
      shownRequests(rows, readAddress(new URLSearchParams(search))).map(({ seq }) => seq);
    expect(shown('')).toEqual([3, 2, 1]);
    expect(shown('own=shown')).toEqual([4, 3, 2, 1]);
    expect(shown('status=5xx')).toEqual([3]);
  });

  it('can be sorted by duration or size', () => {
    const rows = [row(3, { ms: 2, bytes: 10 }), row(2, { ms: 40, bytes: 10 }), row(1, { ms: 2, bytes: 900 })];
    const shown = (search: string) =>
      orderedRequests(rows, readAddress(new URLSearchParams(search)).order).map(({ seq }) => seq);
    expect(shown('order=sideways')).toEqual([3, 2, 1]);
    expect(shown('order=slow')).toEqual([2, 3, 1]);
    expect(shown('order=large')).toEqual([1, 3, 2]);
  });
});
