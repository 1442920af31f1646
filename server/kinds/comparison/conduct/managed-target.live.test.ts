/** Protects runs of a server of this machine: several launches, each side's CPU, and what was measured beside the result. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { namesOf } from '../../../../shared/base/arms.ts';
import { twoSidesAndTwin } from '../../../../shared/base/transport.ts';
import type { Plan } from '../../../../shared/kinds/comparison/load-profile.ts';
import { describeEnvironment } from '../../../targets/sampling/machine.ts';
import { briefApparatus, makeBrief } from '../../../testing/brief-plan.ts';
import { conductAlone } from '../../../testing/conduct-alone.ts';
import { hasNginx } from '../../../testing/nginx-in-test.ts';
import { comparison } from '../kind.ts';
import { printConfiguration } from '../metric-figures.ts';

const arms = namesOf(twoSidesAndTwin);

const dataDirectory = mkdtempSync(join(tmpdir(), 'tls-toll-managed-run-'));
afterAll(() => rmSync(dataDirectory, { recursive: true, force: true }));

/** Long enough to tell the sides apart, and no longer. */
const told: Partial<Plan> = { launches: { minimum: 2, maximum: 2 }, lockstepMs: 600 };

const shortened: typeof comparison = {
  ...comparison,
  async prepare(...asked) {
    const prepared = await comparison.prepare(...asked);
    return { ...prepared, facts: { ...prepared.facts, plan: makeBrief(prepared.facts.plan, told) } };
  },
};

test.skipIf(!hasNginx)('nginx, with a document of 20,000 bytes', async () => {
  const target = { kind: 'managed', server: 'nginx', clientCertificates: true, documents: [20_000] };
  const document = await conductAlone(
    shortened,
    { target },
    {
      house: {
        ...{ dataDirectory, storefrontDatabaseUrl: null, chromiumPath: null, browser: null },
        apparatus: briefApparatus,
        async chooseScenario(asked) {
          if (typeof asked === 'string') throw new Error('a server brings its own scenario');
          return { scenario: asked, revisionId: null };
        },
      },
      environment: describeEnvironment('tls-toll test', true),
    },
  );
  expect(document.scenario.steps.map(({ path }) => path)).toEqual(['/20000.html']);
  expect(document.launches).toHaveLength(2);
  const pids = document.launches.flatMap((launch) => arms.map((arm) => launch.pids[arm]));
  expect(new Set(pids).size).toBe(2 * arms.length);
  // Two TLS records cost a server that only copies a file far more than a tenth; a busy machine hides some of it.
  expect(document.metrics.find(({ id }) => id === 'cpu_at_load')?.ratio?.center).toBeGreaterThan(1);
  for (const { slots } of document.blocks.filter(({ kind }) => kind === 'lockstep')) {
    expect(slots.every(({ target: used }) => (used?.processes ?? 0) === 2)).toBe(true);
  }
  expect(document.fairness?.baseline.bodyBytesPerTransaction).toBe(20_000);
  expect(document.server).toMatchObject({ name: 'nginx', tlsLibrary: expect.stringMatching(/^OpenSSL /) });
  expect(document.command).toContain('--target nginx --document 20000 --client-certificates');
  expect(printConfiguration(document)).toMatch(
    /^# nginx \d[\s\S]+# nginx\.conf of the second side \(HTTPS\)[\s\S]+ssl_protocols TLSv1\.2 TLSv1\.3;/,
  );
});
