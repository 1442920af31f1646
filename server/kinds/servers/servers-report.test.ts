/** Protects the report of a sweep: its sentences and servers are text, escaped once. */
import { expect, test } from 'vitest';
import { printMarkdown } from '../../base/text/report.ts';
import { sampleServers } from '../../testing/sample-servers.ts';
import { reportServers } from './servers-report.ts';

test('sentences and servers are escaped once', () => {
  const { document } = sampleServers();
  const servers = document.servers.map((server) => ({ ...server, tlsLibrary: 'OpenSSL_3 [patched]' }));
  const report = printMarkdown(reportServers({ ...document, servers, ranking: ['AES_128 costs *most*.'] }));
  expect(report).toContain('\n- AES\\_128 costs \\*most\\*.\n');
  expect(report).toContain('1.22.1, OpenSSL\\_3 \\[patched\\]\n');
});
