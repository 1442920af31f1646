/** Protects a sweep over servers against a real nginx: every cell in every round, effects that are there, servers that fall over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type {
  CellDocument,
  FactorPlanInput,
  ServersDocument,
} from '../../../shared/kinds/servers/servers-result.ts';
import { findServers } from '../../targets/managed/find-servers.ts';
import { describeEnvironment } from '../../targets/sampling/machine.ts';
import { conductAlone } from '../../testing/conduct-alone.ts';
import { hasNginx } from '../../testing/nginx-in-test.ts';
import { brief } from '../../testing/shorten-runs.ts';
import { type Apparatus, realApparatus } from '../apparatus.ts';
import { cellDocumentOf } from './cell-document.ts';
import { conductServers } from './conduct-servers.ts';
import { servers } from './kind.ts';

const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-servers-'));
afterAll(() => rmSync(dataDirectory, { recursive: true }));

type Watching = {
  signal?: AbortSignal;
  tell?: (event: { type: string }) => void;
  /** Receives the parts kept in the end. */
  see?: (...kept: Parameters<typeof servers.documentOf>) => void;
};

function measure(
  plan: FactorPlanInput,
  rounds: number,
  { apparatus, see, ...watching }: Watching & { apparatus?: Apparatus } = {},
): Promise<ServersDocument> {
  return conductAlone(
    {
      ...servers,
      conduct: (task, watch, house) => conductServers(task, watch, house, brief.visitMs),
      documentOf: (frame, kept) => {
        see?.(frame, kept);
        return servers.documentOf(frame, kept);
      },
    },
    { kind: 'servers', plan, rounds, seed: 5 },
    {
      house: {
        ...{ dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null },
        ...(apparatus === undefined ? {} : { apparatus }),
      },
      environment: describeEnvironment('test', true),
      ...watching,
    },
  );
}

test.skipIf(!hasNginx)(
  'every cell is visited in every round, and what keep-alive is worth comes out',
  async () => {
    const fractions: number[] = [];
    const cells: CellDocument[] = [];
    const document = await measure(
      { shape: 'grid', base: { concurrency: 8 }, levels: { keepAlive: [true, false] } },
      3,
      {
        tell: (event) => {
          if (event.type === 'progress') fractions.push((event as unknown as { fraction: number }).fraction);
        },
        see: (frame, kept) => {
          for (const { id } of kept.facts.cells) cells.push(cellDocumentOf(frame, kept, id));
        },
      },
    );
    expect(document.cells.map(({ visits, failures }) => [visits, failures])).toEqual([
      [3, []],
      [3, []],
    ]);
    for (const { throughput, cpu, latency, errorShare } of document.cells) {
      expect(throughput?.https.center).toBeGreaterThan(0);
      expect(cpu?.https.center).toBeGreaterThan(0);
      expect(latency?.https.center).toBeGreaterThan(0);
      expect(errorShare).toBe(0);
    }
    const keepAlive = document.effects.find(
      ({ metric, view }) => metric === 'throughput' && view === 'https',
    );
    // A handshake with a new key agreement costs many times what a request for 5 kB does.
    expect(keepAlive?.factorOf.center).toBeLessThan(0.6);
    expect(document.ranking[0]).toMatch(/^Keep-alive: /);
    expect(document.servers.map(({ name }) => name)).toEqual(['nginx']);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
    for (const { result, reports, visits } of cells) {
      for (const side of ['http', 'https'] as const) {
        const visit = visits.find(({ round }) => round === reports[side]?.round);
        const ab = visit?.arms?.[side === 'http' ? 'baseline' : 'comparison'].ab;
        const { requests = 0, connectionsOpened = 0, htmlBytes = 0 } = ab ?? {};
        expect(ab?.serverSoftware).toMatch(/^nginx/);
        expect(requests).toBeGreaterThan(0);
        expect(htmlBytes).toBe(5496 * requests);
        expect(ab?.totalBytes).toBeGreaterThan(htmlBytes);
        expect(ab?.ladderMs).toHaveLength(9);
        const { keepAlive } = result.cell.settings;
        if (keepAlive) expect(connectionsOpened).toBe(0);
        expect((ab?.timesMs?.connect.mean ?? 0) > 0).toBe(!keepAlive);
        expect(ab?.negotiated?.protocol).toBe(side === 'https' ? 'TLSv1.3' : undefined);
      }
    }
    expect(cells).toHaveLength(2);
  },
);

test.skipIf(!hasNginx)(
  'a server that falls over fails its cell in that round only, with the reason',
  async () => {
    let opened = 0;
    const apparatus: Apparatus = {
      ...realApparatus,
      openSampler(listener) {
        // The first arm of the second visit.
        if (++opened === 4 && listener.pid !== null) process.kill(-listener.pid, 'SIGKILL');
        return opened === 4 ? null : realApparatus.openSampler(listener);
      },
    };
    const document = await measure({ shape: 'grid', levels: { concurrency: [1, 4] } }, 3, { apparatus });
    const visits = document.cells.map((cell) => cell.visits);
    expect(visits.toSorted()).toEqual([2, 3]);
    const [failure = ''] = document.cells.flatMap(({ failures }) => failures);
    expect(failure).toMatch(/nginx|target/i);
  },
);

test.skipIf(!hasNginx)(
  'clients present their certificate where a cell demands one, and cells that the kernel cannot serve are left out by name',
  async () => {
    const { cells, warnings } = await measure(
      { shape: 'cells', cells: [{ clientCertificates: true, keepAlive: false }, {}, { kTls: true }] },
      3,
    );
    const { kTlsProblem } = findServers().find(({ name }) => name === 'nginx') ?? { kTlsProblem: 'none' };
    const ids = ['nginx-tls13-any-p256-full-mtls-c32-5496', 'nginx-tls13-any-p256-keepalive-c32-5496'];
    const kTlsId = 'nginx-tls13-any-p256-keepalive-ktls-c32-5496';
    expect(cells.map(({ cell }) => cell.id)).toEqual(kTlsProblem === null ? [...ids, kTlsId] : ids);
    expect(warnings.filter((warning) => warning.includes('kTLS'))).toEqual(
      kTlsProblem === null ? [] : [`Combinations with kTLS are skipped. ${kTlsProblem}`],
    );
    for (const { visits, failures, errorShare } of cells) {
      expect({ visits, failures, errorShare }).toEqual({ visits: 3, failures: [], errorShare: 0 });
    }
  },
);

test.skipIf(!hasNginx)('a sweep that is canceled ends at once', async () => {
  const cancellation = new AbortController();
  const ending = measure({ shape: 'grid', levels: { concurrency: [1, 4] } }, 50, {
    signal: cancellation.signal,
    tell: ({ type }) => {
      if (type === 'visit') cancellation.abort(new Error('cancelled'));
    },
  });
  await expect(ending).rejects.toThrow('cancelled');
});
