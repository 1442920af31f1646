import { createPrivateKey, X509Certificate } from 'node:crypto';
import { problem } from '../../shared/base/problem.ts';
import type { ProblemCode } from '../../shared/base/problem-catalogue.ts';
import { clientKeyName } from '../../shared/target/target.ts';

const keyInPem = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]+?-----END \1PRIVATE KEY-----/g;

/**
 * What a client presents: its certificate, with what else is in that file, and the key that fits it.
 * @param keys PEM, of one side or of both; undefined where none was given
 * @returns PEM
 * Throws secret_missing, invalid_request.
 */
export function clientIdentityOf(certificate: string, keys: string | undefined): string {
  const leaf = read(
    () => new X509Certificate(certificate),
    'target.clientCertificate',
    'The client certificate could not be read. Give it in PEM.',
  );
  if (keys === undefined)
    throw refusal('secret_missing', keyField, 'The client certificate needs its key. Give both.');
  const pems = keys.match(keyInPem) ?? [];
  if (pems.length === 0)
    throw refusal('invalid_request', keyField, 'The client key is not a private key in PEM.');
  const fitting = pems.find((pem) => leaf.checkPrivateKey(keyOf(pem)));
  if (fitting === undefined) {
    const subject = leaf.subject.replaceAll('\n', ', ');
    throw refusal(
      'invalid_request',
      keyField,
      `The client key does not fit the certificate of ${subject}. Give the key that it was made with.`,
    );
  }
  return `${fitting}\n${certificate}`;
}

const keyField = `secrets.${clientKeyName}`;

function keyOf(pem: string) {
  if (pem.includes('ENCRYPTED'))
    throw refusal(
      'invalid_request',
      keyField,
      'The client key is encrypted. Decrypt it with openssl pkey -in KEY -out PLAIN.',
    );
  return read(() => createPrivateKey(pem), keyField, 'The client key could not be read.');
}

function read<Value>(parse: () => Value, field: string, message: string): Value {
  try {
    return parse();
  } catch (error) {
    throw refusal('invalid_request', field, message, error);
  }
}

function refusal(code: ProblemCode, field: string, message: string, cause?: unknown) {
  return problem(code, { detail: message, errors: [{ field, message }] }, { cause });
}
