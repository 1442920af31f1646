import { headerLines, headerValues } from '../../../shared/scenario/header-lines.ts';
import type { Extraction, Scenario, Step } from '../../../shared/scenario/scenario.ts';
import { contentTypeOf, fillOrigin } from '../scenario/compiled-script.ts';
import { namesIn, parseTemplate } from '../scenario/template.ts';
import { type Place, placeOfBody, sentSecrets } from './written-values.ts';

/**
 * A scenario as commands for a POSIX shell, one a step. What a step takes from a response is said in a comment, since
 * curl cannot: set the shell variable by hand. Secrets are shell variables as well. A function at the top writes their values as
 * the place where they stand needs it; it is left out when nothing uses it. A secret or a value taken that is not set ends the
 * script by its name. What else is lost is said at the top.
 */
export function writeCurl(written: Scenario, origin: string): string {
  const scenario = fillOrigin(written, origin);
  const taken = new Set(scenario.steps.flatMap(({ extract }) => extract.map(({ variable }) => variable)));
  const commands = scenario.steps
    .map((step) => commandOf(step, { origin, cookies: scenario.cookies, taken }))
    .join('\n\n');
  const functions = Object.entries(encoders).flatMap(([name, body]) =>
    commands.includes(`$(${name} `) ? [`${name}() { ${body}; }`] : [],
  );
  const parts = [
    `# ${oneLine(scenario.name)}${lostIn(scenario)}`,
    ...functions,
    ...firstRow(scenario, commands),
    ...demandLines(sentSecrets(scenario)),
    commands,
  ];
  return `${parts.join('\n\n')}\n`;
}

function lostIn({ steps, data }: Scenario): string {
  const lost = [
    ...(steps.some(({ thinkTimeMs }) => thinkTimeMs > 0) ? ['pauses'] : []),
    ...(steps.some(({ checks }) => checks.length > 0) ? ['checks'] : []),
    ...((data?.rows.length ?? 0) > 1 ? ['all rows of data but the first'] : []),
  ];
  return lost.length === 0 ? '' : `\n# Not in these commands: ${lost.join(', ')}.`;
}

/** A visitor has one row; the first stands for all of them. */
function firstRow({ data }: Scenario, commands: string): string[] {
  if (data === null) return [];
  const values = data.columns.flatMap((column, index) =>
    commands.includes(`"$${column}"`) ? [`${column}=${quoted(data.rows[0]?.[index] ?? '')}`] : [],
  );
  return values.length === 0 ? [] : [[`# the first of ${data.rows.length} rows`, ...values].join('\n')];
}

/** Encoders for a value in an address or a form, and in a string of JSON, with tools that every POSIX system has. */
const encoders = {
  url_encoded: `printf %s "$1" | od -An -v -tx1 | tr -d '\\n' | tr ' ' %`,
  json_encoded: `printf %s "$1" | sed 's/["\\\\]/\\\\&/g'`,
};

/** An unset variable would be sent as nothing. Said before the command, because an encoder’s subshell cannot end the script. */
function demandLines(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [names.map((name) => `: "\${${name}:?is not set}"`).join('\n')];
}

type Writing = { origin: string; cookies: boolean; taken: ReadonlySet<string> };

function commandOf(step: Step, { origin, cookies, taken }: Writing): string {
  const parts = [
    `curl ${word(origin + step.path, 'path')}`,
    ...(step.method === 'GET' && step.body === undefined
      ? []
      : step.method === 'HEAD'
        ? ['-I']
        : [`-X ${step.method}`]),
    ...asItIs(step.path),
    ...headerLines(step.headers).map(([name, value]) => `-H ${word(headerOf(name, value), 'header')}`),
    // Without it curl would name the type of a form.
    ...(step.body !== undefined && contentTypeOf(step) === '' ? ["-H 'content-type:'"] : []),
    ...(step.body === undefined ? [] : [`--data-raw ${word(step.body, placeOfBody(step))}`]),
    ...(cookies ? ['-b cookies.txt -c cookies.txt'] : []),
  ];
  const comments = [`# ${oneLine(step.name)}: expects ${step.expectStatus}`, ...step.extract.map(describe)];
  return [
    ...comments,
    ...demandLines(variablesOf(step).filter((name) => taken.has(name))),
    parts.join(' \\\n  '),
  ].join('\n');
}

function variablesOf({ path, headers, body }: Step): string[] {
  return namesIn([path, ...headerValues(headers), body ?? ''], 'variable');
}

/** curl would take brackets for several addresses, and dots for a way up. */
function asItIs(path: string): string[] {
  return [
    ...(/[{}[\]]/.test(path) ? ['--globoff'] : []),
    ...(/\/\.{1,2}(?:[/?]|$)/.test(path) ? ['--path-as-is'] : []),
  ];
}

/** A header without a value ends with a semicolon: curl leaves it out otherwise. */
function headerOf(name: string, value: string): string {
  return value.trim() === '' ? `${name};` : `${name}: ${value}`;
}

function describe(extraction: Extraction): string {
  const { variable } = extraction;
  switch (extraction.from) {
    case 'header':
      return `# ${variable}: from the header ${extraction.name}`;
    case 'regex':
      return `# ${variable}: from the body by ${oneLine(extraction.pattern)}`;
    case 'json_path':
      return `# ${variable}: from the body at ${oneLine(extraction.path)}`;
    case 'hidden_input':
      return `# ${variable}: from the hidden input ${oneLine(extraction.name)}`;
  }
}

/** In single quotes, where a shell changes nothing; variables stand between them in double ones. */
function word(text: string, place: Place): string {
  const pieces = parseTemplate(text).map((part) =>
    part.type === 'text' ? quoted(part.text) : `"${encodedIn(place, part.text)}"`,
  );
  return pieces.length === 0 ? "''" : pieces.join('');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function encodedIn(place: Place, name: string): string {
  if (place === 'path' || place === 'form') return `$(url_encoded "$${name}")`;
  return place === 'json' ? `$(json_encoded "$${name}")` : `$${name}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
