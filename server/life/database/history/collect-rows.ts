import type { SqlValue } from '../../../../shared/measurement/history.ts';

type Collected = { rows: SqlValue[][]; cut: string | null };

/** Rows until there are as many, or as many bytes, as a result may have. Says why it stopped, if there was more. */
export function collectRows({ limit, bytes }: { limit: number; bytes: number }) {
  const rows: SqlValue[][] = [];
  let size = 0;
  let cut: string | null = null;
  return {
    /** False when no more are taken. */
    take(row: SqlValue[]): boolean {
      if (rows.length === limit) {
        cut = `Cut after ${printRows(limit)}.`;
        return false;
      }
      size += row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
      if (size > bytes) {
        cut = `Cut after ${printRows(rows.length)}: a result has at most ${Math.round(bytes / 2 ** 20)} MiB.`;
        return false;
      }
      rows.push(row);
      return true;
    },
    collected: (): Collected => ({ rows, cut }),
  };
}

function printRows(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;
}
