/** Turns errors of the operating system into StorageErrors with the place and the remedy. */

import { StorageError } from './event-store.js';

/** Receives what the caller need not fail for. Compatible with pino. */
export interface StorageLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Conditions that make the whole directory unusable; retries do not help. */
const UNREACHABLE_CODES = new Set(['ENOENT', 'ENOTDIR', 'EROFS', 'EACCES', 'EPERM', 'ENODEV', 'ENXIO', 'ESTALE']);

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and try again',
  EDQUOT: 'the disk quota is used up; free some space and try again',
  EIO: 'the disk reports an input/output error; check the disk',
  EFBIG: 'the file would grow past what the file system allows',
  EMFILE: 'this process has too many files open; raise its limit of open files and try again',
  ENFILE: 'this machine has too many files open; close some and try again',
  ENOENT: 'it is not there; restore it and start again',
  ENOTDIR: 'a part of the path is a file, not a directory',
  EROFS: 'the file system is read-only; make it writable',
  EACCES: 'permission is denied; make it writable',
  EPERM: 'permission is denied; make it writable',
};

/** The disk, or the user's part of it, is full. */
export const FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const MEGABYTE = 1_000_000;

/** The operating system's code for a failure, if it has one. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A StorageError in one line: `Could not <action>: <reason and remedy>`. A StorageError is returned unchanged. */
export function asStorageError(error: unknown, action: string, place?: string): StorageError {
  if (error instanceof StorageError) return error;
  const code = systemCode(error);
  const reason = code !== undefined && UNREACHABLE_CODES.has(code) ? 'unreachable' : 'failed';
  const message = error instanceof Error ? error.message : String(error);
  const why = code === undefined ? undefined : EXPLANATIONS[code];
  const text = code === undefined ? message : `${why ?? message} (${code})`;
  return new StorageError(`Could not ${action}: ${text}`, reason, { cause: error, why, place });
}

/** The same with the room that the store needs, if the disk is full. */
export function withRoom(error: StorageError, roomBytes: number): StorageError {
  const { message, reason, why, cause, isUnknown, place } = error;
  if (!FULL_CODES.has(systemCode(cause) ?? '') || why === undefined) return error;
  const needed = why.replace('free some space', `free at least ${Math.ceil(roomBytes / MEGABYTE)} MB`);
  return new StorageError(message.replace(why, needed), reason, { cause, why: needed, isUnknown, place });
}

/** The failure of a write whose outcome is unknown. */
export function asUnknown({ message, reason, why, cause }: StorageError): StorageError {
  return new StorageError(`${message}; it may have been kept`, reason, { cause, why, isUnknown: true });
}
