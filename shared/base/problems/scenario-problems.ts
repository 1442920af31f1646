import type { ProblemKind } from './problem-kind.ts';

/** Scenarios, recordings, imports and exports. */
export const scenarioProblems = {
  scenario_not_found: {
    status: 404,
    title: 'Scenario not found',
    advice: 'Check the link for typos. /scenarios lists every scenario on this server.',
  },
  scenario_deleted: {
    status: 410,
    title: 'This scenario was deleted',
    advice: 'Revisions that a run used are still available. /scenarios lists the other scenarios.',
  },
  scenario_changed: {
    status: 409,
    title: 'The scenario has changed since you opened it',
    advice: 'Open the latest revision and repeat your change.',
  },
  too_many_scenarios: {
    status: 409,
    title: 'Too many scenarios',
    advice: 'Delete scenarios that you no longer need.',
  },
  revision_not_found: {
    status: 404,
    title: 'Revision not found',
    advice: 'Check the link for typos. Deleting a scenario also deletes the revisions that no run used.',
  },
  secret_missing: {
    status: 422,
    title: 'A secret has no value',
    advice: 'Enter its value. It stays in memory only, until the run ends.',
  },
  secrets_lost: {
    status: 422,
    title: 'The values of the secrets were lost',
    advice: 'Start the run again and re-enter the values.',
  },
  scenario_unfit: {
    status: 422,
    title: 'The scenario does not fit this site',
    advice: 'Choose a path that this site serves, or record a scenario on it.',
  },
  import_unreadable: {
    status: 422,
    title: 'The file could not be imported',
    advice: 'Correct the file or text, then import it again.',
  },
  not_exportable: {
    status: 422,
    title: 'The scenario cannot be exported in this format',
    advice: 'Change the steps named, or export as TLS Toll JSON or HAR, which keep everything.',
  },
  recording_not_found: {
    status: 404,
    title: 'Recording not found',
    advice: 'It has ended, or the server was restarted. Start a new recording.',
  },
} as const satisfies Record<string, ProblemKind>;
