import { useQuery } from '@tanstack/react-query';
import { measurementEndpoints } from '../../../shared/api/measurement-endpoints.ts';
import { meshOptions } from '../../../shared/kinds/mesh/options.ts';
import { managedServersQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { MoreFields } from '../../components/form-fields.tsx';
import { RequestForm } from '../../components/request-form.tsx';
import { LabTabs, OptionRows, RecentOfKinds, useOptionForm } from '../../components/start-form.tsx';
import { whatIsMissing } from '../../format/server-choice.ts';

export default function MeshPage() {
  return (
    <>
      <PageHead tab="Mesh" title="What does a sidecar cost, and how much of it is TLS?" above={<LabTabs />}>
        <p>CPU and latency of a request: direct, through a proxy, and through the proxy with TLS.</p>
      </PageHead>
      <MeshCard />
      <RecentOfKinds kinds={['mesh']} />
    </>
  );
}

const usual = ['proxy', 'application', 'clientProxy', 'mutual'];
const usualOptions = meshOptions.filter(({ id }) => usual.includes(id));
/** An application that is running already serves what it serves. */
const seldomOptions = meshOptions.filter(({ id }) => !usual.includes(id));

const withoutTls = 'Proxies reach the application without TLS; give its http address.';

export function MeshCard() {
  const { data: found } = useQuery(managedServersQuery);
  const { fields, submit, ...sending } = useOptionForm(meshOptions);
  const missing = (field: string) =>
    whatIsMissing(found?.find(({ name }) => name === fields.form[field])) ?? undefined;
  const messages = {
    proxy: missing('proxy'),
    ...(fields.form.address === '' ? { application: missing('application') } : {}),
    ...fields.messages,
  };
  const isSecure = /^\s*https:/i.test(String(fields.form.address));
  const isWrong = seldomOptions.some(({ id }) => fields.messages[id] !== undefined);
  return (
    <RequestForm
      calls={measurementEndpoints.createMeasurement}
      action="Measure"
      onSubmit={() => submit((asked) => ({ ...asked, kind: 'mesh' }))}
      {...sending}
    >
      <OptionRows {...fields} messages={messages} options={usualOptions} />
      <MoreFields title="Application and load" open={isWrong}>
        <OptionRows
          {...fields}
          messages={isSecure ? { ...fields.messages, address: withoutTls } : fields.messages}
          options={seldomOptions}
        />
      </MoreFields>
    </RequestForm>
  );
}
