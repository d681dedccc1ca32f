/** From the bytes of a file to its text. */

export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
}

/** The encoding is that of the byte order mark, else UTF-8, and where the bytes are malformed, Windows-1252, which any bytes are. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decoded(bytes, 'utf-16le');
  if (first === 0xfe && second === 0xff) return decoded(bytes, 'utf-16be');
  try {
    return decoded(bytes, 'utf-8');
  } catch {
    return decoded(bytes, 'windows-1252');
  }
}

function decoded(bytes: Uint8Array, encoding: string): DecodedText {
  return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), encoding };
}
