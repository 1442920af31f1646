import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { sqlEndpoints } from '../../../shared/api/sql-endpoints.ts';
import { sqlExamples } from '../../../shared/measurement/history.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { Answer } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { PageHead } from '../../components/page-head.tsx';
import classes from './sql.module.css';
import { SqlForm } from './sql-form.tsx';
import { SqlResultSection } from './sql-result-section.tsx';

/** The query is in the address once it has run, so a link brings it along. */
export default function SqlPage() {
  const [address, setAddress] = useSearchParams();
  const [sql, setSql] = useState(address.get('sql') ?? sqlExamples[0]?.sql ?? '');
  const query = useMutation({
    mutationFn: (asked: string) => callEndpoint(sqlEndpoints.sql, { body: { sql: asked } }),
  });
  function run(asked: string) {
    setSql(asked);
    setAddress({ sql: asked }, { replace: true, preventScrollReset: true });
    query.mutate(asked);
  }
  return (
    <>
      <PageHead tab="SQL" title="Query your measurements">
        <p>
          Runs, meshes, and sweeps over servers and sizes, as SQL views.{' '}
          <Link to="/docs/sql">Columns and limits</Link>
        </p>
      </PageHead>
      <Card>
        <SqlForm sql={sql} pending={query.isPending} onChange={setSql} onRun={run} />
      </Card>
      <div className={classes.answer}>
        <Answer of={query} waiting="Running the query">
          {(result) => <SqlResultSection result={result} />}
        </Answer>
      </div>
    </>
  );
}
