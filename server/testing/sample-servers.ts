import { expandPlan } from '../../shared/kinds/servers/servers-cells.ts';
import { serversPresets } from '../../shared/kinds/servers/servers-presets.ts';
import {
  type AbCounts,
  abPercents,
  type FactorPlanInput,
  type ServersCell,
  type ServersDocument,
  type ServersFacts,
  type ServersVisit,
  serversRequestSchema,
  type VisitArm,
} from '../../shared/kinds/servers/servers-result.ts';
import type { MeasuredServer } from '../../shared/target/target.ts';
import { serverTitles } from '../../shared/target/target-words.ts';
import type { Frame, Kept } from '../kinds/kind.ts';
import { servers as kind } from '../kinds/servers/kind.ts';
import { sampleSurroundings } from './sample-surroundings.ts';
import { simulateVisits, type Truth, type VisitNoise } from './simulated-visits.ts';

/** A sweep over servers with figures like those of real servers on two slow cores, made from a seed. */
export type SampleServers = VisitNoise & {
  plan?: FactorPlanInput;
  truth?: Truth;
  /** Changes the visits before they are analyzed. */
  change?: (visits: ServersVisit[], cells: readonly ServersCell[]) => ServersVisit[];
};

export function sampleServers({
  plan = serversPresets['malmgren-2011'],
  truth = likeServers,
  change = (visits) => visits,
  ...noise
}: SampleServers = {}) {
  const rounds = noise.rounds ?? 6;
  const request = serversRequestSchema.parse({ kind: 'servers', plan, rounds, seed: 7 });
  const { environment, createdAt } = sampleSurroundings;
  const frame = {
    ...({ id: '7sampleServers00000000', state: 'finished', problem: null, request, environment } as const),
    ...{ createdAt, startedAt: createdAt + 1000, endedAt: createdAt + 960_000 },
  };
  const cells = expandPlan(request.plan);
  const names = [...new Set(cells.map(({ settings }) => settings.server))];
  const servers = names.map(
    (name): MeasuredServer => ({
      ...{ name, title: serverTitles[name], version: '1.22.1', tlsLibrary: 'OpenSSL 3.0.19 27 Jan 2026' },
      witness: null,
      files: [{ arm: 'baseline', name: `${name}.conf`, text: 'workers 1;\n' }],
    }),
  );
  const facts: ServersFacts = {
    seed: 7,
    cells,
    servers,
    placement: { generator: [1], target: [0] },
    warnings: [],
  };
  const simulated = simulateVisits(cells, truth, { noise: 0.03, ofRound: 0.05, ...noise });
  const blocks = change(
    simulated.map((visit) => withCounts(visit, cells)),
    cells,
  );
  const kept = { facts, blocks };
  return {
    frame,
    kept,
    document: kind.documentOf(frame, kept),
  } satisfies {
    frame: Frame<typeof request>;
    kept: Kept<ServersFacts, ServersVisit>;
    document: ServersDocument;
  };
}

/** Keep-alive is worth most, then the key where connections are new; the cipher is worth nothing. */
const likeServers: Truth = ({ settings: { keepAlive, key, concurrency, server } }, side) => {
  const requestUs = 40 * (server === 'apache' ? 1.4 : 1) * (concurrency === 1 ? 1.6 : 1);
  const signUs = {
    ...{ 'P-256': 90, 'P-384': 700, 'RSA-1024': 120, 'RSA-2048': 480, 'RSA-4096': 3200 },
    ...{ 'ML-DSA-44': 300, 'ML-DSA-65': 500, 'ML-DSA-87': 600 },
  }[key];
  const connectionUs = keepAlive ? 0 : 110 + (side === 'https' ? 300 + signUs : 0);
  const us = requestUs + (side === 'https' ? 9 : 0) + connectionUs;
  return { perS: 1e6 / us, cpuUs: 0.8 * us };
};

function withCounts(visit: ServersVisit, cells: readonly ServersCell[]): ServersVisit {
  const settings = cells[visit.cell]?.settings;
  if (visit.arms === null || settings === undefined) return visit;
  const counted = (arm: VisitArm, encrypted: boolean): VisitArm => ({
    ...arm,
    ab: {
      ...{ serverSoftware: 'nginx', hostname: 'tls-toll.localhost', port: encrypted ? 40_443 : 40_080 },
      ...countsOf(arm, settings, encrypted),
    },
  });
  const { baseline, comparison, twin } = visit.arms;
  return {
    ...visit,
    arms: { baseline: counted(baseline, false), comparison: counted(comparison, true), twin },
  };
}

/** Counts of 0.4 s, in which every request took as long as the others of the same place. */
function countsOf(
  { perS }: VisitArm,
  { concurrency, document, keepAlive }: ServersCell['settings'],
  encrypted: boolean,
): AbCounts {
  const requests = Math.round(0.4 * perS);
  const ms = (1000 * concurrency) / perS;
  const spread = (of: number) => ({
    min: 0.6 * of,
    mean: of,
    sd: 0.2 * of,
    median: 0.97 * of,
    max: 2.4 * of,
  });
  const connect = spread(keepAlive ? 0 : (encrypted ? 0.7 : 0.3) * ms);
  return {
    ...{ seconds: 0.4, requests, connectionsOpened: keepAlive ? 0 : requests, non2xx: 0, phased: true },
    failed: { connect: 0, receive: 0, length: 0, exceptions: 0 },
    totalBytes: requests * (document + 230),
    htmlBytes: requests * document,
    negotiated: encrypted
      ? {
          ...{ protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', group: 'X25519', key: 'RSA 2048' },
          alpn: 'http/1.1',
        }
      : null,
    timesMs: { connect, processing: spread(ms - connect.mean), waiting: spread(0.4 * ms), total: spread(ms) },
    ladderMs: abPercents.map((percent) => ms * (percent === 100 ? 2.4 : 0.6 + percent / 120)),
  };
}
