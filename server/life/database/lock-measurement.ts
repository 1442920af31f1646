import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Until the transaction ends, others who lock or write the measurement wait. False where there is no such measurement. */
export async function lockMeasurement(transaction: Transaction<Tables>, id: string): Promise<boolean> {
  const locked = await transaction
    .updateTable('measurements')
    .set((column) => ({ fence: column.ref('fence') }))
    .where('id', '=', id)
    .returning('id')
    .execute();
  return locked.length === 1;
}
