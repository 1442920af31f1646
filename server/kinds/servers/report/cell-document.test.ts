/** Protects what is shown of one cell: its own visits by round, and the report of the round with the median rate. */
import { describe, expect, test } from 'vitest';
import type { FactorPlanInput } from '../../../../shared/kinds/servers/servers.ts';
import { cellDocumentSchema } from '../../../../shared/kinds/servers/servers-result.ts';
import { readAbReport } from '../../../testing/read-ab-report.ts';
import { sampleServers } from '../../../testing/sample-servers.ts';
import { cellDocumentOf, reportOf } from './cell-document.ts';

const plan: FactorPlanInput = {
  shape: 'grid',
  base: { key: 'RSA-2048' },
  levels: { keepAlive: [true, false], concurrency: [1, 32] },
};

describe('a cell', () => {
  const { frame, kept, document } = sampleServers({ plan, rounds: 5 });
  const [, cell] = kept.facts.cells;
  if (cell === undefined) throw new Error('no second cell');
  const found = cellDocumentSchema.parse(cellDocumentOf(frame, kept, cell.id));

  test('has its own visits by round, and the figures of the sweep', () => {
    expect(found.visits.map(({ cell: index, round }) => [index, round])).toEqual(
      [0, 1, 2, 3, 4].map((round) => [1, round]),
    );
    expect(found.result).toEqual(document.cells[1]);
    expect(found.server?.name).toBe('nginx');
  });

  test('is reported by the round whose rate is the median, each side by its own', () => {
    for (const [side, arm] of [
      ['http', 'baseline'],
      ['https', 'comparison'],
    ] as const) {
      const rates = found.visits.map(({ arms }) => arms?.[arm].perS ?? Number.NaN);
      const median = rates.toSorted((a, b) => a - b)[2];
      const report = found.reports[side];
      expect(rates[report?.round ?? -1]).toBe(median);
      expect(report?.text).toContain(
        `Note: Round ${(report?.round ?? 0) + 1} of 5, the one with the median rate.`,
      );
    }
  });

  test('has in its report what was asked for, and what was counted', () => {
    const { numbers, texts } = readAbReport(found.reports.https?.text ?? '');
    expect(numbers['Document Length']).toBe(5496);
    expect(numbers['Concurrency Level']).toBe(32);
    const ab = found.visits[found.reports.https?.round ?? 0]?.arms?.comparison.ab;
    expect(numbers['Complete requests']).toBe(ab?.requests);
    expect(numbers['Total transferred']).toBe(ab?.totalBytes);
    expect(texts['SSL/TLS Protocol']).toBe('TLSv1.3,TLS_AES_256_GCM_SHA384,2048,256');
    expect(found.reports.http?.text).not.toContain('SSL/TLS');
  });

  test('one round of it can be asked for', () => {
    const visit = found.visits[3];
    if (visit === undefined) throw new Error('no fourth round');
    expect(reportOf(cell, visit, 'http', null)?.text).toContain('Note: Round 4.');
  });
});

test('of an even number of rounds the slower in the middle is reported', () => {
  const { frame, kept } = sampleServers({ plan, rounds: 4 });
  const { visits, reports, result } = cellDocumentOf(frame, kept, kept.facts.cells[0]?.id ?? '');
  expect(result.visits).toBe(4);
  const rates = visits.map(({ arms }) => arms?.comparison.perS ?? Number.NaN);
  expect(rates[reports.https?.round ?? -1]).toBe(rates.toSorted((a, b) => a - b)[1]);
});

test('rounds that failed are there with their reason, and report nothing', () => {
  const { frame, kept } = sampleServers({
    plan,
    rounds: 3,
    change: (visits) =>
      visits.map((visit) =>
        visit.cell === 0 ? { ...visit, arms: null, failure: 'nginx fell over.' } : visit,
      ),
  });
  const { visits, reports } = cellDocumentOf(frame, kept, kept.facts.cells[0]?.id ?? '');
  expect(visits.map(({ failure }) => failure)).toEqual(Array(3).fill('nginx fell over.'));
  expect(reports).toEqual({ http: null, https: null });
});

test('visits without counts have no report', () => {
  const { frame, kept } = sampleServers({ plan, rounds: 3 });
  const blocks = kept.blocks.map((visit) => ({
    ...visit,
    arms: visit.arms && {
      ...visit.arms,
      baseline: { ...visit.arms.baseline, ab: null },
      comparison: { ...visit.arms.comparison, ab: null },
    },
  }));
  const { result, reports } = cellDocumentOf(frame, { ...kept, blocks }, kept.facts.cells[0]?.id ?? '');
  expect(result.throughput).not.toBeNull();
  expect(reports).toEqual({ http: null, https: null });
});

test('a cell that the sweep does not have is refused', () => {
  const { frame, kept } = sampleServers({ plan, rounds: 3 });
  expect(() => cellDocumentOf(frame, kept, 'nginx-none')).toThrow(/no cell nginx-none/);
});
