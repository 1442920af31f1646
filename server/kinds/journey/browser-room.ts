import { type BrowserOutcome, type BrowserRequest, journeyName } from '../../../shared/browser-run.ts';
import type { Environment } from '../../../shared/environment.ts';
import { problem } from '../../../shared/problem.ts';
import { moveActions } from '../../traffic/move-actions.ts';
import { namedSecrets } from '../../traffic/secret-names.ts';
import { browserCommand } from './browser-command.ts';
import { journeySides } from './journey-sides.ts';

/** A line for lists. Throws invalid_request, and secret_missing for a journey that types one: a stored request keeps none. */
export function titleOfBrowserRun(request: BrowserRequest): string {
  const { journey } = request;
  if (journey !== null) moveActions(journey.actions, 'http://127.0.0.1');
  const [secret] = namedSecrets(journey?.actions ?? []);
  if (secret !== undefined) {
    throw problem(
      'secret_missing',
      `The journey types the secret “${secret}”, which only the command line takes for a browser run: ${browserCommand(request, request.seed ?? null)}`,
    );
  }
  return `Browser: ${journeyName(request)}, ${request.blocks} blocks`;
}

/** Before anything was measured. */
export function noBrowserRun(request: BrowserRequest, environment: Environment): BrowserOutcome {
  const seed = request.seed ?? null;
  return {
    ...{ kind: 'browser', state: 'queued', startedAt: null, endedAt: null, problem: null, warnings: [] },
    ...{ seed, environment, command: browserCommand(request, seed), request },
    ...{ browser: '', sides: journeySides, rows: [], blocks: [], notes: [] },
  };
}
