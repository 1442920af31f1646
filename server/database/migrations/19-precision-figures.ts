import { type Kysely, sql } from 'kysely';
import { all, createHistoryView, estimates, type FigureColumns, storedType } from './create-history-view.ts';

/** What a run's intervals rest on, which its next runs borrow from: no error is to be recovered from a printed interval. */
export async function addPrecisionFigures(queries: Kysely<unknown>): Promise<void> {
  for (const [name, type] of Object.entries(added)) {
    await queries.schema.alterTable('metric_figures').addColumn(name, storedType(type)).execute();
  }
  await queries.schema
    .createIndex('metric_figures_by_machine')
    .on('metric_figures')
    .columns(['machine', 'metric'])
    .execute();
  // PostgreSQL only appends columns to a view that is there.
  await sql`drop view v_metrics`.execute(queries);
  await createHistoryView(queries, { table: 'metric_figures', view: 'v_metrics', columns });
}

const added: FigureColumns = {
  ...all(['within_error', 'standard_error', 'degrees', 'own_variance', 'own_degrees'], 'double precision'),
  ...all(['widening_drift', 'widening_twin', 'widening_carry_over'], 'double precision'),
  ...all(['baseline_busy_cores', 'comparison_busy_cores'], 'double precision'),
  ...all(['load_class', 'target_kind', 'machine'], 'text'),
};

const columns: FigureColumns = {
  ...all(['target', 'scenario', 'preset', 'baseline_transport', 'comparison_transport'], 'text'),
  ...all(['tls_protocol', 'cipher', 'metric', 'unit'], 'text'),
  ...estimates(['baseline', 'comparison', 'shift', 'ratio']),
  verdict: 'text',
  ...added,
};
