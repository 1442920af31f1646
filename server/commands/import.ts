import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { type ImportReport, importFormatSchema, trafficChoicesSchema } from '../../shared/import.ts';
import { problem, problemOfIssues } from '../../shared/problem.ts';
import { importFile } from '../import/apart/import-file.ts';
import type { ImportFacts } from '../import/import-stream.ts';
import { printImport } from './print-import.ts';
import { type ReplayOptions, replayImport } from './replay-import.ts';
import { readSecrets } from './secret-options.ts';
import { withDashboard } from './with-dashboard.ts';

export const importHelp = `Usage: npx tls-toll import FILE [OPTIONS]

Makes a scenario of a HAR, a Playwright test, a recording of Chrome's DevTools, curl commands or a scenario in JSON, and
prints it with what could not be taken over. Pasted code is read, never executed. Secrets are replaced by \${secret:name}.

  --as FORMAT         har, playwright, devtools, curl or json; found out when left out
  --name NAME         of the scenario (the name of the file or the test)
  --static            keep style sheets, scripts, pictures, fonts and media
  --third-parties     keep requests to other hosts; they go to the target
  --think-time SCALE  1 keeps the pauses (the default), 0.5 halves them, 0 removes them
  --replay            do the actions of a test or a DevTools recording in a browser, for the requests that they send
  --at WHERE          origin to replay them at, or storefront (where they are written for)
  --secret NAME=VARIABLE  value of a secret of the actions, in that environment variable; may be given several times
  --save              store it among the scenarios of the dashboard, and print where
  --json              print scenario, actions, unsupported [{line, reason}], correlations and secrets

Exit code: 0 imported, 2 refused, 1 failed.
`;

export async function importScenario(args: string[]): Promise<number> {
  const { path, facts, json, save, replay } = parseImport(args);
  const read = await importFile(path, facts);
  const report =
    replay === null ? read : await withDashboard((api) => replayImport(api, read, { ...facts, ...replay }));
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : printImport(report));
  if (!json) printUnsupported(report);
  if (save) await saveImport(report);
  return 0;
}

/** Through the dashboard that runs on the data directory, or through a server that is started for it. */
async function saveImport({ scenario, actions, unsupported }: ImportReport): Promise<void> {
  if (scenario === null) {
    throw problem('import_unreadable', 'There is no request in it that a scenario could be made of.');
  }
  await withDashboard(async (api) => {
    const { id, revision } = await api.saveScenario({ scenario, origin: 'import', actions, unsupported });
    process.stderr.write(`Stored: /scenarios/${id} (this revision: /s/${revision?.id})\n`);
    process.stderr.write(`npx tls-toll compare --scenario ${id}\n`);
  });
}

function printUnsupported({ unsupported }: ImportReport): void {
  for (const { line, reason } of unsupported) {
    process.stderr.write(line === null ? `${reason}\n` : `${line}: ${reason}\n`);
  }
}

/** Throws invalid_arguments. */
export function parseImport(args: string[]): {
  path: string;
  facts: ImportFacts;
  json: boolean;
  save: boolean;
  /** Null: the actions are only read. */
  replay: Pick<ReplayOptions, 'at' | 'secrets'> | null;
} {
  const { values, positionals } = readOptions(args);
  const [path, another] = positionals;
  if (path === undefined) throw problem('invalid_arguments', 'import needs the name of a file.');
  if (another !== undefined)
    throw problem('invalid_arguments', `import takes one file, so not ${another} as well.`);
  const format = importFormatSchema.optional().safeParse(values.as);
  if (!format.success) {
    throw problem(
      'invalid_arguments',
      `--as: "${values.as}" is none of ${importFormatSchema.options.join(', ')}.`,
    );
  }
  const choices = trafficChoicesSchema.safeParse({
    staticFiles: values.static,
    thirdParties: values['third-parties'],
    thinkTimeScale: values['think-time'] === undefined ? undefined : Number(values['think-time']),
  });
  if (!choices.success) throw problemOfIssues('invalid_arguments', choices.error, 'The arguments');
  const name = values.name ?? basename(path).replace(/\.\w+$/, '');
  return {
    path,
    facts: { name, format: format.data, choices: choices.data },
    json: values.json ?? false,
    save: values.save ?? false,
    replay:
      values.replay === true ? { at: values.at ?? null, secrets: readSecrets(values.secret ?? []) } : null,
  };
}

function readOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        as: { type: 'string' },
        name: { type: 'string' },
        static: { type: 'boolean' },
        'third-parties': { type: 'boolean' },
        'think-time': { type: 'string' },
        json: { type: 'boolean' },
        save: { type: 'boolean' },
        replay: { type: 'boolean' },
        at: { type: 'string' },
        secret: { type: 'string', multiple: true },
      },
    });
  } catch (error) {
    throw problem('invalid_arguments', `${error instanceof Error ? error.message : error}`);
  }
}
