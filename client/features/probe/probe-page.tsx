import { useMutation } from '@tanstack/react-query';
import { probeEndpoints } from '../../../shared/api/probe-endpoints.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { Card } from '../../components/card.tsx';
import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { ProbeForm } from './probe-form.tsx';
import classes from './probe-page.module.css';
import { ProbeResult } from './probe-result.tsx';

export default function ProbePage() {
  const probe = useMutation({
    mutationFn: (body: { url: string; ca?: string }) => callEndpoint(probeEndpoints.probe, { body }),
  });
  return (
    <>
      <PageHead tab="Probe" title="Does the target resume sessions?" above={<LabTabs />}>
        <p>Connects with TLS 1.3 and 1.2, then reconnects five times. No request is sent.</p>
      </PageHead>
      <Card>
        <ProbeForm pending={probe.isPending} onProbe={(request) => probe.mutate(request)} />
      </Card>
      {probe.isPending ? <Waiting>Connecting and reconnecting</Waiting> : null}
      {probe.error === null ? null : (
        <div className={classes.problem}>
          <ProblemNotice error={probe.error} />
        </div>
      )}
      {probe.data === undefined || probe.isPending ? null : <ProbeResult report={probe.data} />}
    </>
  );
}
