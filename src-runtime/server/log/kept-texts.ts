/**
 * Some texts that are kept for a while and seldom read: as bytes beside the heap, in memory that is used again. Strings that live a
 * little longer than a request would be moved twice by the collector of garbage, for which it holds every request up.
 */

import { Buffer } from 'node:buffer';

/** What is kept in one place, in the order in which it was given. */
export class KeptTexts {
  private memory: Buffer = NO_MEMORY;
  private used = 0;
  /** Of each text, in characters; -1 where there is none. */
  private readonly lengths: number[] = [];
  private count = 0;

  /** Replaces what was kept before. */
  keep(texts: readonly (string | undefined)[], more: readonly string[] = NO_TEXTS): void {
    const whole = this.joined(more, this.joined(texts, '', 0), texts.length);
    this.count = texts.length + more.length;
    const before = this.used;
    this.used = this.memory.write(whole);
    // What came to the end of its room may be cut; what has far too much of it gives some back.
    if (this.used > this.memory.length - CHARACTER_BYTES_MAX || this.memory.length > SPARE_BYTES_MAX) {
      this.makeRoom(Buffer.byteLength(whole));
      this.used = this.memory.write(whole);
    }
    // What was there before must be gone whole.
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

  /** Bytes of memory that are held. */
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

/** Of one character in UTF-8, as Buffer counts them. */
const CHARACTER_BYTES_MAX = 4;

const NO_TEXTS: readonly string[] = [];
const NO_MEMORY = Buffer.alloc(0);

/** Memory comes in pieces of so many bytes, as most texts are a little shorter or longer than those before them. */
const ROOM_BYTES = 512;

/** More is not held for texts that are shorter. */
const SPARE_BYTES_MAX = 4_096;
