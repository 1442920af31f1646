import { problem } from '../../../../shared/problem.ts';
import { isBare, type Word } from './shell-command.ts';

/** Variables of the shell, as far as the text alone tells their values. */
export type Variables = {
  /** Undefined when the value is not certain. */
  get(name: string): string | undefined;
  /** Each name in the text may have another value from now on. */
  lose(text: string): void;
};

/** In characters, of all uses together: as much as the text itself may have. */
const mostFilledIn = 4 * 1024 * 1024;

/** Follows the variables that a text sets. One whose value depends on more than its plain assignments is unknown. */
export function openVariables() {
  const values = new Map<string, string>();
  /** Their assignments mean something else than they say: `declare -i`, `readonly`. */
  const special = new Set<string>();
  let isSplitOtherwise = false;
  let filledIn = 0;

  function lose(text: string): void {
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) values.delete(name);
  }

  return {
    /** Variables may contain one another, so a few lines can expand to more text than fits into memory. */
    get(name: string): string | undefined {
      const value = isSplitOtherwise ? undefined : values.get(name);
      filledIn += value?.length ?? 0;
      if (filledIn > mostFilledIn) {
        throw problem('import_unreadable', 'The variables in this text expand to more than 4 MiB.');
      }
      return value;
    },

    lose,

    loseAll: () => values.clear(),

    /** What `declare` and its like say of the names in a text. */
    declare(text: string): void {
      lose(text);
      for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) special.add(name);
    },

    /** @param isCertain whether the assignment is made once, here, and by this shell */
    assign(word: Word, isCertain: boolean): void {
      const { name = '', index, operator = '', length } = assignmentIn(word) ?? {};
      if (name === 'IFS') isSplitOtherwise = true;
      const value = word.text.slice(length);
      const before = operator === '+=' ? values.get(name) : '';
      const isPlain = index === undefined && !special.has(name) && !ownNames.test(name);
      if (isCertain && isPlain && before !== undefined && word.faults.length === 0)
        values.set(name, before + value);
      else values.delete(name);
    },
  };
}

/** The shell gives them values of its own. */
const ownNames =
  /^(?:_|RANDOM|SRANDOM|SECONDS|LINENO|E?UID|PPID|SHLVL|(?:OLD)?PWD|EPOCH\w+|BASH\w*|OPT\w+|HIST\w+)$/;

const assignment = /^([A-Za-z_]\w*)(\[[^\]=]*\])?(\+?=)/;

/** What a word sets: `name=`, `name+=` or `name[index]=`, outside of quotes. Null when it sets nothing. */
function assignmentIn(word: Word) {
  const [whole, name, index, operator] = assignment.exec(word.text) ?? [];
  if (whole === undefined || whole.length > word.bare) return null;
  return { name, index, operator, length: whole.length };
}

/** The name that a word sets; null when it sets none. */
export function assignedName(word: Word): string | null {
  return assignmentIn(word)?.name ?? null;
}

/** `name=~/x`, as the shell expands it, also in the words of a command. */
export function hasHome(word: Word): boolean {
  const set = assignmentIn(word);
  return set !== null && /(?:^|:)~/.test(word.text.slice(set.length, word.bare));
}

/** The assignments of a command that does nothing else, with `export` before them or without; null for any other command. */
export function assignmentsIn(words: readonly Word[]): readonly Word[] | null {
  const [first, ...rest] = words;
  const isNamed = isBare(first) && (first.text === 'export' || first.text === 'readonly');
  const set = isNamed ? rest : words;
  const isSetting = (word: Word) =>
    assignedName(word) !== null || (isNamed && isBare(word) && /^[A-Za-z_]\w*$/.test(word.text));
  return set.every(isSetting) ? set.filter((word) => assignedName(word) !== null) : null;
}
