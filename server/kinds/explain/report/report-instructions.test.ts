/** Protects the report of instructions: differences beside both sides, and what a count leaves out. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { explainDocumentSchema } from '../../../../shared/kinds/explain/explain.ts';
import { printMarkdown } from '../../../base/text/report/print-markdown.ts';
import { reportInstructions } from './report-instructions.ts';

const golden = explainDocumentSchema.parse(
  JSON.parse(readFileSync(new URL('../../../life/database/golden/explain-v1.json', import.meta.url), 'utf8')),
);

test('instructions are printed by group and by function, with their differences', () => {
  const printed = printMarkdown(
    reportInstructions(golden, {
      ...{ valgrind: '3.19.0', requests: 128 },
      parts: { baseline: [1, 1, 1], comparison: [1, 1, 1] },
      perRequest: {
        baseline: { center: 14_579, lo: 14_576, hi: 14_580 },
        comparison: { center: 96_688, lo: 96_688, hi: 96_691 },
      },
      delta: { center: 82_109, lo: 82_105, hi: 82_115 },
      groups: [
        { group: 'encryption', baseline: 0, comparison: 83_000 },
        { group: 'application', baseline: 14_579, comparison: 13_688 },
      ],
      functions: [
        { name: 'EVP_EncryptUpdate', library: 'libcrypto.so.3', baseline: 0, comparison: 82_000 },
        { name: 'ngx_vslprintf', library: 'nginx', baseline: 900, comparison: 9 },
      ],
    }),
  );
  expect(printed).toContain(
    'HTTPS takes 82,109 more instructions a request than HTTP: 96,688 instead of 14,579',
  );
  expect(printed).toMatch(/TLS record encryption \| +0 \| +83,000 \| +\+83,000/);
  expect(printed).toMatch(/HTTP and application \| +14,579 \| +13,688 \| +−891/);
  expect(printed).toMatch(/All \| +14,579 \| +96,688 \| +\+82,109/);
  expect(printed).toMatch(/ngx\\?_vslprintf \| nginx \| +900 \| +9 \| +−891/);
  expect(printed).toContain('in user space');
  expect(printed).toContain('AVX-512');
});
