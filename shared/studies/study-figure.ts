import { printNumber } from '../base/quantity.ts';
import type { Estimate } from '../base/units.ts';
import type { MetricId } from '../kinds/comparison/metric.ts';
import type { HandshakeCell } from '../kinds/handshakes/handshakes.ts';
import type { CellSettings } from '../kinds/servers/servers-result.ts';
import type { StudyMeasurementName, StudyName } from './study-plan.ts';

/** Which figure of a document answers a claim: data, read by the reader of its kind. */

export type Figure =
  | ComparisonFigure
  | SpeedFigure
  | HandshakesFigure
  | SizesFigure
  | ServersFigure
  | DistanceFigure
  | VisitsFigure
  | MeshFigure;

export type ComparisonFigure = { kind: 'comparison' } & (
  | {
      /** `gain` in percent of what the metric’s amount buys, `change` in percent, `times`, `difference` and the comparison's own value in the metric's unit ÷ `divisor`. */
      of: 'gain' | 'change' | 'times' | 'difference' | 'value';
      metric: MetricId;
      divisor?: number;
    }
  /**
   * Extra time of a new connection with one request, in percent of its handshake: without the round trips of TCP and of the request. Or
   * that percentage per 1,000 extra bytes on the wire.
   */
  | { of: 'handshake' | 'handshake per kB' }
  /** Second visit: answers from the browser's cache over HTTPS ÷ over HTTP. */
  | { of: 'cache hits' }
);

/** By the ids of rows: what a row does in a second, in MB where it has blocks; or how many times as often as another. */
export type SpeedFigure = { kind: 'speed'; row: string; over?: string };

export type CellShape = Pick<HandshakeCell, 'version' | 'cipher' | 'key' | 'bytes' | 'resumption'> &
  Partial<Pick<HandshakeCell, 'group'>>;

export type HandshakesFigure = { kind: 'handshakes'; cell: CellShape } /** µs of user time, both ends. */ & (
  | { of: 'user time' }
  /** Connections of one core that does both ends. */
  | { of: 'connections' }
  /** Handshakes of one core that does the server's end, the kernel's work included. */
  | { of: 'server handshakes' }
  /** CPU of the cell ÷ that of another. */
  | { of: 'cost'; over: CellShape }
);

export type SizesFigure = {
  kind: 'sizes';
  /** `spread`: the widest 95 % of the times of a size ÷ their median. */
  of: 'rejected lines' | 'rate loss' | 'offset' | 'spread' | { longerAt: number };
};

export type ServersFigure = { kind: 'servers' } & (
  | { of: 'keep-alive' | 'key length' | 'cipher' | 'servers apart' }
  /** Gain of connections that stay open, in requests per CPU second. */
  | { of: 'keep-alive gain' }
  /** Figures of the cell with these settings and the most connections. */
  | { of: 'errors' | 'requests' | 'ms per request'; cell: Partial<CellSettings> }
);

/** On the longest link: the time of a resumed connection ÷ that of a full one. */
type DistanceFigure = { kind: 'distance'; of: 'resumed ÷ full' };

/** Percent of load time that HTTPS adds to a second visit. */
type VisitsFigure = { kind: 'visits'; of: 'second load' };

export type MeshFigure = {
  kind: 'mesh';
  /** vCPU of the server's sidecar at 1,000 requests/s; percent that TLS adds to the CPU of everything; percent of latency that the mesh adds. */
  of: 'sidecar vCPU' | 'CPU of TLS' | 'latency of the mesh';
};

/** Figures of a document for a claim. */
export type Reading = {
  /** The first is shown; the rule must hold for all of them. */
  values: readonly [Estimate, ...Estimate[]];
  /** Today's figures as a sentence; made of the first value where left out. */
  today?: string;
  /** Why it decides nothing although there is a figure. */
  doubt?: string;
  /** With a doubt: the true value may be higher, but not lower. A figure above the rule's range therefore still decides. */
  atLeast?: true;
};

/** Several where a document has several sides that answer; or why there is no figure, in a sentence. */
export type Read = readonly Reading[] | { missing: string };

export function mapped({ center, lo, hi }: Estimate, of: (value: number) => number): Estimate {
  return { center: of(center), lo: of(lo), hi: of(hi) };
}

export function inverseOf({ center, lo, hi }: Estimate): Estimate {
  return { center: 1 / center, lo: 1 / hi, hi: 1 / lo };
}

/** The widest that the quotient of two positive estimates can be. */
export function quotientOf(one: Estimate, other: Estimate): Estimate {
  return { center: one.center / other.center, lo: one.lo / other.hi, hi: one.hi / other.lo };
}

/** Claims of the studies and of the field, and the rule that decides whether each still holds. The rule is shown with the outcome. */

export const claimWords = [
  'holds',
  'no longer',
  'not decided',
  'new',
  'not comparable',
  'not measured',
] as const;
export type ClaimWord = (typeof claimWords)[number];

/** In the unit of the claim. An end that is left out is open. */
export type Rule = { from?: number; to?: number };

export type Claim = {
  /** The same in every version. */
  id: string;
  study: StudyName;
  /** In our words; what is measured, where no source has a figure. */
  said: string;
  /** The figure as the source prints it, if there is one. */
  printed: string | null;
  /** Unit of the figure that is read today. */
  unit: ClaimUnit;
  /** Name of a long table, which is folded away; absent if the claim is shown alone. */
  table?: string;
} & (Asked | Unasked);

/** Each word is written after the number. */
export type ClaimUnit =
  | ''
  | '%'
  | 'points'
  | 'times'
  | 'µs'
  | 'ms'
  | 'MB'
  | 'MB/s'
  | 'KiB/s'
  | 'bytes/s'
  | 'per second'
  | 'requests/s'
  | 'vCPU'
  | 'rejected lines';

type Asked = {
  /** The first of them that was measured answers. */
  by: readonly [StudyMeasurementName, ...StudyMeasurementName[]];
  figure: Figure;
  /** Null if today's figure is shown but not compared; then `note` says why. */
  rule: Rule | null;
  /** Replacement for something that no longer exists, or another difference. */
  note?: string;
};

/** It cannot be measured here. */
type Unasked = { by: null; word: 'not comparable' | 'not measured'; note: string };

/** Within a tenth of a figure: what two machines of one kind may differ by. */
export function about(figure: number, share = 0.1): Rule {
  return { from: figure * (1 - share), to: figure * (1 + share) };
}

/** `within −7 to −5 %`, `at least 1.05 times`, `at most 500 ms`. */
export function ruleInWords({ from, to }: Rule, unit: ClaimUnit): string {
  const print = (value: number) => printNumber(value, ruleDecimals(value));
  const after = unit === '' ? '' : ` ${unit}`;
  if (from !== undefined && to !== undefined)
    return from === to ? `exactly ${print(from)}${after}` : `within ${print(from)} to ${print(to)}${after}`;
  return from === undefined ? `at most ${print(to ?? 0)}${after}` : `at least ${print(from)}${after}`;
}

/** Three digits, and no zeros behind them. */
function ruleDecimals(value: number): number {
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  for (let decimals = 0; decimals < digits; decimals++) {
    if (Math.abs(Number(value.toFixed(decimals)) - Number(value.toFixed(digits))) < 1e-9) return decimals;
  }
  return digits;
}
