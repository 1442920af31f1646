import type { ColumnDefinitionBuilder } from 'kysely';

/** A row that goes with its measurement, of which there may be several. */
export const ofMeasurement = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('measurements.id').onDelete('cascade');

/** A row that goes with its measurement, which has one at most. */
export const eachMeasurement = (column: ColumnDefinitionBuilder) =>
  column.primaryKey().references('measurements.id').onDelete('cascade');

/** A row that goes with its user. */
export const ofUser = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('users.id').onDelete('cascade');
