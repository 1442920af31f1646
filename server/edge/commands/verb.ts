import { Command, type CommanderError } from '@commander-js/extra-typings';
import { problem, renamed } from '../../../shared/base/problem.ts';

/** The command line of a verb. Parsing throws invalid_arguments, or a CommanderError once it has shown the help or the version. */
export function verb(name: string) {
  const command = new Command(`npx tls-toll ${name}`.trimEnd());
  return command
    .helpOption('-h, --help', 'Show this help')
    .addHelpText('after', () => {
      const judges = command.options.some(({ long }) => long === '--fail-if');
      return `\nExit codes: 0 finished, 1 failed or canceled, 2 refused${judges ? ', 3 a --fail-if condition holds' : ''}.`;
    })
    .configureOutput({ outputError: () => {} })
    .exitOverride((error) =>
      throwMistake(
        error,
        command.options.map(({ long }) => long),
      ),
    );
}

function throwMistake(error: CommanderError, flags: readonly (string | undefined)[]): never {
  if (/^commander\.(help|version)/.test(error.code)) throw error;
  // commander prints an InvalidArgumentError like this: error: option '--rounds <n>' argument '0' is invalid. a whole number
  const [before = '', after = ''] = error.message.split("' argument '");
  const [value, taken] = after.split("' is invalid. ");
  const sentence =
    taken === undefined
      ? sentenceOf(error.message, flags)
      : `${/--[\w-]+/.exec(before)?.[0]} takes ${taken}, not "${value}".`;
  throw problem('invalid_arguments', sentence);
}

/** `error: unknown option '--prest'\n(Did you mean --preset?)` as a sentence, or two. */
function sentenceOf(message: string, flags: readonly (string | undefined)[]): string {
  const [fact = '', suggestion] = message
    .replace(/^error: (.)/, (_, first) => first.toUpperCase())
    .split('\n');
  const now = `--${renamed.get(/^Unknown option '--([\w-]+)'/.exec(fact)?.[1] ?? '')}`;
  if (flags.includes(now)) return `${fact}. Use ${now}.`;
  return `${fact.replace(/\.?$/, '.')}${suggestion === undefined ? '' : ` ${suggestion.replace(/^\((.*)\)$/, '$1')}`}`;
}

/** For an option that may be given several times. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}
