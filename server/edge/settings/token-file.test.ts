/** Protects tokens and keys in files: what everybody may read is refused, and the file of a Kubernetes Secret is not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sampleCertificate } from '../../../shared/testing/sample-certificate.ts';
import { clientKeysOf, isPrivate } from './token-file.ts';

test.each([
  ['our own, for us alone', 0o600, 1000, true],
  ['our own, for a group', 0o640, 1000, false],
  ['our own, for all', 0o604, 1000, false],
  ['given to our group by root', 0o440, 0, true],
  ['given to all by root', 0o444, 0, false],
])('a file is %s', (_, mode, uid, expected) => {
  expect(isPrivate({ mode: 0o100_000 | mode, uid }, 1000)).toBe(expected);
});

test('a key is taken from beside its certificate where none is given, and that is said', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-key-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const write = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const keyOf = (body: string) => `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`;
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => said.mockRestore());
  const [clientCert, clientKey] = [
    write('both.pem', `${sampleCertificate}${keyOf('b')}`),
    write('key.pem', keyOf('k')),
  ];
  const alone = write('alone.pem', sampleCertificate);

  expect(clientKeysOf({ clientCert: alone })).toEqual({});
  expect(clientKeysOf({ clientCert, clientKey })).toEqual({ client_key: keyOf('k') });
  expect(said).not.toHaveBeenCalled();
  expect(clientKeysOf({ clientCert })).toEqual({ client_key: keyOf('b') });
  expect(said).toHaveBeenLastCalledWith(`--client-key not given, using the key in ${clientCert}.\n`);
  const ofSides = { clientKey, comparisonClientCert: clientCert };
  expect(clientKeysOf(ofSides)).toEqual({ client_key: `${keyOf('k')}\n${keyOf('b')}` });
  expect(said).toHaveBeenLastCalledWith(
    `--comparison-client-key not given, using the key in ${clientCert}.\n`,
  );
});
