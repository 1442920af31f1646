import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { GeneratorHost } from '../../../shared/measurement/runner.ts';
import { unlessAborted } from '../../base/addresses/load-limits.ts';
import type { OwnListener } from '../../base/addresses/target-policy.ts';
import { ownListenersOf } from '../../base/process/listeners.ts';
import { channelKey, servePinned } from '../../base/wire/pinned-channel.ts';
import {
  encodeFrame,
  type Hello,
  helloSchema,
  introductionLimits,
  proofOf,
  readFrames,
  replyLimits,
  type Welcome,
} from './host-protocol.ts';
import { JoinedHost } from './joined-host.ts';

export type GeneratorHosts = {
  list(): GeneratorHost[];
  /** Idle ones whose clock is known. */
  free(): JoinedHost[];
  /** Resolves when a host joins, leaves, or becomes free, or when the signal is aborted. */
  changed(signal: AbortSignal): Promise<void>;
  /** Higher than every earlier one, those of an earlier dashboard process included. */
  nextFence(): number;
  /** Opens a separate pool for hosts that join with this token. `close` revokes the token and disconnects them. */
  invite(token: string): { pool: HostPool; close(): void };
};

/** Hosts that a run may take. */
export type HostPool = Pick<GeneratorHosts, 'free' | 'changed' | 'nextFence'>;

export type ServedHosts = GeneratorHosts & {
  port: number;
  own(): OwnListener[];
  close(): Promise<void>;
};

type Options = {
  host: string;
  port: number;
  token: string;
  identity: { certificatePem: string; keyPem: string };
  version: string;
  /** Other listeners of the dashboard: hosts never load it. */
  own: () => readonly OwnListener[];
};

const introductionMs = 5000;
/** Time to read the reason for a refusal. */
const leavingMs = 1000;
const mostHosts = 200;

/** Listens for hosts that offer their generator. Throws address_in_use, invalid_environment. */
export async function serveGeneratorHosts(options: Options): Promise<ServedHosts> {
  const hosts = new Set<JoinedHost>();
  const tokens = new Set([options.token]);
  const tokenOf = new WeakMap<JoinedHost, string>();
  let fence = 0;
  let change = Promise.withResolvers<void>();
  const tellChange = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const admit: Introduction['admit'] = (hello, token, socket, welcome) => {
    // Names belong to a token: a pod cannot keep a host out by taking its name.
    if (joinedWith(token).some(({ name }) => name === hello.name)) return null;
    welcome();
    const host = new JoinedHost(hello, socket, tellChange);
    tokenOf.set(host, token);
    hosts.add(host);
    void host.gone.then(() => {
      hosts.delete(host);
      tellChange();
    });
    return host;
  };
  const inOrder = () => [...hosts].toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  const ownNow = () => [...options.own(), ...ownListenersOf(served.server)];
  const served = await servePinned({
    ...{ host: options.host, port: options.port, identity: options.identity },
    ...{ handshakeMs: introductionMs, mostFriends: mostHosts },
    converse: (socket, introduce) =>
      introduceHost(socket, { ...options, tokens, own: ownNow, introduce, admit }),
  });
  const joinedWith = (token: string) => inOrder().filter((host) => tokenOf.get(host) === token);
  const poolOf = (token: string): HostPool => ({
    free: () => joinedWith(token).filter((host) => !host.isTaken && host.clock.isKnown),
    async changed(signal) {
      await unlessAborted(signal, change.promise).catch(() => {});
    },
    nextFence() {
      fence = Math.max(fence + 1, Date.now());
      return fence;
    },
  });
  return {
    ...poolOf(options.token),
    port: served.port,
    own: () => ownListenersOf(served.server),
    list: () => inOrder().map((host) => host.describe()),
    invite(token) {
      tokens.add(token);
      return {
        pool: poolOf(token),
        close() {
          tokens.delete(token);
          for (const host of joinedWith(token)) host.leave();
        },
      };
    },
    async close() {
      for (const host of hosts) host.release();
      await served.close();
    },
  };
}

type Introduction = Pick<Options, 'version' | 'own'> & {
  tokens: ReadonlySet<string>;
  introduce(): boolean;
  /** Null when the name is taken. @param welcome called before the first order */
  admit(hello: Hello, token: string, socket: TLSSocket, welcome: () => void): JoinedHost | null;
};

/** Admits a host that has one of the tokens, this version, and a name that no other host with the token has. */
function introduceHost(socket: TLSSocket, { tokens, version, own, introduce, admit }: Introduction): void {
  const nonce = randomBytes(16).toString('hex');
  let joined: JoinedHost | null = null;
  let isLeaving = false;
  const destroy = () => void socket.destroy();
  socket.on('error', destroy);
  const introduction = setTimeout(destroy, introductionMs);
  socket.once('close', () => clearTimeout(introduction));
  const answer = (welcome: Welcome) => socket.write(encodeFrame(welcome));
  const sendAway = (word: Exclude<Welcome, { own: unknown }>) => {
    isLeaving = true;
    answer(word);
    socket.end();
    setTimeout(destroy, leavingMs);
  };
  socket.write(encodeFrame({ generators: 'tls-toll', version, nonce }));
  readFrames(
    socket,
    () => (joined === null ? introductionLimits : replyLimits),
    (said) => {
      if (isLeaving) return;
      if (joined !== null) return joined.hear(said);
      const hello = helloSchema.safeParse(said);
      if (!hello.success) return destroy();
      const { data } = hello;
      const token = [...tokens].find((each) => {
        const key = channelKey(each, 'generator', nonce, socket);
        return isProof(data.proof, proofOf(key, data.name));
      });
      if (token === undefined) return sendAway({ refused: otherToken });
      if (data.version !== version) return sendAway({ refused: versionsDiffer(data.version, version) });
      if (!introduce()) return sendAway({ later: 'it has as many generators as it takes' });
      joined = admit(data, token, socket, () => answer({ own: [...own()].slice(0, mostHosts) }));
      if (joined === null)
        return sendAway({ later: `another generator with the name ${data.name} is connected` });
      clearTimeout(introduction);
    },
  );
}

const otherToken = 'it has another token. Copy data/generator.token of the dashboard again';

function versionsDiffer(theirs: string, ours: string): string {
  return `it has version ${ours} of TLS Toll, and this generator ${theirs}. Install the same version on both hosts`;
}

function isProof(shown: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(shown, 'hex'), Buffer.from(right, 'hex'));
}
