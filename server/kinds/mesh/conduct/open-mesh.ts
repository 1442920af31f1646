import { namesOf } from '../../../../shared/base/arms.ts';
import { problem } from '../../../../shared/base/problem.ts';
import {
  type MeshArm,
  type MeshFacts,
  type MeshRequest,
  meshArms,
} from '../../../../shared/kinds/mesh/mesh.ts';
import type { Listener } from '../../../../shared/target/target.ts';
import type { Upstream } from '../../../targets/managed/keeper-messages.ts';
import type { OpenKept } from '../../../targets/managed/open-kept.ts';
import { openProxies } from '../../../targets/managed/open-proxies.ts';
import { type OpenTarget, openTarget, type RunHouse } from '../../../targets/open-target.ts';
import { demandStillHere } from '../../demand-here.ts';
import { askedApplication, type MeshPart, rolesOf } from '../plan/plan-mesh.ts';

/** Application and proxies of one launch. */
export type OpenMesh = {
  application: OpenTarget<MeshArm>;
  /** That the client connects to, by arm. */
  listeners: Record<MeshArm, Listener>;
  /** Roots of the process trees. */
  processes: Record<MeshPart, number>;
  proxyLibrary: string | null;
  files: MeshFacts['files'];
  /** Resolves with a sentence when one of them dies. */
  died: Promise<string>;
  stop(): Promise<void>;
};

/** Arms with proxies on their way. */
type Proxied = 'plain' | 'secure';
const arms = namesOf<MeshArm>(meshArms);

/**
 * @param looked is given the application before anything stands in front of it
 * Throws what opening a target and starting proxies do, and target_unreachable for an application whose process cannot be read.
 */
export async function openMesh(
  request: MeshRequest,
  house: RunHouse,
  looked: (application: OpenTarget<MeshArm>) => Promise<void>,
  signal: AbortSignal,
): Promise<OpenMesh> {
  const opened: { stop(): Promise<void>; died: Promise<string> }[] = [];
  const stop = async () => void (await Promise.allSettled(opened.map((each) => each.stop())));
  try {
    const application = await openTarget(askedApplication(request), house, signal);
    opened.push(application);
    demandStillHere(application.listeners);
    await looked(application);
    const servers = await openServerSide(request, application, house, signal);
    opened.push(servers);
    const clients = request.clientProxy ? await openClientSide(request, servers, house, signal) : null;
    if (clients !== null) opened.push(clients);
    const front = clients ?? servers;
    return {
      application,
      listeners: {
        ...application.listeners,
        plain: behind(front, application, 'plain'),
        secure: behind(front, application, 'secure'),
      },
      processes: processesOf(request, application, servers, clients),
      proxyLibrary: servers.tlsLibrary,
      files: [
        ...servers.files.map((file) => ({ ...file, role: 'proxy' as const })),
        ...(clients?.files ?? []).map((file) => ({ ...file, role: 'clientProxy' as const })),
      ],
      died: Promise.race(opened.map(({ died }) => died)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function openServerSide(
  request: MeshRequest,
  { listeners }: OpenTarget<MeshArm>,
  house: RunHouse,
  signal: AbortSignal,
): Promise<OpenKept<Proxied>> {
  const upstreamOf = ({ address, port }: Listener): Upstream => ({ address, port, tls: null });
  const upstreams = { plain: upstreamOf(listeners.plain), secure: upstreamOf(listeners.secure) };
  return openProxies<Proxied>(request, { plain: 'http', secure: 'https' }, upstreams, house, signal);
}

/** TLS is between the proxies then: neither demands it of the client. */
function openClientSide(
  request: MeshRequest,
  { listeners: { plain, secure } }: OpenKept<Proxied>,
  house: RunHouse,
  signal: AbortSignal,
): Promise<OpenKept<Proxied>> {
  const { hostname, ca, clientIdentity } = secure;
  const tls = { hostname, caPem: ca ?? '', identityPem: clientIdentity ?? null };
  const upstreams: Record<Proxied, Upstream> = {
    plain: { address: plain.address, port: plain.port, tls: null },
    secure: { address: secure.address, port: secure.port, tls },
  };
  const asked = { ...request, mutual: false };
  return openProxies<Proxied>(asked, { plain: 'http', secure: 'http' }, upstreams, house, signal);
}

/** The application is asked for by the same name on every arm, whatever the proxy's certificate is for. */
function behind(front: OpenKept<Proxied>, application: OpenTarget<MeshArm>, arm: Proxied): Listener {
  const proxy = front.listeners[arm];
  const { hostname } = application.listeners[arm];
  if (proxy.ca === null || hostname === proxy.hostname) return { ...proxy, hostname };
  return { ...proxy, hostname, ca: null, trust: front.fingerprint };
}

function processesOf(
  request: MeshRequest,
  application: OpenTarget<MeshArm>,
  servers: OpenKept<Proxied>,
  clients: OpenKept<Proxied> | null,
): Record<MeshPart, number> {
  const of = { application, proxy: servers, clientProxy: clients };
  const parts = arms.flatMap((arm) =>
    rolesOf(arm, request).map((role): [MeshPart, number] => {
      const listeners = of[role]?.listeners as Partial<Record<MeshArm, Listener>> | undefined;
      return [`${arm} ${role}`, listeners?.[arm]?.pid ?? unread(application.listeners[arm])];
    }),
  );
  return Object.fromEntries(parts) as Record<MeshPart, number>;
}

function unread({ address, port }: Listener): never {
  throw problem(
    'target_unreachable',
    `The process that listens at ${address}:${port} cannot be read, so its CPU is unknown. Run TLS Toll as its user or as root.`,
  );
}
