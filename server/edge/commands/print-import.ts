import type { ImportReport, LeftOut, Secret } from '../../../shared/scenario/import.ts';

/** An import as text for a terminal: the steps, what was left out, and what there is to decide. */
export function printImport(report: ImportReport): string {
  const { scenario, actions, leftOut, correlations, secrets, notes } = report;
  const lines: string[] = [];
  if (scenario === null) lines.push('No requests found. Use --replay to capture them in a browser.');
  else {
    lines.push(`${scenario.name}: ${count(scenario.steps.length, 'step')}`);
    for (const [index, { method, path, expectStatus, thinkTimeMs }] of scenario.steps.entries()) {
      const pause = thinkTimeMs === 0 ? '' : `, after ${(thinkTimeMs / 1000).toFixed(1)} s`;
      lines.push(`  ${index + 1}. ${method} ${path} (${expectStatus}${pause})`);
    }
  }
  if (actions.length > 0) lines.push(`Browser: ${count(actions.length, 'action')}`);
  for (const left of leftOut) lines.push(describeLeftOut(left));
  for (const { extract, step, uses, accepted } of correlations) {
    const where = uses.map((use) => `${use.place} ${use.name} of step ${use.step + 1}`).join(', ');
    const verb = accepted ? 'Extracted' : 'Could be extracted';
    lines.push(`${verb} from the response of step ${step + 1}: \${${extract.variable}} for ${where}`);
  }
  for (const secret of secrets) lines.push(describeSecret(secret));
  return `${[...lines, ...notes].join('\n')}\n`;
}

function describeSecret({ name, why, declined }: Secret): string {
  if (declined) return `Kept as it is: ${name} (${why})`;
  const hint = declined === false ? `; --not-secret ${name} keeps its value` : '';
  return `Secret: \${secret:${name}} (${why})${hint}`;
}

function describeLeftOut({ reason, count: number, what }: LeftOut): string {
  return reason === 'static_file'
    ? `Left out: ${count(number, 'static file')} (${what.join(', ')}); --static keeps them`
    : `Left out: ${count(number, 'request')} to other hosts (${what.join(', ')}); --third-parties keeps them`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
