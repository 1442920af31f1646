import { basename } from 'node:path';
import { exampleEndpoints } from '../../../shared/api/example-endpoints.ts';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { scenarioEndpoints } from '../../../shared/api/scenario-endpoints.ts';
import { documentEndpoints } from '../../../shared/api/session-endpoints.ts';
import { idInText } from '../../../shared/base/addresses.ts';
import { flagOf } from '../../../shared/base/option.ts';
import { problem } from '../../../shared/base/problem.ts';
import {
  type KnownTraffic,
  knownIn,
  knownNames,
  type TrafficBill,
  type TrafficRequest,
  trafficOfHar,
  trafficOfRun,
  trafficOfScenario,
  trafficOptions,
  trafficRequestSchema,
} from '../../../shared/kinds/prices/traffic.ts';
import { list, quantities, type Report, table, texts } from '../../../shared/report/report.ts';
import { trafficChoicesSchema } from '../../../shared/scenario/import.ts';
import { printBilled } from '../../../shared/words/precision-words.ts';
import { printMarkdown } from '../../base/text/report.ts';
import { printTerminal } from '../../base/text/terminal.ts';
import { importFile } from '../../intake/import/apart/import-apart.ts';
import { readText } from '../settings/token-file.ts';
import { type ApiClient, withDashboard } from './api-client.ts';
import { addOptions, problemOfOptions, readOptions } from './measure-kind.ts';
import { readAccessLog } from './traffic.ts';
import { verb } from './verb.ts';

/** By their options, as sentences name them. */
const sources = { run: 'run', scenario: 'scenario', har: 'HAR', log: 'log' } as const;
const sourceNames = Object.keys(sources) as (keyof typeof sources)[];

const options = addOptions(
  verb('bill').description(
    'Shows what a traffic costs over HTTP and HTTPS by a price list: cores, memory, bandwidth, latency, and money per month. Measures nothing.',
  ),
  trafficOptions,
)
  .argument('[list]', 'ID of a price list, or a link to it (default: the newest one, or the example)')
  .optionsGroup('The traffic, in part, from:')
  .option('--run <run>', 'A finished comparison: its ID, or a link to it')
  .option('--scenario <scenario>', 'A scenario: its ID, or a file')
  .option('--har <file>', 'A HAR')
  .option('--log <file>', 'An access log, also as .gz; - for standard input')
  .option('--log-format <format>', 'Its format, as traffic takes it (default: auto-detect)')
  .optionsGroup('Output:')
  .option('--json', 'Print JSON')
  .option('--markdown', 'Print a report in Markdown');

export async function bill(args: string[]): Promise<number> {
  const { list, source, given, format } = parseBill(args);
  const found = await withDashboard(async (api) => {
    const known = source === null ? null : await readSource(api, source);
    const body = requestOf(given, known, source === null ? '' : sources[source.name]);
    return api.call(documentEndpoints.billTraffic, { params: { id: list ?? (await findList(api)) }, body });
  });
  const prints = {
    json: () => `${JSON.stringify(found)}\n`,
    markdown: () => printMarkdown(reportBill(found)),
    terminal: () => printTerminal(reportBill(found)),
  };
  process.stdout.write(prints[format]());
  return 0;
}

type Source = { name: keyof typeof sources; text: string; format: string | null };

/** Throws invalid_arguments. */
export function parseBill(args: string[]) {
  const parsed = options.parse(args, { from: 'user' });
  const [list] = parsed.processedArgs;
  const values = parsed.opts();
  const named = sourceNames.filter((name) => values[name] !== undefined);
  if (named.length > 1)
    throw problem(
      'invalid_arguments',
      `Choose one of ${named.map((name) => `--${name}`).join(' and ')}: a traffic has one source.`,
    );
  if (values.json && values.markdown)
    throw problem('invalid_arguments', 'Choose one of --json and --markdown.');
  const [name] = named;
  return {
    list: list === undefined ? null : demandId(list, 'price list'),
    source:
      name === undefined ? null : { name, text: String(values[name]), format: values.logFormat ?? null },
    given: readOptions(parsed, trafficOptions),
    format: values.json ? ('json' as const) : values.markdown ? ('markdown' as const) : ('terminal' as const),
  };
}

function demandId(text: string, what: string): string {
  const id = idInText(text);
  if (id === null)
    throw problem('invalid_arguments', `"${text}" is not the ID of a ${what}, nor a link to one.`);
  return id;
}

async function findList(api: ApiClient): Promise<string> {
  const query = { kind: 'prices', state: 'finished', limit: '1' } as const;
  const { measurements } = await api.call(measurementEndpoints.listMeasurements, { query });
  const [newest] = measurements;
  if (newest !== undefined) return newest.id;
  const { examples } = await api.call(exampleEndpoints.listExamples);
  const example = examples.find(({ name }) => name === 'prices');
  if (example !== undefined) return example.id;
  throw problem('invalid_arguments', 'There is no price list. Measure one: npx tls-toll prices.');
}

async function readSource(api: ApiClient, { name, text, format }: Source): Promise<KnownTraffic> {
  if (name === 'har') return trafficOfHar(readText(text, '--har'));
  if (name === 'log') {
    const traffic = await readAccessLog(text, format);
    for (const sentence of traffic.lacks) process.stderr.write(`${sentence}\n`);
    return traffic;
  }
  if (name === 'scenario') return trafficOfScenario(await readScenario(api, text));
  const id = demandId(text, 'run');
  const document = await api.call(documentEndpoints.showMeasurement, { params: { id } });
  if (document.kind !== 'comparison')
    throw problem('invalid_arguments', '--run takes a comparison. That is a result of another kind.');
  return trafficOfRun(document);
}

async function readScenario(api: ApiClient, text: string) {
  const id = idInText(text);
  const facts = { name: basename(text), choices: trafficChoicesSchema.parse({}) };
  const { scenario } =
    id === null
      ? await importFile(text, facts)
      : await api.call(scenarioEndpoints.showScenario, { params: { id } });
  if (scenario === null) throw problem('invalid_arguments', `${text} contains no requests.`);
  return scenario;
}

/** The options that are given go before what the source knows, and what neither has is asked for. */
function requestOf(
  given: Record<string, unknown>,
  known: KnownTraffic | null,
  source: string,
): TrafficRequest {
  const traffic = { ...(known === null ? {} : knownIn(known)), ...(given.traffic as object | undefined) };
  const lacking = trafficOptions.filter(
    ({ part, name }) =>
      known !== null && part === 'traffic' && knownNames.some((each) => each === name) && !(name in traffic),
  );
  if (lacking.length > 0)
    throw problem(
      'invalid_arguments',
      `The ${source} does not say all of the traffic. Give ${new Intl.ListFormat('en-US').format(lacking.map(flagOf))}.`,
    );
  const request = trafficRequestSchema.safeParse({ ...given, traffic });
  if (!request.success) throw problemOfOptions(request.error, trafficOptions);
  return request.data;
}

function reportBill({ verdict, rows, sides, missing, limits, notIncluded, list: by }: TrafficBill): Report {
  return {
    title: verdict,
    lead: [],
    sections: [
      {
        id: 'bill',
        heading: 'Bill',
        parts: [
          table(
            [
              ...texts('Item'),
              ...quantities(
                [sides.baseline, 'first'],
                [sides.comparison, 'second'],
                ['Difference', 'difference'],
              ),
            ],
            rows.map((row) => [
              ['cores', '$'].includes(row.unit) ? row.title : `${row.title}, ${row.unit}`,
              ...[row.baseline, row.comparison, row.added].map((amount) =>
                amount === null ? null : printBilled(row, amount),
              ),
            ]),
          ),
        ],
      },
      {
        id: 'missing',
        heading: 'Missing prices',
        parts: [list(missing.map(({ item, why, remedy }) => `${item}: ${why} ${remedy}`))],
      },
      {
        id: 'limits',
        heading: 'Limits',
        parts: [list(limits.map(({ name, sentence }) => `${name}: ${sentence}`))],
      },
    ],
    about: [`Prices: ${by.title}, ${by.url}. Not included: ${notIncluded.join('; ')}.`],
    notes: [],
  };
}
