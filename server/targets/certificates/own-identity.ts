import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { certificatesIn, privateKeysIn } from '../../../shared/base/pem.ts';
import { problem } from '../../../shared/base/problem.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import type { Issued } from './issue-certificate.ts';
import { isFileError, writeAtomically } from './write-atomically.ts';

/** A certificate that stands for itself, with its key. */
type OwnIdentity = Issued & {
  /** SHA-256 of the certificate, as `3A:9F:…`. */
  fingerprint: string;
};

/** Long enough that nobody has to copy a new fingerprint; whoever pins it looks at no date. */
const days = 3650;

/**
 * Reads certificate and key from one PEM file, readable by its owner only, or makes them. A damaged file is not replaced,
 * as somebody relies on its fingerprint. Throws file_unreadable, file_unwritable.
 */
export async function openOwnIdentity(path: string, commonName: string): Promise<OwnIdentity> {
  const text = (await readOwn(path)) ?? (await makeOwn(path, commonName));
  const [certificatePem = ''] = certificatesIn(text);
  const [keyPem = ''] = privateKeysIn(text);
  try {
    const certificate = new X509Certificate(certificatePem);
    if (!certificate.checkPrivateKey(createPrivateKey(keyPem))) throw new Error('two different keys');
    return { certificatePem, keyPem, fingerprint: certificate.fingerprint256 };
  } catch (error) {
    const detail = `${path} does not hold a certificate and its key. Delete it to have a new one made.`;
    throw problem('file_unreadable', detail, { cause: error });
  }
}

/** Null when the file is not there. A file that others could read is closed to them first. */
async function readOwn(path: string): Promise<string | null> {
  try {
    await chmod(path, 0o600);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (!isFileError(error)) throw error;
    if (error.code === 'ENOENT') return null;
    throw problemOfError('file_unreadable', `${path} could not be read`, error);
  }
}

async function makeOwn(path: string, commonName: string): Promise<string> {
  const { issueSelfSigned, validFor } = await import('./issue-certificate.ts');
  const { certificatePem, keyPem } = await issueSelfSigned(commonName, validFor(days));
  const text = certificatePem + keyPem;
  try {
    await writeAtomically(path, text);
    return text;
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw problemOfError('file_unwritable', `${path} could not be written`, error);
  }
}
