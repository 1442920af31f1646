import type { Environment } from '../../../../shared/base/environment.ts';
import type { RunOfQuestion } from '../../../../shared/kinds/comparison/past.ts';
import type { MeasuredServer, TargetKind } from '../../../../shared/target/target.ts';
import type { MadeWith } from './comparable-runs.ts';

type Known = {
  target: TargetKind;
  environment: Pick<Environment, 'machine' | 'cpuModel' | 'cores' | 'kernel' | 'node' | 'openssl'>;
  server: Pick<MeasuredServer, 'title' | 'version' | 'tlsLibrary'> | null;
  /** As negotiated by the comparison. */
  tls: { protocol: string | null; cipher: string | null };
};

export function madeWith({ target, environment, server, tls }: Known): MadeWith {
  const { machine = null, cpuModel, cores, kernel } = environment;
  return {
    ...{ machine, cpuModel, cores, kernel, protocol: tls.protocol, cipher: tls.cipher },
    server: target === 'storefront' ? ourServer(environment) : namedServer(server),
  };
}

/** The storefront is served by this program. */
function ourServer({ node, openssl }: Known['environment']): RunOfQuestion['server'] {
  return { title: 'Node', version: node, tlsLibrary: `OpenSSL ${openssl}` };
}

function namedServer(server: Known['server']): RunOfQuestion['server'] {
  if (server === null) return null;
  const { title, version, tlsLibrary } = server;
  return { title, version, tlsLibrary };
}

/** Those of both sides as one, so that a run with another of either is made with another one. */
export function bothServers(
  server: Known['server'],
  baselineServer: NonNullable<Known['server']> | undefined,
): Known['server'] {
  if (server === null || baselineServer === undefined) return server;
  const join = (one: string, other: string) => (one === other ? one : `${one} and ${other}`);
  const libraries = [baselineServer.tlsLibrary, server.tlsLibrary].filter((name) => name !== null);
  return {
    title: join(baselineServer.title, server.title),
    version: join(baselineServer.version, server.version),
    tlsLibrary: libraries.length === 0 ? null : join(libraries[0] as string, libraries.at(-1) as string),
  };
}
