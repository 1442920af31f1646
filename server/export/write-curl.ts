import type { Extraction, Scenario, Step } from '../../shared/scenario.ts';
import { piecesOf } from './placeholders.ts';

/**
 * A scenario as commands for a POSIX shell, one a step. What a step takes from a response is said in a comment, since
 * curl cannot: set the shell variable by hand. Secrets are shell variables as well.
 */
export function writeCurl(scenario: Scenario, origin: string): string {
  const commands = scenario.steps.map((step) => commandOf(step, origin, scenario.cookies));
  return `# ${oneLine(scenario.name)}\n\n${commands.join('\n\n')}\n`;
}

function commandOf(step: Step, origin: string, cookies: boolean): string {
  const parts = [
    `curl ${word(origin + step.path)}`,
    ...(step.method === 'GET' ? [] : step.method === 'HEAD' ? ['-I'] : [`-X ${step.method}`]),
    ...Object.entries(step.headers).map(([name, value]) => `-H ${word(`${name}: ${value}`)}`),
    // Without it curl would name the type of a form.
    ...(step.body !== undefined && !('content-type' in step.headers) ? ["-H 'content-type:'"] : []),
    ...(step.body === undefined ? [] : [`--data-raw ${word(step.body)}`]),
    ...(cookies ? ['-b cookies.txt -c cookies.txt'] : []),
  ];
  const comments = [`# ${oneLine(step.name)}: expects ${step.expectStatus}`, ...step.extract.map(describe)];
  return [...comments, parts.join(' \\\n  ')].join('\n');
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
function word(text: string): string {
  const pieces = piecesOf(text).map((piece) =>
    piece.kind === 'text' ? `'${piece.text.replaceAll("'", "'\\''")}'` : `"$${piece.text}"`,
  );
  return pieces.length === 0 ? "''" : pieces.join('');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
