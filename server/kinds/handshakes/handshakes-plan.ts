import {
  describeSuite,
  type GroupName,
  type KeyName,
  keyNames,
  legacyKeys,
  legacyVersions,
  suiteNames,
  tlsVersions,
} from '../../../shared/base/cipher-suites.ts';
import { problem } from '../../../shared/base/problem.ts';
import type {
  GridAxes,
  HandshakeCell,
  HandshakesPreset,
  HandshakesRequest,
  Samples,
  Spread,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import type { MeasuringPhase } from '../../../shared/measurement/measurement.ts';
import type { Phase } from '../../../shared/measurement/progress.ts';
import { quantileOfSorted, toSorted } from '../../method/statistics/intervals.ts';
import { sumOf } from '../../method/statistics/mean.ts';
import { cellOf, demandFewEnough, expandAxes } from './handshake-axes.ts';

/**
 * About what one connection costs, both ends, in microseconds of CPU: enough to say beforehand how long a grid takes and to
 * refuse an absurd one. The figures are rounded measurements of a core of 2020s; a slow one takes three times as long.
 */
export function expectedCostUs({ version, key, group, guess, bytes, resumption }: HandshakeCell): number {
  const isThirteen = version === 'TLSv1.3';
  const agreeing = group === null || (resumption === 'resumed' && !isThirteen) ? 0 : groupUs[group];
  const signing = resumption === 'resumed' ? 0 : keyUs[key];
  const guessing = guess === undefined ? 0 : groupUs[guess] / 3;
  return streamsUs + guessing + agreeing + signing + bytes * usPerByte;
}

const streamsUs = 220;

/** Client to server and back: each byte is encrypted twice and decrypted twice, in 8 kB pieces that pass two streams. */
const usPerByte = 0.012;

/** Sign and verify; of RSA the verifying is next to nothing. */
const keyUs: Record<KeyName, number> = {
  'RSA-512': 60,
  'RSA-1024': 120,
  'RSA-2048': 500,
  'RSA-3072': 1500,
  'RSA-4096': 3300,
  'P-256': 120,
  'P-384': 1200,
  Ed25519: 140,
  'ML-DSA-44': 500,
  'ML-DSA-65': 750,
  'ML-DSA-87': 900,
};

/** A key or an encapsulation on each end, and the agreement. */
const groupUs: Record<GroupName, number> = {
  X25519: 130,
  'P-256': 150,
  'P-384': 2000,
  'P-521': 7000,
  X448: 700,
  ffdhe2048: 1200,
  ffdhe3072: 3000,
  X25519MLKEM768: 260,
  SecP256r1MLKEM768: 280,
  SecP384r1MLKEM1024: 2200,
  MLKEM512: 90,
  MLKEM768: 120,
  MLKEM1024: 170,
};

/** The grids that have a name, as products that are put together; a cell that is in two of them is measured once. */
function presetAxes(preset: HandshakesPreset, legacy: boolean): GridAxes[] {
  return preset === 'everything' ? everything(legacy) : presets[preset];
}

const sizes = [1, 1024, 10_240, 102_400];

const presets: Record<Exclude<HandshakesPreset, 'everything'>, GridAxes[]> = {
  /**
   * The table of 1997: seven suites and keys, four sizes. Of its suites only NULL-MD5 is left, and its keys of 512 bits;
   * AES-128 stands where RC4 stood, with the second key as well, AES-256 where the slow ciphers stood.
   */
  classic: [
    { versions: ['TLSv1'], ciphers: ['NULL-MD5'], keys: ['RSA-512'], bytes: sizes },
    {
      versions: ['TLSv1'],
      ciphers: ['RC4-MD5', 'RC4-SHA', 'DES-CBC-SHA', 'DES-CBC3-SHA'],
      keys: ['RSA-512'],
    },
    { versions: ['TLSv1'], ciphers: ['AES128-SHA'], keys: ['RSA-512', 'RSA-1024', 'RSA-2048'], bytes: sizes },
    { versions: ['TLSv1'], ciphers: ['AES256-SHA'], keys: ['RSA-512'], bytes: sizes },
    {
      versions: ['TLSv1.2'],
      ciphers: ['NULL-SHA256', 'AES128-GCM-SHA256'],
      keys: ['RSA-2048'],
      bytes: sizes,
    },
    { versions: ['TLSv1.3'], keys: ['P-256'], bytes: sizes },
  ],
  /** Choices of today's servers, each varied around the usual one. */
  today: [
    { keys: ['P-256', 'P-384', 'Ed25519', 'RSA-2048', 'RSA-3072', 'RSA-4096'] },
    { groups: ['X25519', 'P-256', 'P-384', 'X25519MLKEM768'] },
    { keys: ['RSA-2048'], groups: ['X25519MLKEM768'] },
    { groups: ['P-256'], guesses: ['X25519'] },
    {
      ciphers: ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
      bytes: sizes,
    },
    {
      ciphers: ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
      bytes: [1, 10_240, 102_400],
    },
    { ciphers: ['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305', 'ECDHE-RSA-AES128-SHA'] },
    { ciphers: ['AES128-GCM-SHA256', 'NULL-SHA256'], bytes: [1, 102_400] },
  ],
  'post-quantum': [
    {
      keys: ['P-256', 'RSA-2048', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'],
      groups: [
        ...['X25519', 'P-256', 'P-384', 'X25519MLKEM768', 'SecP256r1MLKEM768', 'SecP384r1MLKEM1024'],
        'MLKEM768',
      ],
    },
    // A client that does not know yet, and one that knows more than the server.
    { groups: ['X25519MLKEM768'], guesses: ['X25519'] },
    { groups: ['X25519'], guesses: ['X25519MLKEM768'] },
  ],
};

/** Every suite with two sizes in every version that has it, and in TLS 1.3 every key with every group. */
function everything(legacy: boolean): GridAxes[] {
  const versions = tlsVersions.filter((version) => legacy || !legacyVersions.includes(version));
  const keys = keyNames.filter((key) => legacy || !legacyKeys.includes(key));
  const suites = suiteNames.filter((name) => legacy || !describeSuite(name).broken);
  return [
    ...versions.map((version) => ({
      versions: [version],
      ciphers: suites.filter((name) => describeSuite(name).versions.includes(version)),
      bytes: [1, 102_400],
    })),
    { keys: [...keys], groups: ['X25519', 'P-256', 'P-384', 'ffdhe2048', ...postQuantumGroups] },
    { groups: ['P-521', 'X448', 'ffdhe3072', 'MLKEM512', 'MLKEM1024'] },
  ];
}

const postQuantumGroups = ['X25519MLKEM768', 'SecP256r1MLKEM768', 'SecP384r1MLKEM1024', 'MLKEM768'];

export type HandshakesPlan = {
  cells: HandshakeCell[];
  baseline: HandshakeCell;
  warmUps: number;
  rounds: number;
  /** Connections per cell, in all rounds together; fewer for expensive cells once `budgetS` needs it. */
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
 * Many short visits: a core is slowed by its neighbors for tens of milliseconds at a time, and what changes between a cell's
 * visit and the baseline's is noise of their ratio. 80 × 8 connections know it twice as well as 16 × 40 in the same time.
 */
const usualRounds = 80;
const connectionsPerVisit = 8;
/** More tell no more, and the interval of a ratio takes the square of them. */
const mostRounds = 250;
/** Factor on the cells’ own time, for the visits to the baseline in between. */
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
      `That takes about ${printHours(seconds)}; the maximum is one hour. Choose fewer combinations or connections.`,
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

/** Spread over every connection of all visits together. */
export function spreadOf(visits: readonly Samples[], what: 'cpuUs' | 'wallUs'): Spread {
  const sorted = toSorted(joined(visits, what));
  return {
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    median: quantileOfSorted(sorted, 0.5),
    p5: quantileOfSorted(sorted, 0.05),
    p95: quantileOfSorted(sorted, 0.95),
  };
}

/** The user part of the CPU time: each connection's by the share that it has in all of them. */
export function userSpreadOf(visits: readonly Samples[]): Spread {
  const { mean, median, p5, p95 } = spreadOf(visits, 'cpuUs');
  const cpuUs = joined(visits, 'cpuUs').reduce((sum, each) => sum + each, 0);
  const share = cpuUs === 0 ? 0 : visits.reduce((sum, { userUs }) => sum + userUs, 0) / cpuUs;
  return { mean: mean * share, median: median * share, p5: p5 * share, p95: p95 * share };
}

export function joined(visits: readonly Samples[], what: 'cpuUs' | 'wallUs'): number[] {
  return visits.flatMap((samples) => [...samples[what]]);
}
