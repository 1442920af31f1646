import type { Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { expectTimes } from '../../kinds/comparison/plan/expect-times.ts';
import { findServers } from '../../targets/managed/find-servers.ts';
import type { AppParts } from './app-parts.ts';
import { serve, serveFile } from './endpoint.ts';

/** This server and its machine: what they are, what they do, and what they can measure. */
export function server(router: Router, parts: AppParts): void {
  const { measurements, results, generatorHosts, limits, machine, version } = parts;
  serve(router, 'health', () => ({
    status: 'ok' as const,
    version,
    uptimeS: Math.round(process.uptime() * 10) / 10,
    ...measurements.status(),
  }));
  serve(router, 'limits', () => limits);
  serve(router, 'listRunners', async () => ({
    ...(await measurements.runners()),
    generators: generatorHosts?.list() ?? null,
  }));
  serve(router, 'machine', async () => {
    const measuring = measurements.status().running !== null;
    const use = machine.look();
    const foreignRatio = measuring ? null : use.foreignRatio;
    const taken = (use.stealRatio ?? 0) + (foreignRatio ?? 0);
    const expected = expectTimes(await machine.sampleDeviations(), taken);
    return { ...use, foreignRatio, measuring, expected };
  });
  serve(router, 'listServers', () => findServers());
  serveFile(router, 'showConfiguration', async ({ params: { id } }) => {
    const text = (await results.document(id)).configuration();
    if (text === null) throw problem('not_found', 'That measurement did not start a server.');
    return { text, mediaType: 'text/plain', fileName: `tls-toll-${id}.conf.txt` };
  });
}
