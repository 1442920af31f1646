import type { HeaderLine } from '../../../shared/scenario/header-lines.ts';
import type { Extraction, Step } from '../../../shared/scenario/scenario.ts';
import { parseTemplate } from '../scenario/template.ts';
import { asJavaScript, encodedAt, type Place, quote } from './placeholders.ts';

/** What a script in JavaScript sends, over its records `variables` and `secrets`. */
export function textInScript(value: string, place: Place): string {
  return asJavaScript(parseTemplate(value), ({ type, text }) =>
    encodedAt(place, type === 'secret' ? `secrets[${quote(text)}]` : `variables[${quote(text)}]`),
  );
}

/**
 * The headers of a step for a client that sends each name once: several values as one, which means the same. Source: RFC 9110,
 * 5.3, and RFC 6265, 5.4 for cookies.
 */
export function joinedHeaders({ headers }: Step): HeaderLine[] {
  return Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : value.join(name.toLowerCase() === 'cookie' ? '; ' : ', '),
  ]);
}

export function headerEntries(step: Step): string[] {
  return joinedHeaders(step).map(([name, value]) => `${quote(name)}: ${textInScript(value, 'header')}`);
}

/** A function of the script that turns a value of a response into text. If there is no value, `fail` ends the script. */
export function foundLines(given: string, type: string, fail: (text: string) => string): string[] {
  return [
    '',
    `function found(${given})${type} {`,
    `  if (value === undefined || value === null) ${fail('"The response has no value for " + name + "."')};`,
    "  return typeof value === 'string' ? value : JSON.stringify(value);",
    '}',
  ];
}

/** Lines that store what a step takes from its response. */
export function takenLines({ extract }: Step, takenBy: (extraction: Extraction) => string): string[] {
  return extract.map((extraction) => {
    const name = quote(extraction.variable);
    return `variables[${name}] = found(${name}, ${takenBy(extraction)});`;
  });
}
