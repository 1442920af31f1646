import type { Router } from 'express';
import { findServers } from '../../targets/managed/find-servers.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';
import { openStudies } from './open-studies.ts';

/** The claims of the studies, with today's figures. */
export function studies(router: Router, { measurements, examples, limits }: AppParts): void {
  // Where others measure, this machine's servers say nothing.
  const servers = () => (limits.measures ? findServers() : []);
  const read = openStudies({ measurements, examples, servers });
  serve(router, 'showStudies', read);
}
