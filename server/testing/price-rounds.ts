import type { PriceCell, PriceCellFacts, PriceRound } from '../../shared/kinds/prices/prices.ts';
import { cellsOf } from '../kinds/prices/price-cells.ts';
import { drawsOf } from '../method/statistics/random.ts';

/** Rounds of a price list that were made of known prices. */

const cells = cellsOf(
  {
    target: { kind: 'managed', server: 'nginx', key: 'P-256' } as never,
    document: null,
  },
  { hasStream: true },
);
export const looked = cells.map(
  (cell): PriceCellFacts => ({
    ...cell,
    bytesRead:
      (cell.bytes ?? 0) +
      240 +
      (cell.arm === 'comparison' ? 22 * Math.ceil((cell.bytes ?? 0) / 16_384) : 0) +
      1000 / (cell.requestsPerConnection ?? Number.POSITIVE_INFINITY),
    bytesWritten: 100,
    connectionsPerRequest: 1 / (cell.requestsPerConnection ?? Number.POSITIVE_INFINITY),
    problem: null,
  }),
);

type Prices = { requestUs: number; connectionUs: number; resumedUs: number; usPerByte: number };
export const http: Prices = { requestUs: 24, connectionUs: 30, resumedUs: 0, usPerByte: 0.0002 };
export const https: Prices = { requestUs: 42, connectionUs: 640, resumedUs: 210, usPerByte: 0.0004 };
const stream: Prices = { ...https, requestUs: 51 };

type Made = {
  /** Share of the server’s core that a cell keeps busy. */
  busyOf?: (cell: PriceCell) => number;
  /** Requests after which the server closes a connection that is kept open. */
  closesAfter?: number;
  /** Added to the cost of a request in a cell, µs. */
  addedUs?: (cell: PriceCell) => number;
  noise?: number;
};

export function roundsOf({
  busyOf = () => 0.97,
  closesAfter = Number.POSITIVE_INFINITY,
  addedUs = () => 0,
  noise = 0.01,
}: Made = {}): PriceRound[] {
  const draw = drawsOf(7);
  return Array.from({ length: 12 }, (_, round) => ({
    round,
    cells: cells.map((cell) => {
      const { requestUs, connectionUs, resumedUs, usPerByte } = {
        ...{ baseline: http, twin: http },
        comparison: https,
        stream,
      }[cell.arm];
      const requests = 100_000;
      const connections = requests / (cell.requestsPerConnection ?? closesAfter);
      const exact =
        requestUs +
        addedUs(cell) +
        ((cell.bytes ?? 0) - 1000) * usPerByte +
        (connections / requests) * (cell.resumed ? resumedUs : connectionUs);
      const cpuUs = exact * requests * (1 + noise * (2 * draw() - 1));
      return { id: cell.id, requests, connections, cpuUs, elapsedUs: cpuUs / busyOf(cell) };
    }),
  }));
}
