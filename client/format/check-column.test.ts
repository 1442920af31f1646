/** Protects the two columns of a preflight report: which listener each of them is about. */
import { expect, test } from 'vitest';
import type { Check, PreflightReport } from '../../shared/target/preflight.ts';
import { checkColumns } from './check-column.ts';

const side = { checks: [], responses: [], tls: null, pid: null };

test('a report becomes two columns, called by what they speak and where they were found, without options', () => {
  const message = 'Give the authority (--ca), or trust it (--trust AB:CD).';
  const checks: Check[] = [{ id: 'certificate', title: 'Certificate', status: 'fail', message }];
  const report: PreflightReport = {
    ok: false,
    problem: 'Nobody listens.',
    sides: {
      baseline: { ...side, transport: 'http', origin: 'http://127.0.0.1:8080', address: '127.0.0.1' },
      comparison: { ...side, transport: 'https', origin: 'https://localhost:8443', address: null, checks },
    },
  };
  const [baseline, comparison] = checkColumns(report);
  expect([baseline.side.label, baseline.subtitle]).toEqual(['HTTP', 'http://127.0.0.1:8080 at 127.0.0.1']);
  expect([comparison.side.label, comparison.subtitle]).toEqual(['HTTPS', 'https://localhost:8443']);
  expect(comparison.checks.map(({ message }) => message)).toEqual(['Give the authority, or trust it.']);
});
