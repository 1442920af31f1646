import { useMutation } from '@tanstack/react-query';
import { probeEndpoints } from '../../../shared/api/probe-endpoints.ts';
import type { ProbeRequestInput } from '../../../shared/target/probe.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { Answer } from '../../components/answer.tsx';
import { Card } from '../../components/card.tsx';
import { LabTabs } from '../../components/lab-tabs.tsx';
import { PageHead } from '../../components/page-head.tsx';
import classes from './probe.module.css';
import { ProbeForm } from './probe-form.tsx';
import { ProbeResult } from './probe-result.tsx';

export default function ProbePage() {
  const probe = useMutation({
    mutationFn: (body: ProbeRequestInput) => callEndpoint(probeEndpoints.probe, { body }),
  });
  return (
    <>
      <PageHead tab="Probe" title="Does the target resume sessions?" above={<LabTabs />}>
        <p>Connects with TLS 1.3 and 1.2, then reconnects five times. No request is sent.</p>
      </PageHead>
      <Card>
        <ProbeForm pending={probe.isPending} onProbe={(request) => probe.mutate(request)} />
      </Card>
      <div className={classes.answer}>
        <Answer of={probe} waiting="Connecting and reconnecting">
          {(report) => <ProbeResult report={report} />}
        </Answer>
      </div>
    </>
  );
}
