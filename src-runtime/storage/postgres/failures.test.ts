/** What errors of PostgreSQL and its driver become: one line with the remedy that fits. */

import { describe, expect, it } from 'vitest';
import { connectionFailure, isLost, statementFailure } from './failures.js';

const errorOf = (fields: object) => Object.assign(new Error(), fields);

describe('a connection that could not be made', () => {
  const URL_OF_ADA = 'postgres://ada:ada@db.example/facts';

  it.each([
    [
      { code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' },
      'The certificate of db.example:5432 is not valid today: certificate has expired; renew it, or correct the clock of this machine',
    ],
    [
      { code: 'ERR_TLS_CERT_ALTNAME_INVALID', message: 'Host: db.example. is not in the names: DNS:other' },
      'The certificate of db.example:5432 is for another host: Host: db.example. is not in the names: DNS:other; name its host in the address',
    ],
    [
      { code: 'SELF_SIGNED_CERT_IN_CHAIN', message: 'self-signed certificate in certificate chain' },
      'The certificate of db.example:5432 is not trusted: self-signed certificate in certificate chain (SELF_SIGNED_CERT_IN_CHAIN); name its authority with sslrootcert=FILE in the address',
    ],
    [
      { code: 'ENOENT', syscall: 'open', path: '/etc/ca.pem' },
      'Could not read /etc/ca.pem (ENOENT); correct sslrootcert, sslcert or sslkey in the address',
    ],
    [{ code: 'ENOENT', syscall: 'connect' }, /^No PostgreSQL answers at db\.example:5432 \(ENOENT\)/],
    [{ message: 'timeout expired' }, /^No PostgreSQL answers at db\.example:5432 \(timeout\)/],
    [
      { message: 'Connection terminated unexpectedly' },
      /^No PostgreSQL answers at db\.example:5432 \(connection closed\)/,
    ],
    [
      { code: '08P01', message: 'unsupported startup parameter: statement_timeout' },
      'The connection pool at db.example:5432 refuses a parameter: unsupported startup parameter: statement_timeout; add it to the ignore_startup_parameters of PgBouncer',
    ],
    [
      { code: '28000', message: 'no pg_hba.conf entry for host "10.0.0.1", user "ada", no encryption' },
      'The database at db.example:5432 has no rule for user ada: no pg_hba.conf entry for host "10.0.0.1", user "ada", no encryption; allow it in pg_hba.conf, or add sslmode=verify-full to the address',
    ],
    [
      { code: '28P01', message: 'password authentication failed for user "ada"' },
      'The database at db.example:5432 refused user ada: password authentication failed for user "ada"; correct user and password in its address',
    ],
    [
      { code: '53300', message: 'too many connections for role "ada"' },
      'The database at db.example:5432 has no more connections: too many connections for role "ada"; raise the limit there, or lower --store-connections',
    ],
    [
      { code: '25006', message: 'cannot execute INSERT in a read-only transaction' },
      'The database at db.example:5432 is read-only: cannot execute INSERT in a read-only transaction; name the primary server, and a user who may write',
    ],
    [
      { code: '42501', message: 'permission denied for table entail_meta' },
      'User ada may not use database facts at db.example:5432: permission denied for table entail_meta; grant it CONNECT on the database, CREATE on its schema, and all rights on its tables',
    ],
    // A driver may quote the address. The server does not know the password, so words that equal it are kept.
    [{ message: `bad address ${URL_OF_ADA}` }, 'The database at db.example:5432 cannot be reached: bad address ***'],
  ])('says what is wrong, and what to do: %o', (fields, message) => {
    const failure = connectionFailure(errorOf(fields), URL_OF_ADA);
    expect(failure.message).toMatch(message);
    if (typeof message === 'string') expect(failure.message).toBe(message);
  });
});

it('takes a broken pipe for a lost connection, whose code looks like one of the server', () => {
  expect(isLost(errorOf({ code: 'EPIPE' }))).toBe(true);
  expect(isLost(errorOf({ code: '57P01' }))).toBe(true);
  expect(isLost(errorOf({ code: '23505' }))).toBe(false);
});

it.each(['42P05', '26000'])('names the pool if it lost a prepared statement: %s', (code) => {
  const { message } = statementFailure(errorOf({ code, message: 'prepared statement "entail meta" already exists' }));
  expect(message).toBe(
    `The database refused it: prepared statement "entail meta" already exists (${code}); let the connection pool keep sessions`,
  );
});
