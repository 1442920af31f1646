import { printNumber } from '../base/quantity.ts';
import {
  type BySide,
  isEncrypted,
  type KnownSide,
  labelsOf,
  type SideName,
  sideNames,
} from '../base/transport.ts';
import type { CountedConnections, RunDocument } from '../kinds/comparison/run.ts';

/** Connections as they were counted, beside what was planned: a server may close what was to be kept, or ask for another handshake. */

type Run = Pick<RunDocument, 'scenario' | 'connections' | 'connectionsPerTransaction'> & {
  sides: BySide<KnownSide>;
  plan: Pick<RunDocument['plan'], 'connectionPolicy' | 'requestsPerConnection'>;
  /** A target whose servers may have been started to close connections. */
  target?: RunDocument['target'];
  asked?: Pick<RunDocument['asked'], 'sides'>;
};

/** Below so few new connections per request none has one, and above so many each. */
const fewNew = 0.05;
export const nearlyAll = 0.95;

/** New connections per request, and handshakes on old ones, which cost what new ones do. */
export function newPerRequest({ requests, opened, renegotiated }: CountedConnections): number {
  return requests === 0 ? 0 : (opened + renegotiated) / requests;
}

/** Whether what a request costs has new connections in it. */
export function opensMany(connections: BySide<CountedConnections> | undefined): boolean {
  return connections !== undefined && sideNames.some((side) => newPerRequest(connections[side]) >= fewNew);
}

/** `including 0.5 handshakes`, of the unit that the cost is of; null where there are next to none, or where new connections are the unit. */
export function handshakesIncluded({ sides, connections, connectionsPerTransaction }: Run): string | null {
  if (connections === undefined || connectionsPerTransaction !== undefined || !opensMany(connections))
    return null;
  const encrypted = sideNames.filter((side) => isEncrypted(sides[side].transport));
  const noun = encrypted.length === 0 ? 'new connection' : 'handshake';
  const of = (encrypted.length === 0 ? sideNames : encrypted).map((side) => {
    const { transactions, opened, renegotiated } = connections[side];
    return { side, each: printTwoDigits((opened + renegotiated) / Math.max(1, transactions)) };
  });
  const [first, second] = of;
  if (first === undefined) return null;
  const plural = (count: string) => `${count} ${noun}${count === '1' ? '' : 's'}`;
  if (second === undefined || first.each === second.each) return `including ${plural(first.each)}`;
  const labels = labelsOf(sides);
  return `including ${plural(first.each)} with ${labels[first.side]} and ${second.each} with ${labels[second.side]}`;
}

/** `keep-alive was planned; the server closed each connection after one response`. Null where all went as planned. */
export function connectionsAgainstPlan(run: Run): string | null {
  const { connections, sides } = run;
  if (connections === undefined) return null;
  const labels = labelsOf(sides);
  const planned = plannedOf(run);
  const told = sideNames.flatMap((side) => {
    const done = doneWith(connections[side], closesAsAsked(run, side) ? 1 : planned.perRequest);
    return done === null ? [] : [{ label: labels[side], done }];
  });
  const [first, second] = told;
  if (first === undefined) return null;
  const isAlike = first.done === second?.done;
  const what = isAlike
    ? `the server ${first.done}`
    : told.map(({ label, done }) => `with ${label} the server ${done}`).join(', ');
  return `${planned.words} planned; ${what}`;
}

function closesAsAsked({ target, asked }: Run, side: SideName): boolean {
  if (target?.kind !== 'managed') return false;
  return (asked?.sides[side].target?.keepAlive ?? target.keepAlive) === false;
}

function plannedOf({ plan, scenario }: Run): { words: string; perRequest: number } {
  const { connectionPolicy, requestsPerConnection } = plan;
  const policies: Record<typeof connectionPolicy, { words: string; perRequest: number }> = {
    'keep-alive': { words: 'keep-alive was', perRequest: 0 },
    'requests-per-connection': {
      words: `${printNumber(requestsPerConnection, 0)} requests per connection were`,
      perRequest: 1 / requestsPerConnection,
    },
    'connection-per-transaction': {
      words: 'one connection per transaction was',
      perRequest: 1 / Math.max(1, scenario.steps.length),
    },
    'connection-per-request': { words: 'one connection per request was', perRequest: 1 },
  };
  return policies[connectionPolicy];
}

/** Requests under way when a block begins or ends are no departure from the plan. */
const asPlanned = 1.1;

function doneWith({ requests, opened, renegotiated }: CountedConnections, planned: number): string | null {
  const [perRequest, again] = [opened, renegotiated].map((count) => count / Math.max(1, requests));
  const parts = [
    ...(perRequest !== undefined && perRequest >= fewNew && perRequest > asPlanned * planned
      ? [closedAfter(perRequest)]
      : []),
    ...(again !== undefined && again >= fewNew
      ? [`asked for ${printTwoDigits(again)} more handshakes per request on open connections`]
      : []),
  ];
  return parts.length === 0 ? null : parts.join(' and ');
}

function closedAfter(perRequest: number): string {
  return perRequest > nearlyAll
    ? 'closed each connection after one response'
    : `closed each connection after ${printTwoDigits(1 / perRequest)} responses on average`;
}

/** `0.5`, `1`, `0.33`, `12`. */
export function printTwoDigits(value: number): string {
  return `${Number(value.toPrecision(2))}`;
}
