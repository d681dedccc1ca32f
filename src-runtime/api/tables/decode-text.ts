/** Decodes the bytes of a file as they arrive: unpacks gzip, and finds the encoding. */

import { UnreadableTable } from './import-file.js';

export interface DecodedText {
  readonly encoding: string;
  readonly isCompressed: boolean;
  readonly texts: AsyncIterable<string>;
}

/**
 * Finds the encoding by the byte order mark, else takes the given one, else UTF-8 if the first bytes are well-formed, else Windows-1252,
 * which accepts any bytes. The texts throw UnreadableTable at bytes that are malformed in the encoding.
 */
export async function decodeBytes(
  bytes: AsyncIterable<Uint8Array>,
  given: string | undefined,
  remedy: string,
): Promise<DecodedText> {
  const raw = await peeked(bytes, 2);
  const isCompressed = raw.start[0] === 0x1f && raw.start[1] === 0x8b;
  const { start, all } = await peeked(isCompressed ? unpacked(raw.all) : raw.all, SAMPLE_BYTES);
  const encoding = markedEncoding(start) ?? given ?? (isUtf8(start) ? 'utf-8' : 'windows-1252');
  const decoder = decoderOf(encoding);
  return { encoding: decoder.encoding, isCompressed, texts: decoded(all, decoder, remedy) };
}

/** All bytes at once, by the same rules. */
export async function decodeWhole(bytes: Uint8Array): Promise<{ readonly text: string; readonly encoding: string }> {
  async function* whole(): AsyncGenerator<Uint8Array, void> {
    yield bytes;
  }
  const { encoding, texts } = await decodeBytes(whole(), undefined, 'save it as UTF-8');
  let text = '';
  for await (const each of texts) text += each;
  return { text, encoding };
}

/** The first bytes that decide between UTF-8 and Windows-1252. */
const SAMPLE_BYTES = 2 ** 20;

interface Peeked {
  /** At least so many bytes, unless there are fewer. */
  readonly start: Uint8Array;
  /** All bytes, with those of the start. */
  readonly all: AsyncIterable<Uint8Array>;
}

async function peeked(bytes: AsyncIterable<Uint8Array>, length: number): Promise<Peeked> {
  const chunks: Uint8Array[] = [];
  const iterator = bytes[Symbol.asyncIterator]();
  for (let size = 0; size < length; ) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    size += next.value.length;
  }
  return { start: joined(chunks), all: resumed(chunks, iterator) };
}

async function* resumed(
  chunks: readonly Uint8Array[],
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* chunks;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Unpacks gzip. A failure of the source is thrown in place of that of the stream. */
async function* unpacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const { readable, writable } = new DecompressionStream('gzip');
  const writer = writable.getWriter();
  const written = (async () => {
    for await (const chunk of bytes) await writer.write(chunk as Uint8Array<ArrayBuffer>);
    await writer.close();
  })().catch(async (error: unknown) => {
    await writer.abort(error).catch(() => {});
  });
  const reader = readable.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    await written;
  } catch (cause) {
    throw new UnreadableTable('The compressed file is damaged or cut off.', { cause });
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}

/** Whether the bytes, which may be cut within a character, are well-formed. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Node has the class as a value only. */
type Decoder = InstanceType<typeof TextDecoder>;

function decoderOf(encoding: string): Decoder {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (cause) {
    throw new UnreadableTable(`The encoding "${encoding}" is unknown. Use a name such as utf-8 or windows-1252.`, {
      cause,
    });
  }
}

/** The decoder drops the byte order mark. */
async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  decoder: Decoder,
  remedy: string,
): AsyncGenerator<string, void> {
  let size = 0;
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      const where = `Not all of the file is ${decoder.encoding}: bytes after the first ${size} are malformed`;
      throw new UnreadableTable(`${where}; ${remedy}.`, { cause });
    }
  };
  for await (const chunk of bytes) {
    const text = decode(chunk);
    size += chunk.length;
    if (text !== '') yield text;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}
