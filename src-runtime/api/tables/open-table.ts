/** Reads a file as a table while its bytes arrive, in constant memory. */

import { decodeBytes } from './decode-text.js';
import {
  type CsvOptions,
  createRowReader,
  type FileRow,
  parsedFile,
  type Table,
  UnreadableTable,
} from './import-file.js';

export interface TableOptions extends CsvOptions {
  /** The encoding if there is no byte order mark; detected by default. */
  readonly encoding?: string | undefined;
  /** What the user can do about bytes that are malformed in the encoding. */
  readonly encodingRemedy?: string;
}

/** Throws UnreadableTable if the beginning of the file is no table. */
export async function openTable(bytes: AsyncIterable<Uint8Array>, options: TableOptions): Promise<Table> {
  const { encoding, encodingRemedy = 'choose its encoding' } = options;
  const decoded = await decodeBytes(bytes, encoding, encodingRemedy);
  const texts = decoded.texts[Symbol.asyncIterator]();
  let start = '';
  let isWhole = false;
  while (!isWhole && start.length < SAMPLE_CHARACTERS) {
    const next = await texts.next();
    isWhole = next.done === true;
    start += next.value ?? '';
  }
  if (start.trim() === '') throw new UnreadableTable('The file is empty.');
  const reader = createRowReader(start, isWhole, options);

  async function* rows(): AsyncGenerator<readonly FileRow[], void> {
    try {
      yield reader.first;
      for (let isLast = isWhole; !isLast; ) {
        const next = await texts.next();
        isLast = next.done === true;
        yield reader.read(next.value ?? '', isLast);
      }
    } finally {
      await texts.return?.();
    }
  }

  const { isCompressed } = decoded;
  return { encoding: decoded.encoding, isCompressed, sample: parsedFile(reader, reader.first), rows: rows() };
}

/** Enough rows to tell how numbers and dates are written. */
const SAMPLE_CHARACTERS = 2 ** 18;
