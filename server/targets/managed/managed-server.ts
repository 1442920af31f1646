import { DEFAULT_CIPHERS } from 'node:tls';
import { z } from 'zod';
import { certificateCompressionSchema, type TlsProfile } from '../../../shared/base/tls-profile.ts';
import { type Transport, transportFacts } from '../../../shared/base/transport.ts';
import { armNameSchema, transportSchema } from '../../../shared/base/transport-schema.ts';
import { countSchema } from '../../../shared/base/units.ts';
import { type ServerKey, type ServerName, serverKeys } from '../../../shared/target/server-options.ts';
import { libraryFileSchema, type ManagedTarget, managedTargetSchema } from '../../../shared/target/target.ts';
import type { Questions } from '../../base/process/asked-process.ts';
import { askOnce, type Reply } from '../../base/wire/ask.ts';
import { classicalGroups, classicalKeys, hybridGroups, isAtLeast, proxyErrorHeader } from './tls-settings.ts';

/** One listener of a managed server, as its configuration is written: a server of its own, on loopback. */
export type ListenerPlan = Pick<
  ManagedTarget,
  'key' | 'workers' | 'keepAlive' | 'resumption' | 'kTls' | 'tickets' | 'recordSize'
> & {
  transport: Transport;
  /** Whether it answers HTTP/3 too, over UDP on the same port. */
  http3: boolean;
  address: string;
  port: number;
  /** Seconds that an idle connection is kept. */
  idleS: number;
  /** Port of a second server behind the first. */
  innerPort: number;
  hostname: string;
  /** Private to this listener; what the server writes goes there. */
  directory: string;
  /** Holds `{bytes}.html` and the page of visits, the same files for all listeners. */
  documents: string;
  /** Their sizes. */
  sizes: readonly number[];
  /** Groups that keys are agreed in, by OpenSSL's names, the first preferred. */
  groups: string;
  /** PEM with the server's certificate and its key. */
  identity: string;
  /** Server that requests are passed on to; null for a server that answers them with its documents. */
  upstream: UpstreamPlan | null;
  /** PEM of the authority of clients, where they have to present a certificate. */
  clientAuthority: string | null;
  /** A runtime writes names of what it compiles where perf reads them. */
  namesCompiled: boolean;
  certificateCompression: TlsProfile['certificateCompression'];
  /** Written to by the server and by whoever starts it. */
  errorLog: string;
};

/** An application, or another proxy in front of it. */
type UpstreamPlan = {
  address: string;
  port: number;
  /** Null without TLS. */
  tls: {
    hostname: string;
    /** PEM of the authority that signed its certificate. */
    authority: string;
    /** PEM of the certificate and key to present; null where none is asked for. */
    identity: string | null;
  } | null;
};

/** Something that has to be on the machine, in the first place of those where it is. */
export type Part = {
  /** Looked for in the directories of programs, by the first of its names that is there. */
  program?: readonly string[];
  /** Paths, looked for in this order. */
  file?: readonly string[];
  /** Its path inside a Python package, whose command is a script that starts it. */
  wheel?: string;
  /** Brings it. */
  package: string;
  /** Registry that the package is installed from; Debian's if omitted. */
  from?: 'PyPI';
};

/** A part's path by its name. */
export type Paths<Name extends string = string> = Record<Name, string>;

/** Text by file name, written into the listener's directory. */
export type Files = Record<string, string>;

export type Command = { program: string; args: string[] };

/** How the program that is started is made of sources, once on a machine. */
export type Build<Name extends string = string> = {
  /** A directory. */
  sources: URL;
  /** Written beside the sources. */
  filesOf(version: string): Files;
  /** Run among the sources; makes the program at the path `built`. */
  commandOf(paths: Paths<Name | 'built'>): Command;
  /** Additional variables for the command. */
  environment: NodeJS.ProcessEnv;
};

/** A kind of server: configuration of one listener, and the command that starts it. Pure: nothing is read or written here. */
export type ManagedServer<Name extends string = string> = {
  name: ServerName;
  /** The first is the server itself. */
  parts: Record<Name, Part>;
  /** Makes the server tell its version, as the first number with a dot in it. */
  versionOf(paths: Paths<Name>): Command;
  transports: readonly Transport[];
  /** The part that loads OpenSSL, or what is known of another library by the server's version. */
  tls: NoInfer<Name> | ((version: string) => TlsLibrary);
  build?: Build<Name>;
  filesOf(plan: ListenerPlan, paths: Paths<Name>): Files;
  /** The path `built` is there where something was. */
  commandOf(plan: ListenerPlan, paths: Paths<Name | 'built'>): Command;
  /** Whether it can answer HTTP/3 beside HTTP/2. */
  http3?: boolean;
  /** Features that it lacks in this setup: closing a connection after its response, asking clients for certificates, a page with images. */
  lacks?: readonly ('closing' | 'clientCertificates' | 'page')[];
  /** The parts that it needs to pass requests on; left out for a server that cannot. */
  asProxy?: readonly NoInfer<Name>[];
  /** Whether it can leave encryption to the kernel. */
  kTls?: boolean;
  /** Whether it can compress its certificates. */
  compressesCertificates?: boolean;
  /** Settings that it has in this setup, and that not every server has. */
  sets?: readonly (keyof typeof rareSettings)[];
  /** Why its instructions cannot be counted, in a sentence; left out where they can. */
  uncountable?: string;
  /** Whether it gives up root itself, as it cannot be executed without. */
  dropsRoot?: boolean;
};

/** Settings of a target that few servers have, as a sentence about one that lacks them names them. */
export const rareSettings = {
  tickets: 'the number of session tickets',
  recordSize: 'the size of records',
} as const satisfies Partial<Record<keyof ManagedTarget, string>>;

/** The whole record with its parts' names known to its own functions only. */
export function managedServer<Name extends string>(server: ManagedServer<Name>): ManagedServer {
  return server as unknown as ManagedServer;
}

export type TlsLibrary = {
  /** Such as `OpenSSL 3.5.8`; null where it could not be read. */
  name: string | null;
  /** Groups, as OpenSSL lists them. */
  groups: string;
  /** That a certificate can have. */
  keys: readonly ServerKey[];
  /** The only suites up to TLS 1.2, where the list of a configuration does not say. */
  suites?: string;
};

/** OpenSSL has had ML-KEM and ML-DSA since 3.5 (its NEWS.md). */
export function opensslLibrary(version: string | null): TlsLibrary {
  const isPostQuantum = isAtLeast(version ?? '', 3, 5);
  return {
    name: version === null ? null : `OpenSSL ${version}`,
    groups: isPostQuantum ? hybridGroups : classicalGroups,
    keys: isPostQuantum ? serverKeys : classicalKeys,
  };
}

const upstreamSchema = z.strictObject({
  address: z.string(),
  port: z.int(),
  tls: z
    .strictObject({ hostname: z.string(), caPem: z.string(), identityPem: z.string().nullable() })
    .nullable(),
});
export type Upstream = z.infer<typeof upstreamSchema>;

const orderSchema = z.strictObject({
  target: managedTargetSchema,
  /** Paths of the server's parts, and of its built program. */
  paths: z.record(z.string(), z.string()),
  /** Transport of each arm. */
  transports: z.record(armNameSchema, transportSchema),
  /** Arms that answer HTTP/3 too. */
  http3: z.array(armNameSchema),
  /** Images of the page of visits; null without that page. */
  objects: countSchema.nullable(),
  /** Seconds that an idle connection is kept. */
  idleS: countSchema,
  /** Upstream of each arm, for servers that pass requests on; null for those that serve documents. */
  upstreams: z.record(armNameSchema, upstreamSchema).nullable(),
  groups: z.string(),
  /** How each arm compresses its certificates. */
  compressions: z.record(armNameSchema, certificateCompressionSchema),
  /** Runtimes write names of what they compile where perf reads them. */
  namesCompiled: z.boolean(),
  /** Path of the program that counts their instructions; null where none are counted. */
  valgrind: z.string().nullable(),
  /** TLS library to load, with its files by the names that the server has for them: none for its own. Null where no side has another. */
  library: z
    .strictObject({
      name: z.string(),
      files: z.array(z.strictObject({ name: z.string(), path: z.string() })),
    })
    .nullable(),
  hostname: z.string(),
  certPem: z.string(),
  keyPem: z.string(),
  /** Authority and identity of a client, if the server demands a certificate of clients. */
  mutual: z.strictObject({ caPem: z.string(), clientIdentity: z.string() }).nullable(),
});
export type Order = z.infer<typeof orderSchema>;

const startedSchema = z.strictObject({
  address: z.string(),
  /** Private to these servers, and gone with them. */
  directory: z.string(),
  ports: z.record(armNameSchema, z.int()),
  /** Roots of the process trees, each the leader of a process group of its own. */
  pids: z.record(armNameSchema, z.int()),
  tlsLibrary: z.string().nullable(),
  /** Files of it that were loaded, where a library was asked for. */
  libraryFiles: z.array(libraryFileSchema).optional(),
  /** The configuration of each listener, whole. */
  files: z.array(z.strictObject({ arm: armNameSchema, name: z.string(), text: z.string() })),
});
export type Started = z.infer<typeof startedSchema>;

export const questions = {
  start: { question: orderSchema, answer: startedSchema },
  /** Answered when a server ends that nobody has stopped. */
  death: { question: z.void(), answer: z.string() },
} satisfies Questions;

const timeoutMs = 2000;
/** Trusts any server: the certificate is checked in the preflight. */
const trusting = { rejectUnauthorized: false, ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0`, servername: '' };

type Asked = Pick<ListenerPlan, 'transport' | 'address' | 'port'>;

/** Status of a listener's answer to one request, on a connection of its own. Rejects when there is no answer. */
export async function statusOf(listener: Asked, path: string, identity?: string): Promise<number> {
  return (await ask(listener, path, identity)).status;
}

/** Whether it is a proxy that answers by itself, as the application does not. */
export async function isOwnAnswer(listener: Asked, path: string, identity?: string): Promise<boolean> {
  const { headers } = await ask(listener, path, identity);
  return headers[proxyErrorHeader] !== undefined;
}

function ask({ transport, address, port }: Asked, path: string, identity?: string): Promise<Reply> {
  const { encrypted, httpVersion, alpn } = transportFacts[transport];
  const presented = identity === undefined ? {} : { cert: identity, key: identity };
  const tls = encrypted ? { ...trusting, ALPNProtocols: [alpn], ...presented } : null;
  return askOnce({ address, port, tls, version: httpVersion }, { path }, { limitMs: timeoutMs });
}
