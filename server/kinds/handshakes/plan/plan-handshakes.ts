import { problem } from '../../../../shared/base/problem.ts';
import type {
  HandshakeCell,
  HandshakesPreset,
  HandshakesRequest,
} from '../../../../shared/kinds/handshakes/handshakes.ts';
import type { MeasuringPhase } from '../../../../shared/measurement/cells-progress.ts';
import type { Phase } from '../../../../shared/measurement/estimate-progress.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import { cellOf, demandFewEnough, expandAxes } from './expand-axes.ts';
import { expectedCostUs } from './expected-cost.ts';
import { presetAxes } from './presets.ts';

export type HandshakesPlan = {
  cells: HandshakeCell[];
  baseline: HandshakeCell;
  warmUps: number;
  rounds: number;
  /** Of each cell, in all rounds together; less for dear cells once `budgetS` needs it. */
  connections: number;
  /** Seconds that the rounds may take; null when the count was asked for. */
  budgetS: number | null;
};

/** The usual connection of today: every ratio is to it. */
const baseline = cellOf({
  version: 'TLSv1.3',
  cipher: 'TLS_AES_128_GCM_SHA256',
  key: 'P-256',
  group: 'X25519',
  bytes: 1,
  resumption: 'full',
});

const warmUps = 50;
const fewestRounds = 12;
/**
 * Many short visits: a core is slowed by its neighbours for tens of milliseconds at a time, and what changes between a cell's
 * visit and the baseline's is noise of their ratio. 80 × 8 connections know it twice as well as 16 × 40 in the same time.
 */
const usualRounds = 80;
const connectionsPerVisit = 8;
/** More tell no more, and the interval of a ratio takes the square of them. */
const mostRounds = 250;
/** Of the cells’ own time: what the visits to the baseline in between add. */
const withBaseline = 1.25;
const mostSeconds = 3600;

/** Seconds for the rounds of a preset; keys, warm-up and the ends apart take a quarter as long again. */
const budgetsS: Record<HandshakesPreset, number> = {
  classic: 50,
  today: 50,
  'post-quantum': 50,
  everything: 420,
};
const ownBudgetS = 60;

/** Throws `lab_impossible` for an unknown name, a combination that no protocol allows, and what would take too long. */
export function planHandshakes(request: HandshakesRequest): HandshakesPlan {
  const { grid, connections } = request;
  const legacy = request.legacy || grid === 'classic';
  const grids = typeof grid === 'string' ? presetAxes(grid, legacy) : [grid];
  const cells = distinct(grids.flatMap((axes) => expandAxes(axes, legacy)));
  demandFewEnough(cells.length);
  const planned = {
    cells,
    baseline,
    warmUps,
    rounds: connections === null ? usualRounds : roundsFor(connections),
    connections: connections ?? usualRounds * connectionsPerVisit,
    budgetS: connections === null ? budgetOf(grid) : null,
  };
  const seconds = expectedS(planned);
  if (seconds > mostSeconds) {
    throw tooMuch(
      `That takes about ${printHours(seconds)}; the maximum is one hour. Choose fewer cells or connections.`,
    );
  }
  return planned;
}

/** About how long the whole takes on a quiet machine. */
function expectedS({ cells, connections, budgetS }: HandshakesPlan): number {
  const measuring = (connections * sumOf(cells.map(expectedCostUs)) * withBaseline) / 1e6;
  const warming = (2 * warmUps * sumOf(cells.map(expectedCostUs))) / 1e6;
  return Math.min(measuring, budgetS ?? Number.POSITIVE_INFINITY) + warming + 5;
}

/** @param costUs of a connection of a cell, as expected or as measured while it was warmed up; @param visits of a round, once known */
export function handshakePhases(
  { cells, warmUps, connections, budgetS, rounds }: HandshakesPlan,
  costUs: (cell: HandshakeCell) => number,
  visits: number,
): Phase<MeasuringPhase>[] {
  const roundS = sumOf(cells.map(costUs)) / 1e6;
  const measuringS = Math.min(budgetS ?? Number.POSITIVE_INFINITY, connections * roundS * withBaseline);
  // The baseline is one more.
  const steps = cells.length + 1;
  return [
    { name: 'preparing', seconds: 2 + 15 * roundS, steps },
    { name: 'warm-up', seconds: warmUps * roundS, steps },
    { name: 'measuring', seconds: measuringS, steps: visits, rounds },
    { name: 'ends apart', seconds: 75 * roundS, steps },
  ];
}

/**
 * Connections of each cell in all rounds together: as planned, or as many as fit into the budget, dear cells giving
 * first. None gets fewer than two a round.
 * @param costsUs of one connection of each cell, measured
 */
export function fitConnections(
  { rounds, connections, budgetS }: HandshakesPlan,
  costsUs: readonly number[],
): number[] {
  const needed = (levelUs: number) =>
    costsUs.map((cost) =>
      Math.max(2 * rounds, Math.min(connections, Math.floor(levelUs / Math.max(1, cost)))),
    );
  const secondsOf = (counts: readonly number[]) =>
    (sumOf(counts.map((count, cell) => count * (costsUs[cell] ?? 0))) * withBaseline) / 1e6;
  const asPlanned = costsUs.map(() => connections);
  if (budgetS === null || secondsOf(asPlanned) <= budgetS) return asPlanned;
  // The highest level of time per cell that all fit under, by halving.
  let [low, high] = [0, connections * Math.max(...costsUs)];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (secondsOf(needed(middle)) <= budgetS) low = middle;
    else high = middle;
  }
  return needed(low);
}

function roundsFor(connections: number): number {
  const rounds = Math.max(fewestRounds, Math.ceil(connections / connectionsPerVisit));
  return Math.min(connections, rounds, mostRounds);
}

function budgetOf(grid: HandshakesRequest['grid']): number {
  return typeof grid === 'string' ? budgetsS[grid] : ownBudgetS;
}

function distinct(cells: readonly HandshakeCell[]): HandshakeCell[] {
  return [...new Map(cells.map((cell) => [cell.id, cell])).values()];
}

function tooMuch(detail: string): Error {
  return problem('lab_impossible', detail);
}

function printHours(seconds: number): string {
  const hours = seconds / 3600;
  return hours < 2
    ? `${Math.round(seconds / 60)} minutes`
    : `${Math.round(hours).toLocaleString('en')} hours`;
}
