import type { PresetCard } from '../../../../shared/api.ts';
import type { Plan, Preset } from '../../../../shared/load-profile.ts';
import { type RunRequest, runRequestSchema } from '../../../../shared/run.ts';
import { longestS, runS } from './plan-duration.ts';
import { thinkTimeScaleOf } from './think-times.ts';

type Shape = Pick<Plan, 'capacityMs' | 'warmUp' | 'blocksPerPoint' | 'slots' | 'idleMs'>;

/**
 * A slot of a second holds some of a runtime's collections of garbage; half as long, it holds one or none, and intervals
 * came out wider for the same time. quick has seven blocks, not six, of shorter slots: an interval needs six, so it bears the loss of one, and with
 * seven Holm's correction over three metrics can be passed.
 */
const shapes: Record<Preset, Shape> = {
  quick: {
    capacityMs: 1000,
    warmUp: { minimumMs: 5000, maximumMs: 6000, minimumRequests: 500 },
    blocksPerPoint: { minimum: 7, maximum: 7 },
    slots: { steady: { durationMs: 300, discardMs: 60 }, maximum: { durationMs: 170, discardMs: 40 } },
    idleMs: 20,
  },
  standard: {
    capacityMs: 2000,
    warmUp: { minimumMs: 5000, maximumMs: 20_000, minimumRequests: 5000 },
    blocksPerPoint: { minimum: 12, maximum: 21 },
    slots: { steady: { durationMs: 1000, discardMs: 100 }, maximum: { durationMs: 500, discardMs: 100 } },
    idleMs: 50,
  },
  thorough: {
    capacityMs: 5000,
    warmUp: { minimumMs: 10_000, maximumMs: 20_000, minimumRequests: 5000 },
    blocksPerPoint: { minimum: 53, maximum: 53 },
    slots: { steady: { durationMs: 1000, discardMs: 100 }, maximum: { durationMs: 600, discardMs: 100 } },
    idleMs: 50,
  },
};

const requestTimeoutMs = 5000;

type PlannedByUser =
  | 'preset'
  | 'connections'
  | 'connectionPolicy'
  | 'requestsPerConnection'
  | 'ratePerS'
  | 'thinkTimeScale'
  | 'rampMs'
  | 'generators';

/**
 * The plan of a run; its rate is open until capacity is known.
 * @param surroundings cores of this machine, and the think times of the scenario's steps
 */
export function planFor(
  request: Pick<RunRequest, PlannedByUser>,
  seed: number,
  { cores = 1, thinkTimesMs = [] }: { cores?: number; thinkTimesMs?: readonly number[] } = {},
): Plan {
  const { preset, connections, connectionPolicy, requestsPerConnection, ratePerS, rampMs } = request;
  const slotMs = shapes[preset].slots.steady.durationMs;
  const thinkTimeScale = thinkTimeScaleOf(request.thinkTimeScale, thinkTimesMs, slotMs);
  return structuredClone({
    preset,
    seed,
    connections,
    connectionPolicy,
    requestsPerConnection,
    thinkTimeScale,
    thinkMs: thinkTimesMs.reduce((sum, each) => sum + Math.round(each * thinkTimeScale), 0),
    rampMs,
    generators: Math.min(connections, request.generators ?? generatorsFor(cores)),
    requestTimeoutMs,
    ratePerS,
    ...shapes[preset],
  });
}

/** A third of the cores, as the target needs at least as many and this server one; on small machines one process. */
function generatorsFor(cores: number): number {
  return Math.min(8, Math.max(1, Math.floor(cores / 3)));
}

/**
 * `detectable` is what a preset can tell from nothing: about where intervals and noise floors lay on a shared machine of two cores:
 * quick ±13 %, standard ±4 % beside a floor of 6 %. Thorough is standard's, narrowed by the root of its blocks.
 */
export const presetCards: PresetCard[] = [
  cardOf('quick', 'Quick', 0.15, 'A first impression: seven short blocks at each load. Intervals are wide.'),
  cardOf('standard', 'Standard', 0.06, 'Blocks until the intervals are narrow enough to quote.'),
  cardOf(
    'thorough',
    'Thorough',
    0.04,
    'Ten minutes, the classic window of load tests: small effects, tails and memory growth.',
  ),
];

function cardOf(preset: Preset, title: string, detectable: number, note: string): PresetCard {
  const plan = planFor({ ...runRequestSchema.parse({}), preset }, 0);
  const { minimum, maximum } = plan.blocksPerPoint;
  const expectedS = runS(plan, (minimum + maximum) / 2);
  return { preset, title, expectedS: Math.round(expectedS), maximumS: longestS[preset], detectable, note };
}
