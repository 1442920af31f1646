import { problem } from '../../../shared/base/problem.ts';
import type { Scenario, SecretValues } from '../../../shared/scenario/scenario.ts';
import type {
  Revision,
  RevisionLine,
  ScenarioChange,
  ScenarioDraft,
  ScenarioLine,
  StoredScenario,
} from '../../../shared/scenario/stored-scenario.ts';
import { enabledSteps } from '../../intake/scenario/scenario-problems.ts';
import { secretProblems, secretsOf } from '../../intake/scenario/secrets.ts';
import { searchScenario } from '../../targets/storefront/search-scenario.ts';
import type { Database } from '../database/open-database.ts';
import {
  appendRevision,
  countScenarios,
  deleteScenario,
  findNewestRevision,
  findRevision,
  findScenario,
  insertScenario,
  listRevisions,
  listScenarios,
  type RevisionContent,
} from '../database/scenarios.ts';
import { newPermalinkId } from '../measurement/tokens.ts';

/** The scenarios that a run can name: those that come with the product, and those that are stored. */

const builtIn: readonly (Scenario & { id: string })[] = [{ ...searchScenario, id: 'search' }];

/** The whole list goes to the screen at once, so it has an end. */
const mostScenarios = 500;

export async function listLibrary(database: Database): Promise<ScenarioLine[]> {
  const stored = await listScenarios(database);
  return [
    ...builtIn.map(({ id, name, description, steps }) => ({
      ...{ id, builtIn: true, name, description, steps: steps.length, secrets: [], revision: null },
    })),
    ...stored.map(({ id, name, description, steps, secrets, revisionId, newest, createdAt, origin }) => ({
      ...{ id, builtIn: false, name, description, steps, secrets },
      revision: { id: revisionId, number: newest, createdAt, origin },
    })),
  ];
}

/** A scenario in its newest revision, or in the revision of that id. Throws scenario_not_found, scenario_deleted. */
export async function openScenario(database: Database, id: string): Promise<StoredScenario> {
  const ours = builtIn.find((scenario) => scenario.id === id);
  if (ours !== undefined) {
    return {
      ...{ id, builtIn: true, scenario: ours, revision: null },
      ...{ secrets: secretsOf(ours), site: 'storefront', actions: [], unsupported: [], revisions: [] },
    };
  }
  const chosen = await chooseRevision(database, id);
  const { id: revisionId, number, createdAt, origin, scenarioId, scenario, ...rest } = chosen;
  return {
    ...{ id: scenarioId, builtIn: false, scenario: { ...scenario, id: scenarioId }, ...rest },
    revision: { id: revisionId, number, createdAt, origin },
    revisions: await listRevisions(database, scenarioId),
  };
}

/** Stores a new scenario. Throws too_many_scenarios, and invalid_request with the fields that are not sound. */
export async function saveScenario(database: Database, draft: ScenarioDraft): Promise<StoredScenario> {
  await demandSound(draft.scenario);
  if ((await countScenarios(database)) >= mostScenarios) {
    throw problem('too_many_scenarios', `${mostScenarios} scenarios are stored already.`);
  }
  const id = newPermalinkId();
  const content = contentOf(draft, { site: null, actions: [], unsupported: [] });
  await insertScenario(database, id, newRevision(1, draft), content);
  return openScenario(database, id);
}

/** Stores a new revision. Throws scenario_changed, scenario_not_found, scenario_deleted, and as `saveScenario` does. */
export async function changeScenario(
  database: Database,
  id: string,
  change: ScenarioChange,
): Promise<StoredScenario> {
  await demandSound(change.scenario);
  const before = await newestRevision(database, id);
  const based = change.basedOn ?? before.number;
  const revision = newRevision(before.number + 1, change);
  const stored =
    based === before.number && (await appendRevision(database, id, revision, contentOf(change, before)));
  if (!stored) {
    throw problem('scenario_changed', `Revision ${based} is not the newest of this scenario any more.`);
  }
  return openScenario(database, id);
}

/** Throws scenario_not_found, scenario_deleted. */
export async function removeScenario(database: Database, id: string): Promise<void> {
  await newestRevision(database, id);
  await deleteScenario(database, id, Date.now());
}

/** Throws revision_not_found. */
export async function openRevision(database: Database, id: string): Promise<Revision> {
  const revision = await findRevision(database, id);
  if (revision === null) throw problem('revision_not_found', `No revision of a scenario has the id ${id}.`);
  return revision;
}

/**
 * Scenario that a run's ID means: a scenario in its newest revision, or one revision. The ID in the result leads to the same
 * revision again, whatever is stored later. Throws scenario_not_found, scenario_deleted.
 */
async function chooseScenario(
  database: Database,
  id: string,
): Promise<{ scenario: Scenario; revisionId: string | null }> {
  const ours = builtIn.find((scenario) => scenario.id === id);
  if (ours !== undefined) return { scenario: ours, revisionId: null };
  const revision = await chooseRevision(database, id);
  return { scenario: { ...revision.scenario, id: revision.id }, revisionId: revision.id };
}

async function chooseRevision(database: Database, id: string): Promise<Revision> {
  return (await findRevision(database, id)) ?? newestRevision(database, id);
}

async function newestRevision(database: Database, id: string): Promise<Revision> {
  const record = await findScenario(database, id);
  if (record === null) throw problem('scenario_not_found', `No scenario has the id "${id}".`);
  if (record.deletedAt !== null)
    throw problem('scenario_deleted', `The scenario “${record.name}” was deleted.`);
  const revision = await findNewestRevision(database, id);
  if (revision === null) throw new Error(`the scenario ${id} has no revision`);
  return revision;
}

function newRevision(number: number, { origin }: ScenarioDraft): RevisionLine {
  return { id: newPermalinkId(), number, createdAt: Date.now(), origin };
}

/** An id in the scenario would be somebody else's. */
function contentOf(
  { scenario: { id: _, ...scenario }, site, actions, unsupported }: ScenarioDraft,
  before: Pick<RevisionContent, 'site' | 'actions' | 'unsupported'>,
): RevisionContent {
  return {
    scenario,
    site: site === undefined ? before.site : site,
    actions: actions ?? before.actions,
    unsupported: unsupported ?? before.unsupported,
    secrets: secretsOf(scenario),
  };
}

/**
 * Throws invalid_request, naming the fields, for what the form of a scenario cannot show. What compiles a scenario is loaded with the
 * first one.
 */
async function demandSound(scenario: Scenario): Promise<void> {
  const { scenarioProblems } = await import('../../intake/scenario/scenario-problems.ts');
  const problems = scenarioProblems(scenario);
  const [first] = problems;
  if (first === undefined) return;
  const errors = problems.map(({ path, message }) => ({ field: `scenario.${path}`, message }));
  throw problem('invalid_request', { detail: `scenario.${first.path}: ${first.message}`, errors });
}

/**
 * The scenario of a request, with the steps that are switched on and names in place of secrets, and the revision it is
 * stored as. Throws scenario_not_found, scenario_deleted, secret_missing, and invalid_request, naming the fields, for
 * what the form of a scenario cannot show.
 *
 * @param asked an id or a scenario
 */
export async function runnableScenario(
  database: Database,
  asked: string | Scenario,
  secrets: SecretValues,
): Promise<{ scenario: Scenario; revisionId: string | null }> {
  const chosen =
    typeof asked === 'string'
      ? await chooseScenario(database, asked)
      : { scenario: withoutId(asked), revisionId: null };
  await demandSound(chosen.scenario);
  demandSecrets(chosen.scenario, secrets);
  return { ...chosen, scenario: enabledSteps(chosen.scenario) };
}

function withoutId({ id: _, ...scenario }: Scenario): Scenario {
  return scenario;
}

function demandSecrets(scenario: Scenario, values: SecretValues): void {
  const problems = secretProblems(scenario, values);
  if (problems.length === 0) return;
  const errors = problems.map(({ name, message }) => ({ field: `secrets.${name}`, message }));
  const sentence = `${problems.map(({ message }) => message).join('; ')}.`;
  throw problem('secret_missing', {
    detail: sentence.replace(/^./, (letter) => letter.toUpperCase()),
    errors,
  });
}
