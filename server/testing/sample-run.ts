import { byArm, namesOf } from '../../shared/base/arms.ts';
import type { Block, Window } from '../../shared/kinds/comparison/block.ts';
import type { OperatingPoint } from '../../shared/kinds/comparison/load-profile.ts';
import type { RunDocument } from '../../shared/kinds/comparison/run.ts';
import type { Slot } from '../../shared/kinds/comparison/slot.ts';
import { analyse } from '../kinds/comparison/analysis.ts';
import {
  lockstepRatios,
  type MeasuredWindow,
  maximumRatios,
  pairRatioOf,
} from '../kinds/comparison/block-ratios.ts';
import { question, runArms } from '../kinds/comparison/metric-readings.ts';
import { verdictOf } from '../method/statistics/outcome-decision.ts';
import { drawsOf } from '../method/statistics/random.ts';
import { setAside } from '../method/statistics/windows.ts';
import { samplePlan } from './sample-plan.ts';
import { sampleSlot } from './sample-slot.ts';
import { sampleSurroundings } from './sample-surroundings.ts';
import { sampleWindows } from './sample-windows.ts';

/**
 * A run with figures like those of a real one, made from a seed, for tests that need a document or a block before
 * anything was measured. HTTPS costs a fifth more CPU and latency, and a sixth of the throughput; launches are 1 % apart.
 */
export function sampleRun({ seed = 7, launches = 4, epochs = 2 } = {}): RunDocument {
  const random = drawsOf(seed);
  const blocks: Block[] = [];
  for (let launch = 0; launch < launches; launch++) {
    const ofLaunch = 1 + (random() + random() - 1) * 0.02;
    for (let epoch = 0; epoch < epochs; epoch++) {
      for (const kind of points) {
        const index = blocks.length;
        blocks.push(sampleBlock({ index, kind, launch, epoch }, ofLaunch, random));
      }
    }
  }
  const late = launches > 2 ? blocks.at(-1) : undefined;
  late?.reasons.push({
    code: 'late',
    message: 'HTTP: one in a hundred transactions was sent 3.1 ms late or more (2.0 ms is allowed).',
    spoils: 'latency',
  });
  const plan = samplePlan;
  const { metrics } = analyse(blocks, { finished: true, ownTwin: true, plan });
  const verdict = verdictOf(metrics);
  return {
    ...sampleSurroundings,
    launches: Array.from({ length: launches }, (_, index) => ({
      index,
      startedAtMs: 300 + index * launchMs,
      pids: byArm(arms, (arm) => 4711 + 3 * index + arms.indexOf(arm)),
      warmUp: { requests: 2400 + 100 * index, ms: 2900 + 50 * index },
    })),
    ...{ verdict, metrics, blocks },
  };
}

/** The same, pooled with two others of its question, and with a difference that is not certain. */
export function runVariants(run: RunDocument): Record<'pooled' | 'unclear', RunDocument> {
  const [leftOut = '', ...runs] = ['a', 'b', 'c'].map((letter) => letter.repeat(22));
  const ratio = { center: 1.193, lo: 1.182, hi: 1.204 };
  const difference = { center: 83.2, lo: 78.1, hi: 88.3, runs: 2 };
  const cpu = { ratio, outcome: 'overhead' as const, runs, between: 0.01, difference };
  const pool = { metrics: { cpu_at_load: cpu }, leftOut: [{ id: leftOut, reason: 'another kernel' }] };
  const metrics = run.metrics.map((row) => ({ ...row, outcome: 'inconclusive' as const }));
  return {
    pooled: { ...run, pool },
    unclear: { ...run, metrics, verdict: verdictOf(metrics) },
  };
}

const points: readonly OperatingPoint[] = ['lockstep', 'maximum', 'steady'];
const arms = namesOf(runArms);
const blockMs = 2100;
const warmUpMs = 3500;
const launchMs = warmUpMs + 6 * blockMs;

type Place = Pick<Block, 'index' | 'kind' | 'launch' | 'epoch'>;

function sampleBlock(place: Place, ofLaunch: number, random: () => number): Block {
  const { index, kind, launch } = place;
  const startedAtMs = index * blockMs + (launch + 1) * warmUpMs;
  const slotMs = kind === 'steady' ? 500 : kind === 'maximum' ? 530 : 700;
  const slots = arms.map((arm, nth): Slot => {
    const from = startedAtMs + (kind === 'steady' ? nth * (slotMs + 60) : 0);
    return sampleSlot(arm, kind, from, random, { slotMs, ofLaunch });
  });
  const windows = kind === 'steady' ? [] : setAside(sampleWindows(kind, startedAtMs, ofLaunch, random));
  const ratios = kind === 'lockstep' ? lockstepRatios(windows, question) : maximumRatios(windows, question);
  return { ...place, order: 'ABN', reasons: [], slots, windows: windows.map(stored), ratios };
}

function stored({ groups, ...window }: MeasuredWindow): Window {
  return { ...window, ...(groups === undefined ? {} : pairRatioOf(groups, question)) };
}
