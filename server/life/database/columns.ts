import type { ColumnDefinitionBuilder } from 'kysely';

/** A column: its type in SQL, what else SQL is to know of it, and what queries read and write there. */
export type Column<Value> = {
  type: 'text' | 'integer' | 'bigint' | 'bytea';
  build(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** Only for the type. */
  value?: Value;
};

function column<Value>(
  type: Column<Value>['type'],
  build: Column<Value>['build'] = (column) => column.notNull(),
): Column<Value> {
  return { type, build };
}

function orNull<Value>(
  { type }: Column<Value>,
  build: Column<Value>['build'] = (column) => column,
): Column<Value | null> {
  return { type, build };
}

export const text = column<string>('text');
export const textOrNull = orNull(text);
export const uniqueText = column<string>('text', (column) => column.notNull().unique());
export const uniqueTextOrNull = orNull(text, (column) => column.unique());
export const integer = column<number>('integer');
export const integerOrNull = orNull(integer);
/** Milliseconds since 1970. */
export const time = column<number>('bigint');
export const timeOrNull = orNull(time);
/** SQLite does not know the type bytea, and stores bytes in such a column as they are. */
export const bytes = column<Uint8Array>('bytea');

export const key = column<string>('text', (column) => column.primaryKey());
/** A row that goes with its measurement, of which there may be several. */
export const ofMeasurement = column<string>('text', (column) =>
  column.notNull().references('measurements.id').onDelete('cascade'),
);
/** A row that goes with its measurement, which has one at most. */
export const eachMeasurement = column<string>('text', (column) =>
  column.primaryKey().references('measurements.id').onDelete('cascade'),
);
/** A row that goes with its user. */
export const ofUser = column<string>('text', (column) =>
  column.notNull().references('users.id').onDelete('cascade'),
);
/** A row that goes with its batch. */
export const ofBatch = column<string>('text', (column) =>
  column.notNull().references('batches.id').onDelete('cascade'),
);
export const ofScenario = column<string>('text', (column) => column.notNull().references('scenarios.id'));
export const lastMeasurement = orNull(text, (column) =>
  column.references('measurements.id').onDelete('set null'),
);
/** Goes up whenever a server takes the measurement; a write that carries an earlier number is refused. */
export const fence = column<number>('integer', (column) => column.notNull().defaultTo(0));
