/** Writes encoded frames as a WebM file, with only the elements that players need. Each has an id, a length and a body. */

export interface EncodedFrame {
  readonly timeMs: number;
  readonly isKey: boolean;
  readonly bytes: Buffer;
}

export interface Video {
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  /** VP8, by time. The first is a key frame. */
  readonly frames: readonly EncodedFrame[];
}

export function webm({ width, height, durationMs, frames }: Video): Buffer {
  const header = element('1a45dfa3', [
    number('4286', 1),
    number('42f7', 1),
    number('42f2', 4),
    number('42f3', 8),
    text('4282', 'webm'),
    number('4287', 2),
    number('4285', 2),
  ]);
  // Times are in milliseconds.
  const info = element('1549a966', [
    number('2ad7b1', 1_000_000),
    float('4489', durationMs),
    text('4d80', 'entail'),
    text('5741', 'entail'),
  ]);
  // Chromium encodes full-range BT.709 with the sRGB transfer function. Without this element, players assume limited range.
  const colour = element('55b0', [number('55b1', 1), number('55b9', 2), number('55ba', 13), number('55bb', 1)]);
  const track = element('ae', [
    number('d7', 1),
    number('73c5', 1),
    number('83', 1),
    text('86', 'V_VP8'),
    element('e0', [number('b0', width), number('ba', height), colour]),
  ]);
  return Buffer.concat([header, element('18538067', [info, element('1654ae6b', [track]), ...clusters(frames)])]);
}

/** One cluster per key frame, so that a player can seek to it. */
function clusters(frames: readonly EncodedFrame[]): Buffer[] {
  const starts = frames.flatMap(({ isKey }, index) => (isKey ? [index] : []));
  return starts.map((start, order) => {
    const group = frames.slice(start, starts[order + 1]);
    const beginMs = Math.round(group[0]?.timeMs ?? 0);
    return element('1f43b675', [number('e7', beginMs), ...group.map((frame) => simpleBlock(frame, beginMs))]);
  });
}

/** Track number, time relative to the cluster, flags, and the frame. */
function simpleBlock({ timeMs, isKey, bytes }: EncodedFrame, beginMs: number): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt8(0x81, 0);
  head.writeInt16BE(Math.round(timeMs) - beginMs, 1);
  head.writeUInt8(isKey ? 0x80 : 0, 3);
  return element('a3', [head, bytes]);
}

function element(id: string, content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(body.length));
  // A leading byte of 1 means that the length takes eight bytes.
  length.writeUInt8(1, 0);
  return Buffer.concat([Buffer.from(id, 'hex'), length, body]);
}

function number(id: string, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return element(id, [bytes]);
}

function float(id: string, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return element(id, [bytes]);
}

function text(id: string, value: string): Buffer {
  return element(id, [Buffer.from(value, 'latin1')]);
}
