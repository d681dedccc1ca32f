/**
 * Pagination cursors: opaque to clients, authenticated, and bound to one request. A cursor holds the sort key of the last row, so rows that
 * are inserted or removed meanwhile shift nothing.
 */

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { ApiError } from '../../api/errors.js';
import type { JsonValue } from '../../api/schemas/schemas.js';
import type { Paging } from '../contract/requests.js';

const TAG_LENGTH = 32;

/** Issues and reads cursors under one secret key. */
export interface Cursors {
  /** `request` identifies the request: route, path, arguments, scope and fork. */
  issue(request: JsonValue, lastKey: JsonValue): string;
  /** The key in a cursor that `issue` made for this request. Throws INVALID_CURSOR for any other text. */
  read(request: JsonValue, cursor: string): JsonValue;
}

export function createCursors(key: Uint8Array): Cursors {
  const tagOf = (request: JsonValue, payload: string) =>
    bytesToHex(hmac(sha256, key, utf8ToBytes(`${canonicalize(request)}\n${payload}`))).slice(0, TAG_LENGTH);
  return {
    issue(request, lastKey) {
      const payload = toHexText(JSON.stringify(lastKey));
      return tagOf(request, payload) + payload;
    },
    read(request, cursor) {
      const payload = cursor.slice(TAG_LENGTH);
      if (!/^[0-9a-f]+$/.test(cursor) || cursor.slice(0, TAG_LENGTH) !== tagOf(request, payload)) {
        throw new ApiError(
          'SVC_RUNTIME_INVALID_CURSOR',
          'The cursor in "page" was not issued by this server for this request; pass nextCursor back verbatim with the same request, or leave page out.',
        );
      }
      return JSON.parse(fromHexText(payload)) as JsonValue;
    },
  };
}

function toHexText(text: string): string {
  return bytesToHex(utf8ToBytes(text));
}

function fromHexText(hex: string): string {
  const escaped = hex.replace(/../g, (pair) => `%${pair}`);
  return decodeURIComponent(escaped);
}

export interface PageRequest {
  readonly paging: Paging;
  readonly cursors: Cursors;
  /** What a cursor is bound to: route, path, arguments, scope and fork. */
  readonly request: JsonValue;
  readonly rowsMax: number;
}
