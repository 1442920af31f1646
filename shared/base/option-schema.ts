import { z } from 'zod';
import { type Item, type Option, type OptionOf, plainHelp, takenBy } from './option.ts';

/** Schemas of options, made of their entries. */

type Exact<Each> = Each extends { type: 'whole' }
  ? z.ZodInt
  : Each extends { type: 'number' | 'share' }
    ? z.ZodNumber
    : Each extends { type: 'choice'; choices: readonly (infer Choice extends string)[] }
      ? z.ZodEnum<{ [Name in Choice]: Name }>
      : Each extends { type: 'flag' }
        ? z.ZodBoolean
        : Each extends { type: 'list'; item: infer One }
          ? z.ZodArray<One extends { none: string } ? z.ZodNullable<Exact<One>> : Exact<One>>
          : z.ZodString;

type WithDefault<Each> = Each extends { default: infer Default }
  ? Default extends null
    ? z.ZodDefault<z.ZodNullable<Exact<Each>>>
    : z.ZodDefault<Exact<Each>>
  : z.ZodOptional<Exact<Each>>;

/** Schemas of the options' values, for complete data without defaults. */
export function exactSchemas<const Table extends Record<string, Option>>(
  table: Table,
): { [Name in keyof Table]: Exact<Table[Name]> } {
  return mapTable(table, exactSchema) as { [Name in keyof Table]: Exact<Table[Name]> };
}

/** Options that stand in a plan as they were asked for. */
type AsAsked<Table> = {
  [Name in keyof Table as Table[Name] extends { workedOut: true } ? never : Name]: Table[Name];
};

export function asAsked<const Table extends Record<string, Option>>(table: Table): AsAsked<Table> {
  return Object.fromEntries(
    Object.entries(table).filter(([, { workedOut }]) => workedOut !== true),
  ) as AsAsked<Table>;
}

/** Schemas of the options in a request: an omitted option has its default. */
export function requestSchemas<const Table extends Record<string, Option>>(
  table: Table,
): { [Name in keyof Table]: WithDefault<Table[Name]> } {
  return mapTable(table, requestSchema) as { [Name in keyof Table]: WithDefault<Table[Name]> };
}

/** Options that may differ by side. */
type PerSide<Table> = {
  [Name in keyof Table as Table[Name] extends { perSide: true } ? Name : never]: Table[Name];
};

type OfSide<Each> = Each extends { default: null }
  ? z.ZodOptional<z.ZodNullable<Exact<Each>>>
  : z.ZodOptional<Exact<Each>>;

/** Schemas of the options that may differ by side, for a side's own values. */
export function sideSchemas<const Table extends Record<string, Option>>(
  table: Table,
): { [Name in keyof PerSide<Table>]: OfSide<PerSide<Table>[Name]> } {
  const perSide = Object.fromEntries(Object.entries(table).filter(([, option]) => option.perSide === true));
  return mapTable(perSide, (option) => {
    const exact = exactSchema(option);
    return describe(option, (option.default === null ? exact.nullable() : exact).optional());
  }) as { [Name in keyof PerSide<Table>]: OfSide<PerSide<Table>[Name]> };
}

function mapTable(table: Record<string, Option>, schemaOf: (option: Option) => z.ZodType) {
  return Object.fromEntries(Object.entries(table).map(([name, option]) => [name, schemaOf(option)]));
}

function requestSchema(option: Option): z.ZodType {
  const exact = exactSchema(option);
  return describe(option, withDefault(option, exact));
}

function withDefault(option: Option, exact: z.ZodType): z.ZodType {
  if (option.default === undefined) return exact.optional();
  // A list would be shared by all who get it.
  const { default: usual } = option;
  if (usual === null) return exact.nullable().default(null);
  return exact.default(Array.isArray(usual) ? () => [...usual] : usual);
}

/** Gives a schema the description of its option, which the OpenAPI document shows. */
export function describe<Schema extends z.ZodType>({ help, usual }: Option, schema: Schema): Schema {
  const left = usual === undefined ? '' : ` Without a value: ${usual}.`;
  return schema.meta({ description: `${plainHelp(help)}.${left}` });
}

function exactSchema(option: Option): z.ZodType {
  return option.type === 'list' ? listSchema(option) : itemSchema(option, option.label);
}

function listSchema({ item, label, min = 1, most, distinct, ascending }: OptionOf<'list'>): z.ZodType {
  const one = itemSchema(item, label);
  const list = z
    .array('none' in item ? one.nullable() : one)
    .min(min)
    .max(most);
  const unique = distinct
    ? list.refine((values) => new Set(values).size === values.length, 'values must be unique')
    : list;
  return ascending ? unique.overwrite((values) => values.toSorted((a, b) => Number(a) - Number(b))) : unique;
}

function itemSchema(option: Exclude<Option, OptionOf<'list'>> | Item, label: string): z.ZodType {
  switch (option.type) {
    case 'whole':
      return z.int().min(option.min).max(option.max);
    case 'share':
      return z.number().min(option.min).max(option.max);
    case 'number':
      return 'above' in option
        ? z.number().gt(option.above).max(option.max)
        : z.number().min(option.min).max(option.max);
    case 'choice':
      return z.enum(option.choices as [string, ...string[]]);
    case 'flag':
      return z.boolean();
    case 'text':
      return z.string().regex(option.pattern ?? /./, `a ${label.toLowerCase()} is ${takenBy(option)}`);
  }
}
