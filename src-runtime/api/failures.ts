/** The failures of API calls. */

import type { ErrorCode, ErrorDetails } from './errors.js';
import type { ErrorEnvelope } from './schemas/schemas.js';

/** The server responded with an error envelope. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly envelope: ErrorEnvelope;

  constructor(status: number, envelope: ErrorEnvelope) {
    super(envelope.error.message);
    this.status = status;
    this.envelope = envelope;
  }

  get code(): ErrorCode {
    return this.envelope.error.code as ErrorCode;
  }

  get details(): ErrorDetails {
    return this.envelope.error.details;
  }

  get requestId(): string {
    return this.envelope.requestId;
  }
}

/** There was no response, or one that no Entail server sends. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';
}
