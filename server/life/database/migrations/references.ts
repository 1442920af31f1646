import type { ColumnDefinitionBuilder } from 'kysely';

/** A row that goes with its measurement, of which there may be several. */
export const ofMeasurement = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('measurements.id').onDelete('cascade');
