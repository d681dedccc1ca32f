/** Turns errors of PostgreSQL and its driver into StorageErrors of one line, with the way out and without the password. */

import { FULL_CODES, systemCode } from '../errors.js';
import { StorageError } from '../event-store.js';

/** Whether another transaction was first and this one is rolled back: serialization_failure, deadlock_detected. */
export function isLostRace(error: unknown): boolean {
  return ['40001', '40P01'].includes(systemCode(error) ?? '');
}

/** True if the statement may have been executed, or may still be. After any other error, the server rolled it back. */
export function isLost(error: unknown): boolean {
  const code = systemCode(error) ?? '';
  return !SERVER_CODE.test(code) || LOST_CODE.test(code);
}

/** SQLSTATE has five characters, one of them a digit. EPIPE and EPERM have none. */
const SERVER_CODE = /^(?=.*\d)[0-9A-Z]{5}$/;

/**
 * Connection exceptions, statement_completion_unknown, the server's shutdowns, read_only_sql_transaction, which a server says once
 * another has taken over, and idle_in_transaction_session_timeout.
 */
const LOST_CODE = /^(08...|40003|57P0[1-5]|25006|25P03)$/;

/** A statement that the server refused. */
export function statementFailure(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = systemCode(error) ?? '';
  const isFull = code === '53100' || FULL_CODES.has(code);
  const why = isFull ? 'the disk of the database is full; free some space and try again' : undefined;
  const remedy = PREPARED_CODES.has(code) ? '; let the connection pool keep sessions' : '';
  return new StorageError(`The database refused it: ${why ?? message} (${code})${remedy}`, 'failed', {
    cause: error,
    why,
  });
}

/** duplicate_prepared_statement, invalid_sql_statement_name: a pool gives the statements of a session to different connections. */
const PREPARED_CODES = new Set(['42P05', '26000']);

/** A connection that could not be made, or broke. */
export function connectionFailure(error: unknown, url: string): StorageError {
  if (error instanceof StorageError) return error;
  const { message: said = String(error) } = error as { readonly message?: string };
  // Drivers quote the address in some messages. The server does not know the password, which may equal the name of its user.
  const message = SERVER_CODE.test(systemCode(error) ?? '') ? said : withoutSecrets(said, url);
  return new StorageError(sentence(error, message, placeOf(url)), 'unreachable', { cause: error });
}

interface Place {
  /** `db.example.com:5432`. */
  readonly server: string;
  readonly user: string;
  readonly database: string;
}

function sentence(error: unknown, message: string, { server, user, database }: Place): string {
  const code = systemCode(error) ?? '';
  if (message === 'Invalid URL' || code === 'ERR_INVALID_URL') {
    return 'The address of the database is malformed; write postgres://user:password@host:5432/database, with percent-encoded special characters';
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `There is no host ${server} (${code}); correct the address of the database`;
  const { syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === 'open') {
    return `Could not read ${path} (${code}); correct sslrootcert, sslcert or sslkey in the address`;
  }
  const silence = code === '' ? /timeout/i.exec(message)?.[0] : UNREACHED_CODES.has(code) && code;
  const isClosed = /terminated unexpectedly/.test(message);
  if (silence || isClosed) {
    return `No PostgreSQL answers at ${server} (${silence || 'connection closed'}); check host and port, and that it runs`;
  }
  if (/unsupported startup parameter/.test(message)) {
    return `The connection pool at ${server} refuses a parameter: ${message}; add it to the ignore_startup_parameters of PgBouncer`;
  }
  if (/no pg_hba\.conf entry/.test(message)) {
    const encrypt = /no encryption/.test(message) ? ', or add sslmode=verify-full to the address' : '';
    return `The database at ${server} has no rule for user ${user}: ${message}; allow it in pg_hba.conf${encrypt}`;
  }
  if (code === '28P01' || code === '28000') {
    return `The database at ${server} refused user ${user}: ${message}; correct user and password in its address`;
  }
  if (/password must be a string/.test(message)) {
    return `The database at ${server} wants a password of user ${user}; add it to the address, or set PGPASSWORD`;
  }
  if (code === '3D000') {
    return `There is no database ${database} at ${server}; create it with CREATE DATABASE, or correct the address`;
  }
  if (code === '42501') {
    return `User ${user} may not use database ${database} at ${server}: ${message}; grant it CONNECT on the database, CREATE on its schema, and all rights on its tables`;
  }
  if (code === '53300') {
    return `The database at ${server} has no more connections: ${message}; raise the limit there, or lower --store-connections`;
  }
  if (code === '25006') {
    return `The database at ${server} is read-only: ${message}; name the primary server, and a user who may write`;
  }
  if (/does not support SSL/i.test(message)) {
    return `The database at ${server} has no TLS; enable it there, or remove sslmode from the address`;
  }
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) {
    return `The certificate of ${server} is not valid today: ${message}; renew it, or correct the clock of this machine`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The certificate of ${server} is for another host: ${message}; name its host in the address`;
  }
  if (CERTIFICATE_ERROR.test(code) || /certificate/i.test(message)) {
    return `The certificate of ${server} is not trusted: ${message} (${code}); name its authority with sslrootcert=FILE in the address`;
  }
  return `The database at ${server} cannot be reached: ${message === '' ? code : message}`;
}

const UNREACHED_CODES = new Set([
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNRESET',
  'ENOENT',
  'EACCES',
  'EPIPE',
]);
const CERTIFICATE_ERROR = /^(CERT_|ERR_TLS|ERR_SSL|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/;

function placeOf(url: string): Place {
  if (!URL.canParse(url)) return { server: 'the address', user: '', database: '' };
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  const host = decoded(searchParams.get('host') ?? hostname);
  const user = decoded(username) || searchParams.get('user') || '';
  return {
    server: `${host}:${port || searchParams.get('port') || '5432'}`,
    user,
    database: decoded(pathname.slice(1)) || user,
  };
}

function withoutSecrets(text: string, url: string): string {
  const [, written = ''] = /^[^:]+:\/\/[^:@/]*:(.*)@/.exec(url) ?? [];
  const [, asParameter = ''] = /[?&]password=([^&]*)/.exec(url) ?? [];
  const secrets = [url, ...[written, asParameter].flatMap((secret) => [secret, decoded(secret)])];
  return secrets.reduce((shown, each) => (each === '' ? shown : shown.replaceAll(each, '***')), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
