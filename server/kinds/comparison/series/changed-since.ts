import { printNumber } from '../../../../shared/base/quantity.ts';
import type { SetupDifference } from '../../../../shared/kinds/comparison/result-changes.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import { serversOf } from '../../../../shared/kinds/comparison/servers-of-sides.ts';
import type { ExplainDocument } from '../../../../shared/kinds/explain/explain.ts';
import { each, negotiatedInFull } from './setup-differences.ts';

/** What the target and its machine were in the run, and are no longer. What one of them does not know is left out. */
export function changedSince(run: RunDocument, explain: ExplainDocument): SetupDifference[] {
  const facts: Row[] = [
    ...serverFacts(run, explain),
    ['Negotiated TLS', negotiatedOf(run.tls.comparison.negotiated), negotiatedOf(explain.negotiated)],
    ...machineFacts(run, explain),
  ];
  return facts.flatMap(([name, from, to]) =>
    from === null || to === null || from === to ? [] : [{ name, from, to }],
  );
}

type Server = ExplainDocument['server'];
type Row = [name: string, from: string | null, to: string | null];

function serverFacts(run: RunDocument, explain: ExplainDocument): Row[] {
  const [before, now] = [serversOf<Server>(run), serversOf(explain)];
  const versions = (servers: readonly Server[]) =>
    each(servers.flatMap(({ title, version }) => (version === null ? [] : `${title} ${version}`))) || null;
  const libraries = (servers: readonly Server[]) =>
    each(servers.flatMap(({ tlsLibrary }) => tlsLibrary ?? [])) || null;
  return [
    ['Server', versions(before), versions(now)],
    ['TLS library', libraries(before), libraries(now)],
    ...configurationFacts(linesOf(before), linesOf(now)),
  ];
}

/** The first line that is another one. */
function configurationFacts(before: readonly string[], now: readonly string[]): Row[] {
  if (before.length === 0 || now.length === 0) return [];
  const at = Array.from({ length: Math.max(before.length, now.length) }).findIndex(
    (_, line) => before[line] !== now[line],
  );
  return at < 0 ? [] : [['Configuration', before[at] ?? 'no such line', now[at] ?? 'no such line']];
}

/** Of all files of both sides. Ports and directories are new with each launch. */
function linesOf(servers: readonly Server[]): string[] {
  const files = servers.flatMap(({ files = [] }) => files.filter(({ arm }) => arm !== 'twin'));
  return files
    .toSorted((one, other) => one.arm.localeCompare(other.arm) || one.name.localeCompare(other.name))
    .flatMap(({ text }) => text.split('\n'))
    .map((line) =>
      line
        .replace(/[^\s"':;]+/g, (word) => word.replace(/^.*\/tls-toll-server-\w+/, '…'))
        .replace(/\b[3-6]\d{4}\b/g, '…')
        .trim(),
    );
}

function negotiatedOf(negotiated: RunDocument['tls']['comparison']['negotiated']): string | null {
  return negotiated === null ? null : negotiatedInFull(negotiated);
}

function machineFacts(run: RunDocument, explain: ExplainDocument): Row[] {
  const [before, now] = [run.environment, explain.environment];
  const machine = (environment: RunDocument['environment']) =>
    `${environment.cpuModel}, ${printNumber(environment.cores, 0)} cores`;
  return [
    [
      'Machine',
      'the one of the run',
      before.machine === now.machine ? 'the one of the run' : 'another one, or started anew',
    ],
    ['Runner', before.runner?.name ?? 'this server', now.runner?.name ?? 'this server'],
    ['CPU', machine(before), machine(now)],
    ['Kernel', before.kernel, now.kernel],
    ['TLS Toll', before.product, now.product],
  ];
}
