import type { Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import { findServers } from '../../targets/managed/find-servers.ts';
import type { AppParts } from './app-parts.ts';
import { serve, serveFile } from './endpoint.ts';

/** The servers of this machine, and the configurations that runs have measured. */
export function servers(router: Router, { measurements }: AppParts): void {
  serve(router, 'listServers', () => findServers());
  serveFile(router, 'showConfiguration', async ({ params: { id } }) => {
    const text = (await measurements.document(id)).configuration();
    if (text === null) throw problem('not_found', 'That measurement did not start a server.');
    return { text, mediaType: 'text/plain', fileName: `tls-toll-${id}.conf.txt` };
  });
}
