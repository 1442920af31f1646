/** Protects the reports of a sweep over sizes: they show the same digits, and say what is refused. */
import { expect, test } from 'vitest';
import { describeProblem } from '../../../shared/base/problem.ts';
import { sizesHeadline } from '../../../shared/kinds/sizes/size-words.ts';
import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { printCsvLines, printTerminal } from '../../base/text/terminal.ts';
import { sampleSizes } from '../../testing/sample-sizes.ts';
import { sizeRows } from './size-samples.ts';
import { reportSizes } from './sizes-report.ts';

const document = sampleSizes();
const inTerminal = (sizes: SizesDocument) => printTerminal(reportSizes(sizes));
const inMarkdown = (sizes: SizesDocument) => printMarkdown(reportSizes(sizes));
const print = (sizes: SizesDocument) => printCsvLines(sizeRows(sizes));

test('the terminal has the verdict first, then lines, differences and sizes in columns', () => {
  const text = inTerminal(document);
  const { title, second, third } = sizesHeadline(document) ?? {};
  expect(text.split('\n').slice(0, 4)).toEqual([
    ...[title, second, third, document.comparisons[0]?.verdict.sentence],
  ]);
  const lineOf = (start: RegExp) => text.split('\n').find((line) => start.test(line)) ?? '';
  expect(lineOf(/^HTTPS {2}with records \*/).split(/ {2,}/)).toHaveLength(11);
  expect(lineOf(/^HTTPS {2}straight, rejected/).split(/ {2,}/)).toHaveLength(11);
  expect(lineOf(/^HTTP against/).split(/ {2,}/)).toEqual([
    ...['HTTP against', 'Lines', 'ΔOffset, ms', '95 % CI', 'Δ(1/Rate), ns per byte', '95 % CI'],
    ...['Rate lost, %', '95 % CI'],
  ]);
  expect(lineOf(/^100,000/).split(/ {2,}/)).toHaveLength(8);
  expect(text).toContain(
    'Transfer rate lost in 1998: Netscape Enterprise 3.5.1 22 %, IIS 4.0 17 %. Today: HTTPS ',
  );
});

test('Markdown has the same figures', () => {
  const [text, markdown] = [inTerminal(document), inMarkdown(document)];
  const cells = (text.match(/\d[\d.,]* to \d[\d.,]*/g) ?? []).slice(0, 40);
  expect(cells.length).toBeGreaterThan(30);
  for (const cell of cells) expect(markdown).toContain(cell);
  expect(markdown).toMatch(/^# HTTPS costs .+ CPU per request/);
  expect(markdown).toContain(', nginx 1.22.1. Times');
  expect(markdown).toContain('\nnpx tls-toll sizes --server nginx --seed 7\n');
});

test('CSV has a row a visit, with the suite that was agreed on', () => {
  const rows = print(document)
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(','));
  expect(rows).toHaveLength(1 + 12 * 24 * 2);
  const [header, , https] = rows;
  const cell = (name: string) => https?.[header?.indexOf(name) ?? -1];
  expect([cell('transport'), cell('cipher'), cell('size')]).toEqual([
    'https',
    'TLS_AES_256_GCM_SHA384',
    '1000',
  ]);
  expect(cell('median_us')).toBe(String(document.rounds[0]?.points[1]?.medianUs));
});

test('without rounds there are no tables, and the problem is shown', () => {
  const problem = describeProblem('run_cancelled', { detail: 'The sweep was cancelled.' });
  const empty = { ...sampleSizes({ rounds: 0 }), problem };
  expect(inTerminal(empty)).toMatch(/\n\nDoubts and limits\nOpening a connection/);
  expect(inTerminal(empty)).toContain(problem.advice);
  expect(inMarkdown(empty)).toContain(problem.advice);
  expect(inMarkdown(empty)).not.toContain('## Latency');
  expect(print(empty).trimEnd().split('\r\n')).toHaveLength(1);
});

test('what is refused or left out is shown with its reason', () => {
  const bent = sampleSizes({
    secure: { offsetUs: 140, usPerByte: 0.004, recordUs: null },
    change: (rounds) =>
      rounds.map((round) => ({
        ...round,
        points: round.points.flatMap((point) => {
          if (point.size === 3000 && round.round === 2) return [];
          const factor = point.arm === 0 && point.size === 9000 ? 1.3 : 1;
          return [{ ...point, medianUs: factor * point.medianUs }];
        }),
      })),
  });
  for (const text of [inTerminal(bent), inMarkdown(bent)]) {
    expect(text).toMatch(
      /Latency, HTTPS, line rejected: It misses 9,000 bytes by 2\d\.\d % \(10 % is allowed\)\./,
    );
    expect(text).toContain('Left out: 3,000 bytes. 1 of 12 rounds have no figure for it.');
    expect(text).toContain('from rejected lines');
    expect(text).toContain('80,000 to 100,000');
  }
});
