/** Protects the twin that a check proposes: another listener of the same server with the same answer, or none. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRunSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { pathScenario } from '../../../shared/scenario/scenario.ts';
import type { OriginsTarget } from '../../../shared/target/target.ts';
import { hasNginx, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { issue, page, serveHttp, serveHttps, authority as signer } from '../../testing/preflight-in-test.ts';
import { openAuthority } from '../certificates/certificate-authority.ts';
import { answerOnce } from '../open/check-once.ts';

async function proposalFor(target: Omit<OriginsTarget, 'kind'>, path = '/'): Promise<string | null> {
  const house = { dataDirectory: '', storefrontDatabaseUrl: null, chromiumPath: null };
  const { ok, problem, twinProposal } = await answerOnce(
    createRunSchema.parse({ target }),
    pathScenario([path]),
    {},
    house,
  );
  expect({ ok, problem }).toEqual({ ok: true, problem: null });
  return twinProposal;
}

test.runIf(hasNginx)('the second plain listener of an nginx is proposed until it is named', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-twin-'));
  const authority = await openAuthority(directory);
  const nginx = await startNginxInTest(authority, ['http', 'https', 'twin']);
  const target = {
    http: `http://127.0.0.1:${nginx.httpPort}`,
    https: `https://127.0.0.1:${nginx.httpsPort}`,
    ca: authority.caPem,
  };
  const twin = `http://127.0.0.1:${nginx.twinPort}`;
  expect(await proposalFor(target)).toBe(twin);
  expect(await proposalFor({ ...target, twin })).toBeNull();
  await nginx.stop();
  rmSync(directory, { recursive: true });
});

test('a listener of the same process that answers otherwise is not proposed', async () => {
  const [http, https] = [await serveHttp(), await serveHttps(undefined, await issue('127.0.0.1'))];
  const target = {
    http: `http://127.0.0.1:${http}`,
    https: `https://127.0.0.1:${https}`,
    ca: signer.certificatePem,
  };
  await serveHttp(page('<h1>Shop</h1>, the administration'));
  await serveHttp((_request, response) => response.writeHead(404).end('<h1>Shop</h1>'));
  expect(await proposalFor(target)).toBeNull();
  const alike = await serveHttp();
  expect(await proposalFor(target)).toBe(`http://127.0.0.1:${alike}`);
});
