/**
 * Keeps texts that are seldom read as bytes outside the heap, in reused memory. The garbage collector would move such strings twice,
 * and pause every request for it (`bench:http`: half of the cost of a minor collection).
 */

import { Buffer } from 'node:buffer';

/** A list of texts in one buffer. */
export class TextBuffer {
  private memory: Buffer = NO_MEMORY;
  private used = 0;
  /** The length of each text in characters; -1 for undefined. */
  private readonly lengths: number[] = [];
  private count = 0;

  /** Replaces all texts. */
  store(texts: readonly (string | undefined)[], more: readonly string[] = NO_TEXTS): void {
    const whole = this.joined(more, this.joined(texts, '', 0), texts.length);
    this.count = texts.length + more.length;
    const before = this.used;
    this.used = this.memory.write(whole);
    // A text at the end of the buffer may be cut off, so it gets a larger one. A buffer that is far too large is replaced.
    if (this.used > this.memory.length - CHARACTER_BYTES_MAX || this.memory.length > SPARE_BYTES_MAX) {
      this.makeRoom(Buffer.byteLength(whole));
      this.used = this.memory.write(whole);
    }
    // Nothing of the texts before may remain.
    if (this.used < before) this.memory.fill(0, this.used);
  }

  private joined(texts: readonly (string | undefined)[], before: string, from: number): string {
    let whole = before;
    for (let at = 0; at < texts.length; at++) {
      const text = texts[at];
      this.lengths[from + at] = text === undefined ? -1 : text.length;
      if (text !== undefined) whole += text;
    }
    return whole;
  }

  texts(): (string | undefined)[] {
    const whole = this.memory.toString('utf8', 0, this.used);
    let start = 0;
    return this.lengths.slice(0, this.count).map((length) => {
      if (length < 0) return undefined;
      start += length;
      return whole.slice(start - length, start);
    });
  }

  /** Bytes of the buffer. */
  get size(): number {
    return this.memory.length;
  }

  private makeRoom(bytes: number): void {
    const { length } = this.memory;
    const isWasteful = length > SPARE_BYTES_MAX && length > 2 * bytes;
    if (length >= bytes + CHARACTER_BYTES_MAX && !isWasteful) return;
    this.memory = Buffer.alloc(Math.ceil((bytes + CHARACTER_BYTES_MAX) / ROOM_BYTES) * ROOM_BYTES);
  }
}

/** Bytes of the longest character in UTF-8. */
const CHARACTER_BYTES_MAX = 4;

const NO_TEXTS: readonly string[] = [];
const NO_MEMORY = Buffer.alloc(0);

/** Buffers are multiples of this, because most texts are a little shorter or longer than those before them. */
const ROOM_BYTES = 512;

/** Larger buffers are given back when the texts get shorter. */
const SPARE_BYTES_MAX = 4_096;
