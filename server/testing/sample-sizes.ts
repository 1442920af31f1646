import {
  type LineTerms,
  type SizeRound,
  type SizesDocument,
  type SizesFacts,
  type SizesRequestInput,
  sizesRequestSchema,
} from '../../shared/kinds/sizes/sizes.ts';
import type { MeasuredServer } from '../../shared/target/target.ts';
import { sizes } from '../kinds/sizes/kind.ts';
import { sampleSurroundings } from './sample-surroundings.ts';
import { simulateArms } from './simulated-sizes.ts';

const measured: MeasuredServer = {
  ...{
    name: 'nginx',
    title: 'nginx',
    version: '1.22.1',
    tlsLibrary: 'OpenSSL 3.0.19 27 Jan 2026',
    witness: null,
  },
  files: [{ arm: 'baseline', name: 'nginx.conf', text: 'worker_processes 1;\n' }],
};

/** A sweep over sizes with figures like those of an nginx on two slow cores, made from a seed. */
export type SampleSizes = {
  request?: Partial<SizesRequestInput>;
  facts?: Partial<SizesFacts>;
  plain?: LineTerms;
  secure?: LineTerms;
  rounds?: number;
  /** Changes the rounds before they are analyzed. */
  change?: (rounds: SizeRound[]) => SizeRound[];
};

export function sampleSizes({
  request: asked = {},
  facts = {},
  plain = { offsetUs: 90, usPerByte: 0.0035, recordUs: null },
  secure = { offsetUs: 110, usPerByte: 0.0045, recordUs: 30 },
  rounds: count = 12,
  change = (rounds) => rounds,
}: SampleSizes = {}): SizesDocument {
  const request = sizesRequestSchema.parse({ kind: 'sizes', seed: 7, ...asked });
  const { environment, createdAt } = sampleSurroundings;
  const frame = {
    ...({ id: '7sampleSizes0000000000', state: 'finished', problem: null, request, environment } as const),
    ...{ createdAt, startedAt: createdAt + 1000, endedAt: createdAt + 61_000 },
  };
  const known: SizesFacts = {
    ...{
      seed: 7,
      server: measured,
      load: { users: 8, cores: 1 },
      placement: { generator: [1], target: [0] },
      linkBytesPerS: null,
      warnings: [],
    },
    arms: [
      { arm: 'http', suite: null, negotiated: null, connectUs: 120 },
      ...request.suites.map((suite, arm) => ({
        ...{ arm, suite, connectUs: 1900 },
        negotiated: { ...negotiated, cipher: suite ?? negotiated.cipher },
      })),
    ],
    ...facts,
  };
  const noise = { seed: 7, rounds: count, sizes: request.sizes, ofRound: 0.05, ofPoint: 0.02 };
  const arms = known.arms.map(({ arm }) => arm);
  const tables = simulateArms(
    noise,
    arms.map((arm) => (arm === 'http' ? plain : secure)),
  );
  const rounds = Array.from(
    { length: count },
    (_, round): SizeRound => ({
      ...{
        ...{ round, launch: round },
        twin: { latency: 1 + 0.002 * ((round % 3) - 1), cpu: 1 },
        asideShare: 0.02,
        machine: { stealRatio: 0.01, foreignRatio: 0.02 },
      },
      points: request.sizes.flatMap((size, index) =>
        arms.map((arm, nth) => {
          const us = tables[nth]?.us[round]?.[index] ?? Number.NaN;
          const percentiles = { p2_5: 0.85 * us, p12_5: 0.92 * us, p87_5: 1.2 * us, p97_5: 1.7 * us };
          const atLoad = { transactions: 400, busyCores: 0.97 };
          return { size, arm, transactions: 400, medianUs: us, ...percentiles, cpuUs: 0.4 * us, atLoad };
        }),
      ),
    }),
  );
  const kept = { facts: known, blocks: change(rounds) };
  return sizes.documentOf(frame, kept);
}

const negotiated = {
  ...{ protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', group: 'X25519MLKEM768' },
  ...{ key: 'EC P-256', alpn: 'http/1.1' },
};
