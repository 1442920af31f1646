import { problem } from '../../../shared/base/problem.ts';
import {
  type PrimitiveGroup,
  primitiveGroups,
  type SpeedOperation,
  type SpeedReference,
  type SpeedRequest,
  type SpeedRow,
  speedSizes,
} from '../../../shared/kinds/speed/speed.ts';
import type { MeasuringPhase } from '../../../shared/measurement/measurement.ts';
import type { Phase } from '../../../shared/measurement/progress.ts';
import { nearestNames } from '../../base/text/known-name.ts';
import { scaled } from '../../method/statistics/estimates.ts';
import { medianInterval } from '../../method/statistics/intervals.ts';
import { comparePaired } from '../../method/statistics/paired.ts';
import { drawsOf, shuffle } from '../../method/statistics/random.ts';
import { type Sum, sums } from './sums.ts';

/** Unit of measuring: all operations of a primitive, at one size if it has sizes. */
export type SpeedTask = { primitive: Primitive; bytes: number | null };

export type SpeedPlan = {
  primitives: Primitive[];
  sums: Sum[];
  tasks: SpeedTask[];
  rounds: number;
  /** CPU time of one operation in one round. */
  sliceMs: number;
  opensslSliceMs: number;
  expectedS: number;
};

/** A signed-rank interval of eight rounds is nearly their whole range; of sixteen it leaves what disturbed a few of them out. */
const rounds = 16;

/** `openssl speed` gets the longer slice: its clock is the coarser one. */
const opensslShare = 3;
const longestMs = 40;
const shortestMs = 3;
/** Starting a process and hearing of its end. */
const startMs = 12;

/** Throws `lab_impossible`: an unknown name, or less time than the shortest slices take. */
export function planSpeed(request: SpeedRequest): SpeedPlan {
  const { primitives, sums } = choosePrimitives(request.names);
  const tasks = primitives.flatMap(tasksOf);
  const operations = tasks.reduce((count, { primitive }) => count + primitive.operations.length, 0);
  const perMs = rounds * operations * (request.openssl ? 1 + opensslShare : 1);
  const fixedMs = rounds * tasks.length * (request.openssl ? startMs : 0);
  const budgetMs = 1000 * (request.seconds ?? usualSeconds);
  const sliceMs = Math.min(longestMs, (budgetMs - fixedMs) / perMs);
  if (sliceMs < shortestMs) {
    const leastS = Math.ceil((fixedMs + shortestMs * perMs) / 1000);
    const fact = `${tasks.length} measurements take at least ${leastS} s. Allow more time or choose fewer primitives.`;
    throw problem('lab_impossible', { detail: fact, errors: [{ field: 'seconds', message: fact }] });
  }
  return {
    primitives,
    sums,
    tasks,
    rounds,
    sliceMs,
    opensslSliceMs: request.openssl ? opensslShare * sliceMs : 0,
    expectedS: (fixedMs + sliceMs * perMs) / 1000,
  };
}

const usualSeconds = 150;

function tasksOf(primitive: Primitive): SpeedTask[] {
  return primitive.sized ? speedSizes.map((bytes) => ({ primitive, bytes })) : [{ primitive, bytes: null }];
}

/** To make keys and warm up, for each task. */
const prepareS = 0.04;

/** @param visits of a round */
export function speedPhases(
  { tasks, rounds, expectedS }: SpeedPlan,
  visits: number,
): Phase<MeasuringPhase>[] {
  return [
    { name: 'preparing', seconds: prepareS * tasks.length, steps: tasks.length },
    { name: 'measuring', seconds: expectedS, steps: visits, rounds },
  ];
}

export type SpeedVisit = { task: SpeedTask; by: 'node' | 'openssl' };

/** Every round measures every task once, in a drawn order; of the two that measure it, which is first is drawn as well. */
export function planSpeedRounds(
  { tasks, rounds }: SpeedPlan,
  openssl: boolean,
  seed: number,
): SpeedVisit[][] {
  const draw = drawsOf(seed);
  const programs: SpeedVisit['by'][] = openssl ? ['node', 'openssl'] : ['node'];
  return Array.from({ length: rounds }, () =>
    shuffle(tasks, draw).flatMap((task) => shuffle(programs, draw).map((by) => ({ task, by }))),
  );
}

type Choice = { primitives: Primitive[]; sums: Sum[] };

/**
 * Primitives and sums that the names mean, however they are written: a primitive, a sum, a group of them, or a curve, which
 * means everything that is done on it. A sum brings its parts. Throws `lab_impossible`, with the nearest names.
 */
export function choosePrimitives(names: readonly string[] | null): Choice {
  const meant = new Set(names === null ? allNames() : names.flatMap(namesMeant));
  const chosenSums = sums.filter(({ name }) => meant.has(name));
  const parts = new Set(chosenSums.flatMap((sum) => sum.parts.map(({ primitive }) => primitive)));
  return {
    primitives: primitives.filter(({ name }) => meant.has(name) || parts.has(name)),
    sums: chosenSums,
  };
}

function namesMeant(asked: string): string[] {
  const word = plainOf(asked);
  const group = primitiveGroups.find((each) => plainOf(each) === word || `${plainOf(each)}s` === word);
  if (group !== undefined) return namesOf(group);
  const found = allNames().filter((name) => isMeant(name, word));
  if (found.length > 0) return found;
  const nearest = nearestNames(asked, [...primitiveGroups, ...allNames()]);
  const fact = `There is no primitive "${asked}". Nearest: ${nearest.join(', ')}.`;
  throw problem('lab_impossible', { detail: fact, errors: [{ field: 'names', message: fact }] });
}

function isMeant(name: string, word: string): boolean {
  const plain = plainOf(name);
  return plain === word || plain === `ecdsa${word}` || plain === `ecdh${word}`;
}

function namesOf(group: PrimitiveGroup): string[] {
  return [...primitives, ...sums].filter((each) => each.group === group).map(({ name }) => name);
}

function allNames(): string[] {
  return [...new Set([...primitives, ...sums].map(({ name }) => name))];
}

/** Without case and punctuation. */
function plainOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** A primitive in the speed table, and the arguments with which `openssl speed` measures the same. */
type Primitive = {
  name: string;
  group: PrimitiveGroup;
  operations: readonly SpeedOperation[];
  /** Measured at every size of a block. */
  sized: boolean;
  /** Kept by the library for old data only, in its legacy provider. */
  legacy: boolean;
  /** Arguments of `openssl speed`; null where it has nothing that does the same. */
  reference: readonly string[] | null;
};

export const primitives: readonly Primitive[] = [
  ...['MD5', 'SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'].map((name) => digest(name, evp(plain(name)))),
  digest('SHA3-256', evp('sha3-256')),
  digest('BLAKE2b-512', evp('blake2b512')),
  digest('BLAKE2s-256', evp('blake2s256')),
  digest('RIPEMD-160', evp('ripemd160')),
  ...['MD5', 'SHA-1', 'SHA-256'].map((name) => digest(`HMAC-${name}`, ['-hmac', plain(name)])),
  ...['MD2', 'MD4', 'MDC2'].map((name) => old(digest(name, evp(plain(name))))),

  ...['AES-128-GCM', 'AES-256-GCM', 'AES-128-CCM', 'ChaCha20-Poly1305'].map((name) =>
    // In the sequence of a TLS record: nonce, associated data, text, tag.
    cipher(name, ['-aead', ...evp(name.toLowerCase())]),
  ),
  ...['AES-128-CBC', 'AES-192-CBC', 'AES-256-CBC'].map((name) => cipher(name, evp(name.toLowerCase()))),
  cipher('3DES-CBC', evp('des-ede3-cbc')),
  old(cipher('RC4', evp('rc4'))),
  old(cipher('DES-CBC', evp('des-cbc'))),
  old(cipher('RC2-CBC', evp('rc2-cbc'))),
  old(cipher('IDEA-CBC', evp('idea-cbc'))),
  old(cipher('Blowfish-CBC', evp('bf-cbc'))),
  old(cipher('CAST5-CBC', evp('cast5-cbc'))),

  ...[512, 1024, 2048, 3072, 4096].map((bits) => signature(`RSA-${bits}`, [`rsa${bits}`])),
  signature('ECDSA-P-256', ['ecdsap256']),
  signature('ECDSA-P-384', ['ecdsap384']),
  signature('Ed25519', ['ed25519']),
  ...['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'].map((name) => signature(name, [name])),

  agreement('X25519', ['ecdhx25519']),
  agreement('ECDH-P-256', ['ecdhp256']),
  agreement('ECDH-P-384', ['ecdhp384']),
  agreement('ECDH-P-521', ['ecdhp521']),
  agreement('X448', ['ecdhx448']),
  agreement('ffdhe2048', ['ffdh2048']),
  agreement('ffdhe3072', ['ffdh3072']),

  ...['ML-KEM-512', 'ML-KEM-768', 'ML-KEM-1024'].map(encapsulation),
];

function digest(name: string, reference: readonly string[]): Primitive {
  return { name, group: 'digest', operations: ['digest'], sized: true, legacy: false, reference };
}

function cipher(name: string, reference: readonly string[]): Primitive {
  return { name, group: 'cipher', operations: ['encrypt'], sized: true, legacy: false, reference };
}

function signature(name: string, reference: readonly string[]): Primitive {
  return { ...unsized(name, reference), group: 'signature', operations: ['sign', 'verify'] };
}

function agreement(name: string, reference: readonly string[]): Primitive {
  return { ...unsized(name, reference), group: 'agreement', operations: ['generate', 'agree'] };
}

function encapsulation(name: string): Primitive {
  const operations = ['generate', 'encapsulate', 'decapsulate'] as const;
  return { ...unsized(name, [name]), group: 'kem', operations };
}

function unsized(name: string, reference: readonly string[]) {
  return { name, sized: false, legacy: false, reference };
}

function old(primitive: Primitive): Primitive {
  const providers = ['-provider', 'legacy', '-provider', 'default'];
  return { ...primitive, legacy: true, reference: [...providers, ...(primitive.reference ?? [])] };
}

function evp(name: string): string[] {
  return ['-evp', name];
}

function plain(name: string): string {
  return name.toLowerCase().replace('-', '');
}

/** Times of one row, round by round, in microseconds of CPU per call; null if a round has none. */
export type RowTimes = {
  primitive: string;
  group: PrimitiveGroup;
  operation: SpeedOperation;
  bytes: number | null;
  nodeUs: readonly (number | null)[];
  opensslUs: readonly (number | null)[];
  /** Why `openssl speed` has nothing to hold against it. */
  missing: string;
  sumOf: readonly string[] | null;
};

/** Without its explanation. Null when it was not measured. */
export function speedRow(times: RowTimes): SpeedRow | null {
  const operationsPerS = medianInterval(ratesOf(times.nodeUs));
  if (operationsPerS === null) return null;
  const { primitive, group, operation, bytes, sumOf } = times;
  return {
    id: rowId(times),
    primitive,
    group,
    operation,
    bytes,
    operationsPerS,
    bytesPerS: bytes === null ? null : scaled(operationsPerS, bytes),
    openssl: referenceOf(times),
    sumOf: sumOf === null ? null : [...sumOf],
    explanation: null,
  };
}

export function rowId({
  primitive,
  operation,
  bytes,
}: Pick<RowTimes, 'primitive' | 'operation' | 'bytes'>): string {
  return [primitive, operation, ...(bytes === null ? [] : [bytes])].join('/');
}

function referenceOf({ nodeUs, opensslUs, missing }: RowTimes): SpeedReference {
  const operationsPerS = medianInterval(ratesOf(opensslUs));
  if (operationsPerS === null) return { status: 'missing', reason: missing };
  const pairs = nodeUs.flatMap((node, round) => {
    const openssl = opensslUs[round] ?? null;
    return node === null || openssl === null ? [] : [{ a: [1 / openssl], b: [1 / node] }];
  });
  return { status: 'measured', operationsPerS, ratio: comparePaired(pairs, 'ratio').ratio };
}

function ratesOf(us: readonly (number | null)[]): number[] {
  return us.flatMap((each) => (each === null ? [] : [1e6 / each]));
}
