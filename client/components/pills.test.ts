/** Protects the two columns of a check, which are about one listener each, and that a transport keeps its looks wherever it stands. */
import { expect, test } from 'vitest';
import { sidesOfPair } from '../../shared/base/transport.ts';
import type { Check, PreflightReport } from '../../shared/target/preflight.ts';
import { sidesOf } from '../format/sides.ts';
import { checkColumns } from './pills.tsx';

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

test('HTTP is blue, solid and round; HTTPS is vermillion, dashed and a diamond', () => {
  const { baseline, comparison } = sidesOf(sidesOfPair(['http', 'https']));
  expect(baseline).toMatchObject({ label: 'HTTP', color: '#0072B2', dashed: false, marker: 'circle' });
  expect(comparison).toMatchObject({ label: 'HTTPS', color: '#D55E00', dashed: true, marker: 'diamond' });
});

test('a transport keeps its looks when the sides are swapped', () => {
  expect(sidesOf(sidesOfPair(['https', 'http'])).baseline).toMatchObject({
    label: 'HTTPS',
    color: '#D55E00',
    dashed: true,
  });
});

test('a listener and its twin can be told apart, and neither looks like the other transport', () => {
  const { baseline, comparison } = sidesOf(sidesOfPair(['http', 'http']));
  expect([baseline.label, comparison.label]).toEqual(['HTTP A', 'HTTP B']);
  expect(comparison.color).not.toBe(baseline.color);
  expect(comparison.color).not.toBe('#D55E00');
});

test('two sides that are encrypted differ in more than their color', () => {
  const { baseline, comparison } = sidesOf(sidesOfPair(['https', 'h2']));
  expect(baseline).toMatchObject({ color: '#D55E00', marker: 'circle', dashed: false });
  expect(comparison).toMatchObject({ color: '#8A63B5', marker: 'diamond', dashed: true });
});
