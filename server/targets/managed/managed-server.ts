import type { Transport } from '../../../shared/base/transport.ts';
import type { ServerName } from '../../../shared/target/server-names.ts';
import type { ManagedTarget } from '../../../shared/target/target.ts';
import type { TlsLibrary } from './tls-library.ts';

/** One listener of a managed server, as its configuration is written: a server of its own, on loopback. */
export type ListenerPlan = Pick<ManagedTarget, 'key' | 'workers' | 'keepAlive' | 'resumption' | 'kTls'> & {
  transport: Transport;
  address: string;
  port: number;
  /** Of a second server behind the first. */
  innerPort: number;
  hostname: string;
  /** Private to this listener; what the server writes goes there. */
  directory: string;
  /** Holds `{bytes}.html`, the same files for all listeners. */
  documents: string;
  /** Their sizes. */
  sizes: readonly number[];
  /** Groups that keys are agreed in, by OpenSSL's names, the first preferred. */
  groups: string;
  /** PEM with the server's certificate and its key. */
  identity: string;
  /** Where requests are passed on to; null for a server that answers them with its documents. */
  upstream: UpstreamPlan | null;
  /** PEM of the authority of clients, where they have to present a certificate. */
  clientAuthority: string | null;
  /** A runtime writes names of what it compiles where perf reads them. */
  namesCompiled: boolean;
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
  /** Where that is installed from; Debian's where it is left out. */
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
  /** What the command needs besides. */
  environment: NodeJS.ProcessEnv;
};

/** What a server has to know of one listener, and how it is started. Pure: nothing is read or written here. */
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
  /** What it cannot do as it is set up here: close a connection after its response, ask clients for certificates. */
  lacks?: readonly ('closing' | 'clientCertificates')[];
  /** The parts that it needs to pass requests on; left out for a server that cannot. */
  asProxy?: readonly NoInfer<Name>[];
  /** Whether it can leave encryption to the kernel. */
  kTls?: boolean;
  /** Why its instructions cannot be counted, in a sentence; left out where they can. */
  uncountable?: string;
  /** Whether it gives up root itself, as it cannot be executed without. */
  dropsRoot?: boolean;
};

/** The whole record with its parts' names known to its own functions only. */
export function managedServer<Name extends string>(server: ManagedServer<Name>): ManagedServer {
  return server as unknown as ManagedServer;
}
