import type { BrowserAction, Stuck } from '../../../shared/scenario/browser-actions.ts';
import type {
  Exchange,
  ImportReport,
  Secret,
  TrafficChoices,
  Unsupported,
} from '../../../shared/scenario/import.ts';
import { type Ending, endingSentences, type RefusedHost } from '../../../shared/scenario/recorder.ts';
import { redactActions, type SeenText, splitOutgrown } from './redacted-actions.ts';
import { namedSecrets } from './spellings.ts';
import { trafficToScenario } from './traffic-to-scenario.ts';

/** A browser's part of a recording. Text typed into password fields is replaced already. */
export type Recorded = {
  ending: Ending;
  steps: BrowserAction[];
  exchanges: Exchange[];
  secrets: Secret[];
  seen: SeenText[];
  refused: RefusedHost[];
  unsupported: Unsupported[];
  /** The step at which a replay got stuck. */
  stuck?: Stuck;
};

export function reportOfRecording(recorded: Recorded, name: string, choices: TrafficChoices): ImportReport {
  const typed = [...namesOf(recorded.secrets), ...namedSecrets(recorded.steps)];
  const { steps, exchanges, seen } = recorded;
  const redacted = redactActions(steps, { exchanges, seen }, { taken: typed, declined: choices.declined });
  const { others, secrets } = redacted;
  const { actions, unsupported } = splitOutgrown(redacted.actions);
  const taken = [...typed, ...namesOf(secrets)];
  const report = trafficToScenario(others.exchanges, name, choices, null, others.seen, taken);
  const named = new Set(namedSecrets([actions, report.scenario]));
  return {
    format: 'recording',
    ...report,
    actions,
    secrets: unique([...recorded.secrets, ...secrets, ...report.secrets]).filter(
      ({ name, declined }) => declined || named.has(name),
    ),
    unsupported: [...recorded.unsupported, ...unsupported, ...report.unsupported],
    notes: [
      ...(recorded.ending === 'finished' ? [] : [endingSentences[recorded.ending]]),
      ...recorded.refused.map(
        ({ host, count, reason }) =>
          `${host} was asked for ${count === 1 ? 'once' : `${count} times`} and not reached. ${reason}`,
      ),
      ...report.notes,
    ],
    ...(recorded.stuck === undefined ? {} : { stuck: recorded.stuck }),
  };
}

function namesOf(secrets: readonly Secret[]): string[] {
  return secrets.map(({ name }) => name);
}

function unique(secrets: Secret[]): Secret[] {
  return [...new Map(secrets.map((secret) => [secret.name, secret])).values()];
}
