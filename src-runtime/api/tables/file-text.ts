/** Decodes the bytes of a file, and refuses files that are too large. */

export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
}

/** The largest file that is read at once. Its rows take about twenty times as much memory. */
export const FILE_BYTES_MAX = 64 * 2 ** 20;

/** The size may be unknown, as that of a pipe is. */
export function tooLargeMessage(name: string, bytes?: number): string {
  const most = mebibytes(FILE_BYTES_MAX);
  const size = bytes === undefined ? `more than ${most} MiB` : `${mebibytes(bytes)} MiB`;
  return `${name} has ${size}; at most ${most} MiB can be read at once. Split it into smaller files, each with the header, and import one after the other.`;
}

/** By the byte order mark, or as UTF-8, or if that is malformed, as Windows-1252, which accepts any bytes. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decoded(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be');
  try {
    return decoded(bytes, 'utf-8');
  } catch (error) {
    // Another failure, such as a text that is too long, does not depend on the encoding.
    if (!(error instanceof TypeError)) throw error;
    return decoded(bytes, 'windows-1252');
  }
}

function decoded(bytes: Uint8Array, encoding: string): DecodedText {
  return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
}

function mebibytes(bytes: number): string {
  return String(Math.ceil((bytes / 2 ** 20) * 10) / 10);
}
