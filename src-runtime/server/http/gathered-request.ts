/**
 * A request that takes its body as the parser of HTTP hands it over. As a stream it would go through queues, listeners and two
 * further turns, which together cost more than to find what a small query asks for.
 */

import { IncomingMessage } from 'node:http';

export interface BodyReader {
  /** Called with each part as it comes. */
  onPart(part: Buffer): void;
  /** Called once behind the last part, and never where the connection is lost before it. */
  onWhole(): void;
  /** Called once where the connection is lost before the body is whole. */
  onLost(): void;
}

/** Is a plain stream until somebody reads it by `readBody`, and stays one where some of the body has arrived by then. */
export class GatheredRequest extends IncomingMessage {
  private reader: BodyReader | undefined = undefined;
  private hasArrived = false;

  readBody(reader: BodyReader): void {
    if (this.hasArrived) readStream(this, reader);
    else this.reader = reader;
  }

  /** How the parser hands over what came, and at the end null. */
  override push(chunk: Buffer | null): boolean {
    const { reader } = this;
    if (reader === undefined) {
      this.hasArrived = true;
      return super.push(chunk);
    }
    if (chunk === null) this.release().onWhole();
    else reader.onPart(chunk);
    return true;
  }

  /** Nothing waits in the stream that could flow. */
  override resume(): this {
    return this.reader === undefined ? super.resume() : this;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    super._destroy(error, callback);
    if (this.reader !== undefined) this.release().onLost();
  }

  /** The parser keeps the last request of each connection, which must not keep what was made of it. */
  private release(): BodyReader {
    const reader = this.reader ?? NOBODY;
    this.reader = NOBODY;
    return reader;
  }
}

/** The body of a request that waited before it began. */
function readStream(request: IncomingMessage, reader: BodyReader): void {
  let isWhole = false;
  request
    .on('data', (part: Buffer) => reader.onPart(part))
    .on('end', () => {
      isWhole = true;
      reader.onWhole();
    })
    .on('close', () => isWhole || reader.onLost());
}

/** Once there is nothing to come any more. */
const NOBODY: BodyReader = { onPart: () => undefined, onWhole: () => undefined, onLost: () => undefined };
