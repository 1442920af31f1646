import type { Transport } from '../../../shared/base/transport.ts';
import type { ServerName } from '../../../shared/target/server-names.ts';
import type { ManagedTarget } from '../../../shared/target/target.ts';

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
  /** PEM with the server's certificate and its key. */
  identity: string;
  /** PEM of the authority of clients, where they have to present a certificate. */
  clientAuthority: string | null;
  /** Written to by the server and by whoever starts it. */
  errorLog: string;
};

/** Something that has to be on the machine, in the first place of those where it is. */
export type Part = {
  /** Looked for in the directories of programs, by the first of its names that is there. */
  program?: readonly string[];
  /** Paths, looked for in this order. */
  file?: readonly string[];
  /** Debian's, which brings it. */
  package: string;
};

/** A part's path by its name. */
export type Paths<Name extends string = string> = Record<Name, string>;

/** Text by file name, written into the listener's directory. */
export type Files = Record<string, string>;

export type Command = { program: string; args: string[] };

/** What a server has to know of one listener, and how it is started. Pure: nothing is read or written here. */
export type ManagedServer<Name extends string = string> = {
  name: ServerName;
  /** The first is the server itself. */
  parts: Record<Name, Part>;
  /** Makes the server tell its version, as the first number with a dot in it. */
  versionOf(paths: Paths<Name>): Command;
  transports: readonly Transport[];
  filesOf(plan: ListenerPlan, paths: Paths<Name>): Files;
  commandOf(plan: ListenerPlan, paths: Paths<Name>): Command;
  /** Whether it can leave encryption to the kernel. */
  kTls?: boolean;
  /** Whether it gives up root itself, as it cannot be executed without. */
  dropsRoot?: boolean;
};

/** The whole record with its parts' names known to its own functions only. */
export function managedServer<Name extends string>(server: ManagedServer<Name>): ManagedServer {
  return server as unknown as ManagedServer;
}
