/** Protects messages about a run: its digits, intervals on one axis, and no name that formats, links or calls anybody. */

import { marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { looksOf } from '../base/side-looks.ts';
import { sidesOfPair } from '../base/transport.ts';
import type { Digest, DigestCard } from './digest.ts';
import { asJira, asMarkdown, asSlack, stripsOf } from './message.ts';

const cpu: DigestCard = {
  title: 'Server CPU per transaction',
  baseline: '120 µs',
  comparison: '145 µs',
  change: '+21.0 %',
  range: '+20.0 to +22.2 %',
  real: true,
  word: 'Costs more',
  interval: { lo: 0.2, center: 0.21, hi: 0.222 },
};
const latency: DigestCard = {
  ...cpu,
  title: 'Median latency',
  change: '−5.0 to +10 %',
  range: '95 % CI',
  real: false,
  word: 'Unclear',
  interval: { lo: -0.05, center: 0.02, hi: 0.1 },
};
const refused: DigestCard = {
  ...cpu,
  title: 'Throughput',
  change: '–',
  range: '',
  real: false,
  word: 'Not available',
  interval: null,
};

const digest: Digest = {
  headline: {
    title: 'HTTPS costs 25 µs more server CPU per request',
    second: '+21 % at full load (120 → 145 µs)',
  },
  evidence: 'This run: +25 µs (24 to 27), +21.0 % (20.0 to 22.2), 95 % CI from 4 starts',
  outcome: 'overhead',
  compared: {
    sides: { baseline: 'HTTP', comparison: 'HTTPS' },
    ci: '95 % CI',
    looks: looksOf(sidesOfPair(['http', 'https'])),
    cards: [cpu, latency, refused],
  },
  setting: 'Search on the demo shop, HTTP and HTTPS, standard',
  measuredAt: Date.UTC(2026, 10, 21, 14, 5),
};
const link = 'http://127.0.0.1:7300/r/7PVVVj0zXVtmUnylMZdSlT';
const hostile =
  '@everyone #12 **b** [a](http://evil.test) <!channel> <img src=x> ```\n``` {code} |cell| \\\\ h1. *x*';

describe('intervals as text', () => {
  test('share an axis that holds no change', () => {
    expect(stripsOf([cpu.interval, latency.interval, null])).toEqual({
      // From −5 to +22.2 % in steps of 1.18: zero is the fourth after the first.
      strips: ['····│················├●┤', '├───┼─●──────┤··········', ''],
      axis: '−5.0 % to +22 %',
    });
  });

  test('show the whole first one, and end a much wider one in an arrow', () => {
    const [headline, wide] = stripsOf([
      { lo: -0.1, center: 0.12, hi: 0.43 },
      { lo: -0.9, center: 0.2, hi: 16 },
    ])?.strips ?? ['', ''];
    expect(headline).toMatch(/^├.*┼.*●.*┤$/);
    expect(wide).toMatch(/^◄.*●.*►$/);
  });

  test('of one point are a point, and of nothing are none', () => {
    expect(stripsOf([{ lo: 0.1, center: 0.1, hi: 0.1 }])).toEqual({
      strips: [`│${'·'.repeat(22)}●`],
      axis: '0 to +10 %',
    });
    expect(stripsOf([null])).toBeNull();
    expect(stripsOf([])).toBeNull();
  });
});

describe('Markdown for a pull request', () => {
  test('has the verdict, a table, the intervals and the link', () => {
    const text = asMarkdown(digest, link);
    expect(text.split('\n').slice(0, 10)).toEqual([
      '### HTTPS costs 25 µs more server CPU per request',
      '',
      '+21 % at full load (120 → 145 µs)',
      '',
      'This run: +25 µs (24 to 27), +21.0 % (20.0 to 22.2), 95 % CI from 4 starts',
      '',
      '| Metric | HTTP | HTTPS | Change | 95 % CI | Outcome |',
      '| --- | ---: | ---: | ---: | ---: | ---: |',
      '| Server CPU per transaction | 120 µs | 145 µs | +21.0 % | +20.0 to +22.2 % | Costs more |',
      '| Median latency | 120 µs | 145 µs | – | −5.0 to +10 % | Unclear |',
    ]);
    expect(text).toContain('| Throughput | 120 µs | 145 µs | – | – | Not available |');
    expect(text).toContain('Median latency              ├');
    expect(text).toContain(`21 November 2026 at 14:05 UTC, TLS Toll. [Result](<${link}>)`);
    expect(asMarkdown(digest, null)).not.toContain('Result');
  });

  test('renders as what it is meant to be, whatever names are', () => {
    const html = marked.parse(asMarkdown({ ...digest, setting: hostile }, link), { async: false });
    expect(html.match(/<tr>/g)).toHaveLength(4);
    expect(html).toContain('<pre><code class="language-text">Server CPU');
    // An address that somebody typed leads where it says.
    const links = [...html.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, to, text]) => [to, text]);
    expect(links).toEqual([
      ['http://evil.test', 'http://evil.test'],
      [link, 'Result'],
    ]);
    expect(html).not.toMatch(/<(img|strong|em|h1)\b|<!channel/);
    expect(html).toContain('@\u200beveryone');
  });

  test('a result without two sides has its title alone', () => {
    const headline = { title: 'Handshakes: today', second: '' };
    const bare = { ...digest, headline, evidence: null, compared: null };
    expect(asMarkdown(bare, null).split('\n\n')).toHaveLength(2);
  });
});

describe('a message for Slack', () => {
  const lines = asSlack({ ...digest, setting: hostile }, link).split('\n');

  test('has the verdict in bold, and the figures in one block whose columns are aligned', () => {
    expect(lines[0]).toBe('*HTTPS costs 25 µs more server CPU per request*');
    expect(lines.filter((line) => line.includes('```'))).toEqual(['```', '```']);
    const [head = '', first = ''] = lines.slice(4);
    expect(first.indexOf('145 µs')).toBe(head.indexOf('HTTPS'));
    expect(lines.at(-2)).toBe(`21 November 2026 at 14:05 UTC, TLS Toll: ${link}`);
  });

  test('calls nobody', () => {
    expect(lines.join('\n')).toContain('‹!channel›');
    expect(lines.join('\n')).not.toMatch(/<|>/);
  });
});

describe('a comment in Jira', () => {
  const text = asJira({ ...digest, setting: hostile }, link);

  test('has a heading, a table with its head, and the intervals as they are', () => {
    expect(text).toContain('h3. HTTPS costs 25 µs more server CPU per request\n');
    expect(text).toContain('||Metric||HTTP||HTTPS||Change||95 % CI||Outcome||');
    expect(text).toContain(
      '|Server CPU per transaction|120 µs|145 µs|\\+21.0 %|\\+20.0 to \\+22.2 %|Costs more|',
    );
    expect(text.match(/\{noformat\}/g)).toHaveLength(2);
    expect(text).toContain(`[Result|${link}]`);
  });

  test('names are text', () => {
    expect(text).toContain('\\{code\\} \\|cell\\| &#92;&#92; h1. \\*x\\*');
    expect(text).toContain('\\[a\\](http://evil.test)');
  });

  test('a name that begins like a heading or a quote is text', () => {
    for (const start of ['h1', 'bq']) {
      expect(asJira({ ...digest, setting: `${start}. Search` }, link)).toContain(`\n${start}&#46; Search. `);
    }
  });
});
