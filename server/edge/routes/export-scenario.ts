import { problem } from '../../../shared/base/problem.ts';
import { isDoneByHand } from '../../../shared/scenario/browser-actions.ts';
import { actionProblems, exportProblems } from '../../../shared/scenario/export-problems.ts';
import type { ExportFormat, StoredScenario } from '../../../shared/scenario/stored-scenario.ts';
import { moveActions } from '../../intake/export/move-actions.ts';
import { writeCurl } from '../../intake/export/write-curl.ts';
import { writeScenarioHar } from '../../intake/export/write-har.ts';
import { writeK6Script } from '../../intake/export/write-k6-script.ts';
import { writePlaywrightRequests } from '../../intake/export/write-playwright-requests.ts';
import { writePlaywrightTest } from '../../intake/export/write-playwright-test.ts';
import { writeScenario } from '../../intake/export/write-scenario.ts';
import { enabledSteps } from '../../intake/scenario/enabled-steps.ts';
import type { TextFile } from './endpoint.ts';

/** A host that cannot exist: whoever runs the export names the real one. */
const nowhere = 'http://target.invalid';

/** A scenario in another tool's language. @param origin where its requests go; left out: where it was recorded, or nowhere. Secrets stay names; steps that are switched off are in our own JSON only. */
export function exportScenario(
  stored: StoredScenario,
  format: ExportFormat,
  origin: string | undefined,
): TextFile {
  const host = origin?.replace(/\/+$/, '');
  const fileName = `${slug(stored.scenario.name)}${endings[format]}`;
  demandExportable(stored, format);
  const text = write(stored, format, host);
  return {
    text,
    fileName,
    mediaType: format === 'har' || format === 'json' ? 'application/json' : 'text/plain',
  };
}

/** Throws not_exportable: the script would check or take something else. */
function demandExportable({ scenario, actions }: StoredScenario, format: ExportFormat): void {
  const isTest = format === 'playwright' && isDoneByHand(actions);
  const problems = isTest ? actionProblems(actions) : exportProblems(scenario, format);
  if (problems.length > 0) throw problem('not_exportable', problems.join(' '));
}

function write(
  { scenario, actions, revision }: StoredScenario,
  format: ExportFormat,
  host: string | undefined,
): string {
  const sent = enabledSteps(scenario);
  const origin = host ?? nowhere;
  switch (format) {
    case 'playwright':
      return isDoneByHand(actions)
        ? writePlaywrightTest(scenario.name, host === undefined ? actions : moveActions(actions, host))
        : writePlaywrightRequests(sent, origin);
    case 'k6':
      return writeK6Script(sent, origin);
    case 'curl':
      return writeCurl(sent, origin);
    case 'har':
      return writeScenarioHar(scenario, origin, new Date(revision?.createdAt ?? 0).toISOString());
    case 'json':
      return writeScenario(scenario);
  }
}

const endings: Record<ExportFormat, string> = {
  playwright: '.spec.ts',
  k6: '.k6.js',
  curl: '.sh',
  har: '.har',
  json: '.json',
};

function slug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return plain === '' ? 'scenario' : plain;
}
