import { printChange, printNumber } from '../../../../shared/base/quantity.ts';
import type { SpeedCost, SpeedOperation, SpeedRow } from '../../../../shared/kinds/speed/speed.ts';

export type Circumstances = {
  cost: SpeedCost | undefined;
  /** Of a signature's call that has nothing to verify. */
  emptyCallUs: number | undefined;
  /** Of the library in this runtime, and of the program. */
  versions: { node: string; openssl: string };
};

/** As many operations a second fewer need to be explained. */
const worthExplaining = 0.9;

/** Why a row is slower than `openssl speed` by more than 10 %, with the figures; null when it is not. */
export function explainSlower(row: SpeedRow, circumstances: Circumstances): string | null {
  const { openssl, sumOf } = row;
  if (openssl.status === 'missing' || openssl.ratio === null) return null;
  if (openssl.ratio.center >= worthExplaining) return null;
  if (openssl.ratio.hi >= 1) {
    return `It may be chance: the interval reaches ${printChange(openssl.ratio.hi)}. Measure again on a quieter machine.`;
  }
  if (sumOf !== null) return 'It is a sum; the rows of its parts explain why they are slower.';
  const differenceUs = 1e6 / row.operationsPerS.center - 1e6 / openssl.operationsPerS.center;
  return row.bytes === null
    ? explainKey(row.operation, differenceUs, circumstances)
    : explainBlock(row.operation, row.bytes, differenceUs, circumstances);
}

/** What a program has to make anew for each call and `openssl speed` makes once, before it counts. */
const madeAnew: Record<SpeedOperation, string> = {
  digest: 'a context and a result buffer',
  encrypt: 'a cipher with its key and a result buffer',
  sign: 'a context and a result buffer, and hashes the message',
  verify: 'a context and hashes the message',
  generate: 'a context and a key object',
  agree: 'a context and a result buffer, and checks the peer’s key',
  encapsulate: 'a context and two buffers',
  decapsulate: 'a context and a result buffer',
  client: '',
  server: '',
};

function explainBlock(
  operation: SpeedOperation,
  bytes: number,
  differenceUs: number,
  { cost, versions }: Circumstances,
): string {
  const anew = `On every call, Node creates ${madeAnew[operation]}`;
  if (cost?.node == null || cost.openssl === null) {
    return `${anew}. The difference is ${micros(differenceUs)} per call; no line fits the sizes, so it cannot be split into calls and bytes.`;
  }
  const { node, openssl } = cost;
  const callShare = Math.max(0, Math.min(1, (node.callUs - openssl.callUs) / differenceUs));
  const byteUs = (bytes * (node.nsPerByte - openssl.nsPerByte)) / 1000;
  const call = `${anew}: ${micros(node.callUs)} before the first byte, ${micros(openssl.callUs)} in openssl speed, ${percent(callShare)} of the difference.`;
  if (byteUs < 0.1 * differenceUs) return call;
  const reason =
    operation === 'digest'
      ? `Node uses OpenSSL ${versions.node}, the program uses ${versions.openssl}`
      : 'Node writes to new memory each time, openssl speed overwrites one buffer';
  return `${call} Each byte costs ${nanos(node.nsPerByte)} against ${nanos(openssl.nsPerByte)}: ${reason}.`;
}

function explainKey(
  operation: SpeedOperation,
  differenceUs: number,
  { emptyCallUs, versions }: Circumstances,
): string {
  const anew = `On every call, Node creates ${madeAnew[operation]}.`;
  const libraries = `Node uses OpenSSL ${versions.node}, the program uses ${versions.openssl}`;
  if (emptyCallUs === undefined) {
    return `${anew} The difference is ${micros(differenceUs)} per call; the part not caused by the call comes from the library: ${libraries}.`;
  }
  const call = `${anew} A call with nothing to verify costs ${micros(emptyCallUs)}; the difference is ${micros(differenceUs)}.`;
  return emptyCallUs >= 0.7 * differenceUs ? call : `${call} The rest comes from the library: ${libraries}.`;
}

function micros(us: number): string {
  return `${printNumber(us, us < 0.995 ? 2 : us < 99.5 ? 1 : 0)} µs`;
}

function nanos(ns: number): string {
  return `${printNumber(ns, 2)} ns`;
}

function percent(share: number): string {
  return `${printNumber(100 * share, 0)} %`;
}
