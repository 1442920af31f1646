/** Protects the bill of a plan: the interval of its difference, bytes of records and handshakes, and what was not measured. */
import { describe, expect, test } from 'vitest';
import { pricesSchema } from '../../../shared/kinds/comparison/bill.ts';
import { capacityLoadSchema } from '../../../shared/kinds/comparison/capacity.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import { exactly } from '../statistics/estimates.ts';
import { billOfPlan } from './bill-of-plan.ts';
import { planCapacity } from './plan-capacity.ts';

const prices = pricesSchema.parse({ vcpuHour: 0.05, egressGb: 0.1 });

describe('the bill of a plan', () => {
  const load = capacityLoadSchema.parse({
    ...{ visitsPerS: 100, requestsPerVisit: 10, pageBytes: 20_000, returningShare: 0.6 },
    ...{ connectionsPerVisit: 2, key: 'RSA-2048', group: 'X25519', utilisation: 0.5 },
  });
  const cost = (us: number) => ({ value: exactly(us), source: 'measured' as const, from: 'a test' });
  const plan = planCapacity(load, {
    request: () => ({ ...cost(500), value: { center: 500, lo: 400, hi: 600 } }),
    connection: () => cost(50),
    full: () => cost(500),
    resumed: () => cost(100),
    byte: () => cost(0.001),
    signs: () => null,
  });

  test('requests are on both sides, so their interval is not that of the difference', () => {
    const { rows } = billOfPlan(plan, null, prices);
    const [first] = rows;
    // 80 × 500 µs + 120 × 100 µs + 20 MB × 1 ns, at half of a core.
    expect(first).toMatchObject({ id: 'requests', added: near(exactly(0.072 / 0.5)) });
    expect(first?.baseline).toEqual(near({ center: 1.02, lo: 0.82, hi: 1.22 }));
  });

  test('records and handshakes are sent too; those of a grid that lacks them are not measured', () => {
    const row = (grid: HandshakesDocument | null, id: string) =>
      billOfPlan(plan, grid, prices).rows.find((each) => each.id === id);
    // 1,000 responses of 20,000 bytes: two records of 22 bytes more each.
    expect(row(null, 'responses')?.added).toEqual(near(exactly(44_000 * 0.002628)));
    expect(row(null, 'handshakeBytes')?.added).toBeNull();
    expect(row(gridOf(['full', 3000]), 'handshakeBytes')?.added).toBeNull();
    // 80 full and 120 resumed a second.
    const grid = gridOf(['full', 3000], ['resumed', 500]);
    expect(row(grid, 'handshakeBytes')?.comparison).toEqual(
      near(exactly((80 * 3000 + 120 * 500) * 0.002628)),
    );
  });
});

function near({ center, lo, hi }: { center: number; lo: number; hi: number }) {
  return { center: expect.closeTo(center), lo: expect.closeTo(lo), hi: expect.closeTo(hi) };
}

function gridOf(...cells: [resumption: string, bytes: number][]): HandshakesDocument {
  return {
    cells: cells.map(([resumption, serverToClient]) => ({
      status: 'measured',
      cell: { version: 'TLSv1.3', key: 'RSA-2048', group: 'X25519', resumption },
      wire: { withTicketsBytes: { serverToClient } },
    })),
  } as unknown as HandshakesDocument;
}
