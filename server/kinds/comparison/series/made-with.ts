import type { Environment } from '../../../../shared/base/environment.ts';
import type { NegotiatedTls } from '../../../../shared/base/tls-profile.ts';
import { type BySide, bySide } from '../../../../shared/base/transport.ts';
import type { RunOfQuestion } from '../../../../shared/kinds/comparison/past.ts';
import { namesBeside, type Program } from '../../../../shared/kinds/comparison/program.ts';
import type { MeasuredServer, TargetKind } from '../../../../shared/target/target.ts';
import type { MadeWith } from './comparable-runs.ts';

/** What is said of a server besides its configuration. */
export type NamedServer = Pick<MeasuredServer, 'title' | 'version' | 'tlsLibrary'>;

type Known = {
  target: TargetKind;
  environment: Pick<Environment, 'machine' | 'cpuModel' | 'cores' | 'kernel' | 'node' | 'openssl'>;
  servers: BySide<NamedServer | null>;
  /** As the check of the target found it; null without TLS. */
  negotiated: BySide<NegotiatedTls | null>;
  /** Absent where the target works alone. */
  programs?: readonly Pick<Program, 'name' | 'role'>[] | undefined;
  /** Absent where connections were as planned. */
  departed?: string | undefined;
};

export function madeWith({ target, environment, servers, negotiated, programs, departed }: Known): MadeWith {
  const { machine = null, cpuModel, cores, kernel } = environment;
  return {
    ...{ machine, cpuModel, cores, kernel, beside: namesBeside(programs), departed: departed ?? null },
    sides: bySide((side) => ({
      server: target === 'storefront' ? ourServer(environment) : named(servers[side]),
      negotiated: partsOf(negotiated[side]),
    })),
  };
}

type MadeSide = RunOfQuestion['sides']['baseline'];

/** The storefront is served by this program. */
function ourServer({ node, openssl }: Known['environment']): MadeSide['server'] {
  return { title: 'Node', version: node, tlsLibrary: `OpenSSL ${openssl}` };
}

function named(server: NamedServer | null): MadeSide['server'] {
  if (server === null) return null;
  const { title, version, tlsLibrary } = server;
  return { title, version, tlsLibrary };
}

function partsOf(negotiated: NegotiatedTls | null): MadeSide['negotiated'] {
  if (negotiated === null) return null;
  const { protocol, cipher, group } = negotiated;
  return { protocol, cipher, group };
}
