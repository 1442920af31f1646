import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { privateKeysIn } from '../../shared/base/pem.ts';
import { problemAt } from '../../shared/base/problem.ts';
import { clientKeyName } from '../../shared/target/target.ts';

const keyField = `secrets.${clientKeyName}`;

/**
 * What a client presents: its certificate, with what else is in that file, and the key that fits it.
 * @param keys PEM, of one side or of both; undefined where none was given
 * @param field of the certificate, in the request
 * @returns PEM
 * Throws secret_missing, invalid_request.
 */
export function clientIdentityOf(
  certificate: string,
  keys: string | undefined,
  field = 'target.clientCertificate',
): string {
  const leaf = read(
    () => new X509Certificate(certificate),
    field,
    'The client certificate could not be read. Give it in PEM.',
  );
  if (keys === undefined)
    throw problemAt('secret_missing', keyField, 'The client certificate needs its key. Give both.');
  const pems = privateKeysIn(keys);
  if (pems.length === 0) throw wrongKey('The client key is not a private key in PEM.');
  const fitting = pems.find((pem) => leaf.checkPrivateKey(keyOf(pem)));
  if (fitting === undefined) {
    const subject = leaf.subject.replaceAll('\n', ', ');
    throw wrongKey(
      `The client key does not fit the certificate of ${subject}. Give the key that it was made with.`,
    );
  }
  return `${fitting}\n${certificate}`;
}

function keyOf(pem: string): KeyObject {
  if (pem.includes('ENCRYPTED'))
    throw wrongKey('The client key is encrypted. Decrypt it with openssl pkey -in KEY -out PLAIN.');
  return read(() => createPrivateKey(pem), keyField, 'The client key could not be read.');
}

function wrongKey(message: string): Error {
  return problemAt('invalid_request', keyField, message);
}

function read<Value>(parse: () => Value, field: string, message: string): Value {
  try {
    return parse();
  } catch (cause) {
    throw problemAt('invalid_request', field, message, { cause });
  }
}
