import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { GeneratorHost } from '../../../../shared/measurement/generator-host.ts';
import type { OwnListener } from '../../../base/addresses/own-listeners.ts';
import { channelKey } from '../../../base/pinned/channel-key.ts';
import { servePinned } from '../../../base/pinned/serve-pinned.ts';
import { ownListenersOf } from '../../../base/process/own-listeners-of.ts';
import { encodeFrame, readFrames } from './frames.ts';
import { type Hello, helloSchema, longestFrame, longestIntroduction, type Welcome } from './host-messages.ts';
import { JoinedHost } from './joined-host.ts';
import { proofOf } from './proof.ts';

/** Hosts that joined, at this moment, by their names. */
export type GeneratorHosts = {
  list(): GeneratorHost[];
  /** Those that nobody has taken and whose clock is known. */
  free(): JoinedHost[];
  /** One that joins, leaves, or becomes free. Resolves at the latest when the signal is aborted. */
  changed(signal: AbortSignal): Promise<void>;
  /** Higher than any before, also of an earlier dashboard. */
  nextFence(): number;
};

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
  /** Where the dashboard listens besides: hosts never load that. */
  own: () => readonly OwnListener[];
};

const introductionMs = 5000;
/** After a word of refusal. */
const leavingMs = 1000;
const mostHosts = 200;

/** Listens for hosts that offer their generator. Throws address_in_use, invalid_environment. */
export async function serveGeneratorHosts(options: Options): Promise<ServedHosts> {
  const hosts = new Map<string, JoinedHost>();
  let fence = 0;
  let change = Promise.withResolvers<void>();
  const tellChange = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const admit: Introduction['admit'] = (hello, socket, welcome) => {
    if (hosts.has(hello.name)) return null;
    welcome();
    const host = new JoinedHost(hello, socket, tellChange);
    hosts.set(host.name, host);
    void host.gone.then(() => {
      hosts.delete(host.name);
      tellChange();
    });
    return host;
  };
  const inOrder = () =>
    [...hosts.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
  const ownNow = () => [...options.own(), ...ownListenersOf(served.server)];
  const served = await servePinned({
    ...{ host: options.host, port: options.port, identity: options.identity },
    ...{ handshakeMs: introductionMs, mostFriends: mostHosts },
    converse: (socket, introduce) => introduceHost(socket, { ...options, own: ownNow, introduce, admit }),
  });
  return {
    port: served.port,
    own: () => ownListenersOf(served.server),
    list: () => inOrder().map((host) => host.describe()),
    free: () => inOrder().filter((host) => !host.isTaken && host.clock.isKnown),
    async changed(signal) {
      const aborted = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([change.promise, aborted]);
    },
    nextFence() {
      fence = Math.max(fence + 1, Date.now());
      return fence;
    },
    async close() {
      for (const host of hosts.values()) host.release();
      await served.close();
    },
  };
}

type Introduction = Pick<Options, 'token' | 'version' | 'own'> & {
  introduce(): boolean;
  /** @param welcome is called before anything is asked of it */
  admit(hello: Hello, socket: TLSSocket, welcome: () => void): JoinedHost | null;
};

/** Greets, and lets in who has the token, the version, and a name that nobody else has. */
function introduceHost(socket: TLSSocket, { token, version, own, introduce, admit }: Introduction): void {
  const nonce = randomBytes(16).toString('hex');
  const key = channelKey(token, 'generator', nonce, socket);
  let joined: JoinedHost | null = null;
  const destroy = () => void socket.destroy();
  socket.on('error', destroy);
  const introduction = setTimeout(destroy, introductionMs);
  socket.once('close', () => clearTimeout(introduction));
  const answer = (welcome: Welcome) => socket.write(encodeFrame(welcome));
  const sendAway = (word: Exclude<Welcome, { own: unknown }>) => {
    answer(word);
    socket.end();
    setTimeout(destroy, leavingMs);
  };
  socket.write(encodeFrame({ generators: 'tls-toll', version, nonce }));
  readFrames(
    socket,
    () => (joined === null ? longestIntroduction : longestFrame),
    (said) => {
      if (joined !== null) return joined.hear(said);
      const hello = helloSchema.safeParse(said);
      if (!hello.success) return destroy();
      const { data } = hello;
      if (!isProof(data.proof, proofOf(key, data.name))) return sendAway({ refused: otherToken });
      if (data.version !== version) return sendAway({ refused: versionsDiffer(data.version, version) });
      if (!introduce()) return sendAway({ later: 'it has as many generators as it takes' });
      joined = admit(data, socket, () => answer({ own: [...own()].slice(0, mostHosts) }));
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
