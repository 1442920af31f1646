/** Protects the hint of `compare` that the HTTP side's server has a second listener: with the option that names it, and only then. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runRequestSchema } from '../../../shared/kinds/comparison/run-request.ts';
import { openAuthority } from '../../targets/certificates/certificate-authority.ts';
import { hasNginx, startNginxInTest } from '../../testing/nginx-in-test.ts';
import { openServerInTest } from '../../testing/server-in-test.ts';
import { twinHint } from './side-options.ts';

test.runIf(hasNginx)(
  'an nginx with two plain listeners has its second one proposed until it is named',
  async () => {
    const server = await openServerInTest();
    const authority = await openAuthority(join(server.directory, 'authority'));
    const nginx = await startNginxInTest(authority, ['http', 'https', 'twin']);
    const proposalFor = (named: { twin?: string }) => {
      const http = `http://127.0.0.1:${nginx.httpPort}`;
      const https = `https://127.0.0.1:${nginx.httpsPort}`;
      const target = { kind: 'origins', http, https, ca: authority.caPem, ...named } as const;
      return twinHint(server.api, runRequestSchema.parse({ target }), {});
    };
    const twin = `http://127.0.0.1:${nginx.twinPort}`;
    expect(await proposalFor({})).toContain(`add --twin ${twin}.`);
    expect(await proposalFor({ twin })).toBeNull();
    await nginx.stop();
    await server.close();
  },
);
