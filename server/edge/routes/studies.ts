import type { Router } from 'express';
import { findServers } from '../../targets/managed/find-servers.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';
import { openStudies } from './open-studies.ts';

/** The claims of the studies, beside what is measured here. */
export function studies(router: Router, { measurements, limits }: AppParts): void {
  // Where others measure, this machine's servers say nothing.
  const read = openStudies(measurements, () => (limits.measures ? findServers() : []));
  serve(router, 'showStudies', read);
}
