import { type ParseError, type ParserOptions, parse } from '@babel/parser';
import type { Program } from '@babel/types';
import { problem } from '../../../../shared/base/problem.ts';
import type { Unsupported } from '../../../../shared/scenario/recording.ts';

const mostRepairs = 20;
/** In characters, of all attempts together: a large text with many broken lines is given up sooner. */
const mostParsed = 3_000_000;
const options: ParserOptions = {
  sourceType: 'module',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  errorRecovery: true,
  plugins: ['typescript', 'jsx'],
};

/**
 * The syntax tree of a text that may have broken lines: a line that stands in the way is blanked and named, so that the
 * others keep their numbers. Throws import_unreadable when that does not help.
 */
export function parseForgiving(text: string): { program: Program; unsupported: Unsupported[] } {
  const lines = text.split('\n');
  const unsupported: Unsupported[] = [];
  // A repair takes three attempts.
  const repairs = Math.min(mostRepairs, Math.floor(mostParsed / 3 / Math.max(1, text.length)));
  for (let repair = 0; repair <= repairs; repair++) {
    const result = tryParse(lines);
    if ('program' in result) return { program: result.program, unsupported };
    const line = lineToBlank(lines, result.line);
    unsupported.push({ line, reason: `This line could not be read: ${result.message}.` });
    lines[line - 1] = '';
  }
  throw problem(
    'import_unreadable',
    `Line ${unsupported[0]?.line ?? 1} and ${repairs} more are neither JavaScript nor TypeScript.`,
  );
}

type Result = { program: Program } | { line: number; message: string };

function tryParse(lines: string[]): Result {
  try {
    return { program: parse(lines.join('\n'), options).program };
  } catch (error) {
    if (error instanceof RangeError) {
      throw problem('import_unreadable', 'The test is nested too deeply to be read.');
    }
    const { loc, message } = error as ParseError & Error;
    if (!(error instanceof SyntaxError) || loc === undefined) throw error;
    return { line: Math.min(loc.line, lines.length), message: message.replace(/ \(\d+:\d+\)$/, '') };
  }
}

/** The parser often stumbles in the line after the broken one: the one whose absence lets it come further is meant. */
function lineToBlank(lines: string[], stumbled: number): number {
  const before = lines.slice(0, stumbled - 1).findLastIndex((line) => line.trim() !== '') + 1;
  if (before === 0) return stumbled;
  return reach(lines, before) > reach(lines, stumbled) ? before : stumbled;
}

function reach(lines: string[], without: number): number {
  const result = tryParse(lines.with(without - 1, ''));
  return 'program' in result ? Number.POSITIVE_INFINITY : result.line;
}
