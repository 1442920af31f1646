import type { SideName } from './transport.ts';

/**
 * An option of a measurement, as data: the schema of its request, its flag and help on the command line, its field, the command that
 * repeats it, and its documentation are all derived from one entry. Without Zod, because the first page sets up no schema.
 */
export type Option = Words & Typed;

type Words = {
  /** What it is called over its field and in lists of facts: a noun. */
  label: string;
  /** What it does, for `--help`, the documentation and the API. What is typed stands in backticks, and pages may be linked. */
  help: string;
  /** Under its field, where that is not the help; null for nothing. */
  hint?: string | null;
  /** What applies where no value is given, if its default does not say it. */
  usual?: string;
  /** Heading under which it stands, in `--help` and on the form. */
  group: string;
  /** Of the command line; made of its name if left out. Null for one that a verb reads in words of its own. */
  flag?: `--${string}` | null;
  /** It is given without a flag, as one of the words of the command. */
  positional?: true;
  /** What the flag takes, as in `--window <ms>`; made of its type if left out. */
  takes?: string;
  /** It counts only while another option of its table has this value, or any but this one. */
  when?: { option: string; is: string } | { option: string; isNot: string };
  /** The baseline and the comparison may differ by it. */
  perSide?: true;
  /** It is of TLS: where a side has none, the sides do not differ by it. */
  ofTls?: true;
  /** What sides are called that differ by it, by its values, where that is not the value itself. */
  sideNames?: Readonly<Record<string, string>>;
  /** In place of nothing in its field, where that is not `usual`. */
  placeholder?: string;
  /** False for one whose field a screen draws by itself, or that has none. */
  field?: false;
  /** Part of the command that repeats a measurement even when it has its default. */
  spelledOut?: true;
  /** What is planned is worked out from it. Any other option stands in the plan as it was asked for. */
  workedOut?: true;
};

/** One value of a list: without words of its own. */
export type Item = Extract<Typed, { type: 'whole' | 'choice' | 'text' | 'flag' }>;

export type Typed =
  | { type: 'whole'; min: number; max: number; unit?: string; default?: number | null }
  /** `above` excludes itself, `min` does not. With a `scale`, people type the value divided by it, in `unit`. */
  | ({ type: 'number'; max: number; unit?: string; scale?: number; default?: number | null } & (
      | { min: number }
      | { above: number }
    ))
  /** 0.05 on the command line and in a request, 5 % for people. */
  | { type: 'share'; min: number; max: number; default: number | null }
  | {
      type: 'choice';
      choices: readonly string[];
      /** As a field offers them, and lists of facts name them; the choices themselves if left out. */
      labels?: Readonly<Record<string, string>>;
      /** As the command line takes them, if it is not by their names. */
      words?: Readonly<Record<string, string>>;
      /** In a list that may hold null: what the command line calls it. */
      none?: string;
      default?: string | null;
    }
  | {
      type: 'text';
      pattern?: RegExp;
      /** What the pattern asks for, as in “takes one name, such as X25519”. */
      taken: string;
      suggestions?: readonly string[];
      /** What fields call the suggestions, where that is not their names. */
      labels?: Readonly<Record<string, string>>;
      /** In a list that may hold null: what the command line calls it. */
      none?: string;
      /** Of a request that holds more than the text. */
      print?: (value: never) => string;
      default?: string | null;
    }
  | {
      type: 'flag';
      default: boolean;
      /** What the flag of the command line does, if that switches it off. */
      offHelp?: string;
      /** What on and off are called, where people choose between the two. */
      labels?: Readonly<Record<'true' | 'false', string>>;
    }
  | {
      type: 'list';
      item: Item;
      /** How many values; one if left out. */
      min?: number;
      most: number;
      /** No value comes twice. */
      distinct?: true;
      /** It is kept in this order. */
      ascending?: true;
      unit?: string;
      /** How the command that repeats it has them: with commas, with spaces, or each with a flag of its own. */
      written?: 'commas' | 'words' | 'flags';
      /** What stands between two of them; commas and spaces if left out. */
      between?: RegExp;
      /** Its field is a box to tick for each value that is known; otherwise, of so many lines, or one. */
      ticked?: boolean;
      lines?: number;
      default?: readonly unknown[] | null;
    };

export type Options = Readonly<Record<string, Option>>;
export type OptionOf<Type extends Option['type']> = Extract<Option, { type: Type }>;

/** An option and where a request has it: `tls.version`, `pairUsers`. */
export type PlacedOption = {
  id: string;
  /** Of the part of the request that has it; null for the request itself. */
  part: string | null;
  name: string;
  option: Option;
  /** Of one side alone. */
  side?: SideName;
};

export function placeOptions(part: string | null, options: Options): PlacedOption[] {
  return Object.entries(options).map(([name, option]) => ({
    ...{ id: part === null ? name : `${part}.${name}`, part, name, option },
  }));
}

/** Those that may differ by side, as one side's own. */
export function placeOnSide(side: SideName, options: readonly PlacedOption[]): PlacedOption[] {
  return options
    .filter(({ option }) => option.perSide === true)
    .map((placed) => {
      const part = `sides.${side}${placed.part === null ? '' : `.${placed.part}`}`;
      return { ...placed, id: `${part}.${placed.name}`, part, side };
    });
}

/** Values by the ids of their options, as a request has them. */
export function nestValues(values: Iterable<readonly [PlacedOption, unknown]>): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  for (const [{ part, name }, value] of values) {
    let place = request;
    for (const key of part?.split('.') ?? []) {
      place[key] ??= {};
      place = place[key] as Record<string, unknown>;
    }
    place[name] = value;
  }
  return request;
}

/** What a request has of an option; undefined for nothing. */
export function valueIn(request: object, { part, name }: PlacedOption): unknown {
  let place: unknown = request;
  for (const key of part?.split('.') ?? []) place = (place as Record<string, unknown> | undefined)?.[key];
  return (place as Record<string, unknown> | undefined)?.[name];
}

/** Whether an option counts. @param other value of the one that its `when` names */
export function isCounting({ when }: Pick<Option, 'when'>, other: unknown): boolean {
  if (when === undefined) return true;
  return 'is' in when ? String(other) === when.is : String(other) !== when.isNot;
}

/** The headings and what stands under each, in the order of the table. */
export function groupOptions(options: readonly PlacedOption[]): [group: string, options: PlacedOption[]][] {
  return [...Map.groupBy(options, ({ option }) => option.group)];
}
