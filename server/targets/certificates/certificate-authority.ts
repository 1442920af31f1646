import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { certificatesIn, privateKeysIn } from '../../../shared/base/pem.ts';
import { problem } from '../../../shared/base/problem.ts';
import type { ProblemCode } from '../../../shared/base/problem-catalogue.ts';
import type { ServerKey } from '../../../shared/target/server-options.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';
import type { Issued } from './issue-certificate.ts';

/** A certificate authority and a server certificate that it signed. */
export type Authority = {
  /** The authority's certificate: what a client has to trust. */
  caPem: string;
  /** With the certificates between the two, as a server sends them. */
  certPem: string;
  keyPem: string;
  hostname: string;
};

/** `.test` never resolves on the internet (RFC 6761), so the name can only ever mean this machine. */
const hostname = 'storefront.tls-toll.test';
const hosts = [hostname, 'localhost', '127.0.0.1', '::1'] as const;
const commonName = 'TLS Toll local authority';
const day = 24 * 60 * 60 * 1000;
const authorityDays = 3650;
/** Clients that hold certificates to the public rules refuse more than 398 days. */
const serverDays = 397;
const renewalDays = 30;

const opening = new Map<string, Promise<Pair>>();

/**
 * Reads the authority in `directory`, or makes it. A file that is missing, damaged, about to expire or does not
 * fit the others is made anew; nothing but our own clients trusts it, so there is nobody to ask.
 */
export async function openAuthority(directory: string): Promise<Authority> {
  return inDirectory(directory, async (ca) => {
    const fits = ({ certificate }: Pair) => isSignedBy(ca, certificate) && servesHosts(certificate);
    const server = await openPair(directory, 'server', fits, ({ issueServer, validFor }) =>
      issueServer(hosts, validFor(serverDays), ca),
    );
    return authorityOf(server, server.certificatePem, ca.certificatePem);
  });
}

/**
 * The same for a server with another kind of key, or with authorities between it and the one to trust: all their keys are of
 * that kind. Each such chain is kept for the next time, as RSA keys take seconds to make, and the keys of its authorities are
 * not: nothing else is ever signed with them.
 */
export async function openChain(
  directory: string,
  key: ServerKey,
  intermediates: number,
): Promise<Authority> {
  if (key === 'P-256' && intermediates === 0) return openAuthority(directory);
  const name = `chain-${key.toLowerCase()}-${intermediates}`;
  return inDirectory(directory, async () => {
    const fits = (pair: Pair) => isUsableChain(pair, intermediates);
    const server = await openPair(directory, name, fits, async ({ issueChain, validFor }) => {
      const issued = await issueChain(hosts, validFor(serverDays), key, intermediates);
      const { certificatePem, intermediatePems, rootPem, keyPem } = issued;
      return { certificatePem: [certificatePem, ...intermediatePems, rootPem].join(''), keyPem };
    });
    const sent = certificatesIn(server.certificatePem);
    return authorityOf(server, sent.slice(0, -1).join(''), sent.at(-1) ?? '');
  });
}

function authorityOf({ keyPem }: Pair, certPem: string, caPem: string): Authority {
  return { caPem, certPem, keyPem, hostname };
}

/** PEM of a certificate that the authority has signed for our own clients, and its key. */
export async function openClientIdentity(directory: string): Promise<string> {
  return inDirectory(directory, async (ca) => {
    const fits = ({ certificate }: Pair) => isSignedBy(ca, certificate) && lasts(certificate, renewalDays);
    const { certificatePem, keyPem } = await openPair(
      directory,
      'client',
      fits,
      ({ issueClient, validFor }) => issueClient('TLS Toll client', validFor(serverDays), ca),
    );
    return certificatePem + keyPem;
  });
}

async function inDirectory<Opened>(directory: string, open: (ca: Pair) => Promise<Opened>): Promise<Opened> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await chmod(directory, 0o700);
    const ca = openPair(directory, 'ca', isUsableAuthority, ({ issueAuthority, validFor }) =>
      issueAuthority(commonName, validFor(authorityDays)),
    );
    return await open(await ca);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw problemOfError(
      error.code === 'ENOSPC' ? 'disk_full' : 'data_directory_unusable',
      `The certificates in ${directory} cannot be read or written`,
      error,
    );
  }
}

type Pair = Issued & { certificate: X509Certificate; privateKey: KeyObject };
type Issue = (issuing: typeof import('./issue-certificate.ts')) => Promise<Issued>;
type Fits = (pair: Pair) => boolean;

/** Two calls at once share one answer, lest each makes a pair and one of them is lost. */
function openPair(directory: string, name: string, fits: Fits, issue: Issue): Promise<Pair> {
  const path = join(directory, name);
  const pair =
    opening.get(path) ?? readOrMake(directory, name, fits, issue).finally(() => opening.delete(path));
  opening.set(path, pair);
  return pair;
}

async function readOrMake(directory: string, name: string, fits: Fits, issue: Issue): Promise<Pair> {
  const kept = await readPair(directory, name, fits);
  return kept ?? writePair(directory, name, await issue(await import('./issue-certificate.ts')));
}

function isUsableAuthority({ certificate }: Pair): boolean {
  return certificate.ca && certificate.subject === `CN=${commonName}` && lasts(certificate, serverDays);
}

function isUsableChain({ certificate, certificatePem }: Pair, intermediates: number): boolean {
  const chain = certificatesIn(certificatePem).map((pem) => new X509Certificate(pem));
  return (
    servesHosts(certificate) &&
    chain.length === intermediates + 2 &&
    chain.every((each, index) => isSignedBy({ certificate: chain[index + 1] ?? each }, each))
  );
}

function servesHosts(certificate: X509Certificate): boolean {
  return (
    hosts.every((host) => certificate.checkHost(host) ?? certificate.checkIP(host)) &&
    lasts(certificate, renewalDays)
  );
}

function isSignedBy(ca: Pick<Pair, 'certificate'>, certificate: X509Certificate): boolean {
  return certificate.checkIssued(ca.certificate) && certificate.verify(ca.certificate.publicKey);
}

function lasts(certificate: X509Certificate, days: number): boolean {
  const now = Date.now();
  return Date.parse(certificate.validFrom) <= now && Date.parse(certificate.validTo) > now + days * day;
}

async function readPair(directory: string, name: string, isUsable: Fits): Promise<Pair | null> {
  const texts = await Promise.all(filesOf(directory, name).map(readOwn));
  const [certificatePem, keyPem] = texts;
  if (certificatePem == null || keyPem == null) return null;
  const pair = parsePair({ certificatePem, keyPem });
  return pair !== null && isUsable(pair) ? pair : null;
}

/** Null when the file is not there. A file that others could read is closed to them first. */
async function readOwn(path: string): Promise<string | null> {
  try {
    await chmod(path, 0o600);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isFileError(error) && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Null when either is damaged, or the key is another certificate's: a start that was cut off between two files. */
function parsePair(issued: Issued): Pair | null {
  try {
    const certificate = new X509Certificate(issued.certificatePem);
    const privateKey = createPrivateKey(issued.keyPem);
    return certificate.checkPrivateKey(privateKey) ? { ...issued, certificate, privateKey } : null;
  } catch {
    return null;
  }
}

async function writePair(directory: string, name: string, issued: Issued): Promise<Pair> {
  const [certificateFile, keyFile] = filesOf(directory, name);
  await writeAtomically(keyFile, issued.keyPem);
  await writeAtomically(certificateFile, issued.certificatePem);
  const pair = parsePair(issued);
  if (pair === null) throw problem('internal', 'The certificate just made cannot be read back.');
  return pair;
}

function filesOf(directory: string, name: string): [certificate: string, key: string] {
  return [join(directory, `${name}.pem`), join(directory, `${name}.key`)];
}

/** Writes the whole file or nothing, readable by its owner only, and safe on disk before it takes the name. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  await rm(draft, { force: true });
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'errno' in error && typeof error.code === 'string';
}

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
  const found = await readOwn(path).catch(toldAs('file_unreadable', `${path} could not be read`));
  const text = found ?? (await makeOwn(path, commonName));
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

async function makeOwn(path: string, commonName: string): Promise<string> {
  const { issueSelfSigned, validFor } = await import('./issue-certificate.ts');
  const { certificatePem, keyPem } = await issueSelfSigned(commonName, validFor(days));
  const text = certificatePem + keyPem;
  await writeAtomically(path, text).catch(toldAs('file_unwritable', `${path} could not be written`));
  return text;
}

function toldAs(code: ProblemCode, fact: string): (error: unknown) => never {
  return (error) => {
    throw isFileError(error) ? problemOfError(code, fact, error) : error;
  };
}
