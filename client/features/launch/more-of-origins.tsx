import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { usualMetrics } from '../../../shared/target/address-problem.ts';
import type { TargetCheck } from '../../../shared/target/preflight.ts';
import { AreaField, FieldRow, MoreFields, SecretField, TextField } from '../../components/form-fields.tsx';
import {
  type agentFields,
  type exporterFields,
  type FieldMessages,
  type FieldProps,
  type LaunchForm,
  otherOrigin,
} from './form-shape.ts';

/** Rarely used fields of two addresses. A fold is open if one of its fields is filled in or wrong. */
export function MoreOfOrigins(props: FieldProps) {
  const { form, messages } = props;
  const hasOther = otherOrigin(form) !== null;
  return folds.map(({ title, lead, fields }) => (
    <MoreFields
      key={title}
      title={title}
      open={fields.some(({ name }) => form[name].trim() !== '' || messages[name] !== undefined)}
    >
      {lead === undefined ? null : <p className="soft">{lead}</p>}
      <FieldRow>
        {fields
          .filter(({ name }) => hasOther || name !== 'sides.comparison.target.ca')
          .map((field) => (
            <MoreField key={field.name} {...props} {...field} />
          ))}
      </FieldRow>
    </MoreFields>
  ));
}

function MoreField({ as, ...field }: FieldProps & Field) {
  if (as === 'area') return <AreaField {...field} rows={3} autoComplete="off" />;
  return as === 'secret' ? <SecretField {...field} /> : <TextField {...field} />;
}

type Field = {
  name:
    | (typeof agentFields | typeof exporterFields)[number]
    | 'twin'
    | `${'' | 'sides.comparison.target.'}${'ca' | 'pid'}`;
  label: string;
  as?: 'area' | 'secret';
  description?: string;
  placeholder?: string;
  inputMode?: 'url' | 'numeric';
  maxLength?: number;
};

const authority = {
  as: 'area',
  description: 'If the certificate is not signed by a public authority.',
  placeholder: '-----BEGIN CERTIFICATE-----',
} as const;

const folds: readonly { title: string; lead?: ReactNode; fields: readonly Field[] }[] = [
  {
    title: 'Certificate, control, process',
    fields: [
      { name: 'ca', label: 'Certificate authority (PEM)', ...authority },
      {
        name: 'sides.comparison.target.ca',
        label: 'Certificate authority of the second side (PEM)',
        ...authority,
      },
      {
        name: 'twin',
        label: 'Control address',
        description: 'A second address of the first side’s server. It shows how much equal sides differ.',
        inputMode: 'url',
      },
      {
        name: 'pid',
        label: 'Process ID',
        description: 'Leave empty to find it by its port. Separate several with commas.',
      },
      {
        name: 'sides.comparison.target.pid',
        label: 'Process ID of the second side',
        description: 'Leave empty to use that of the first side. Separate several with commas.',
      },
    ],
  },
  {
    title: 'Agent on the target’s host',
    lead: (
      <>
        Reads CPU, memory, and disk where the target runs.{' '}
        <Link to="/docs/hosts#read-cpu-on-the-targets-host">How to start it</Link>
      </>
    ),
    fields: [
      { name: 'agent', label: 'Agent address', placeholder: '10.1.0.5:7301' },
      { name: 'agentKey', label: 'Agent fingerprint', description: 'The agent prints it.' },
      {
        ...{ name: 'agentToken', label: 'Agent token', as: 'secret', maxLength: 512 },
        description: 'Kept in memory until the run ends.',
      },
    ],
  },
  {
    title: 'Prometheus exporter',
    lead: (
      <>
        Reads CPU and memory where no agent may run. A token is kept in memory until the run ends.{' '}
        <Link to="/docs/hosts#without-an-agent">Which exporters work</Link>
      </>
    ),
    fields: [
      {
        ...{ name: 'prometheus', label: 'Metrics address', inputMode: 'url' },
        placeholder: 'http://10.1.0.5:9256/metrics',
      },
      {
        ...{ name: 'prometheusToken', label: 'Bearer token', as: 'secret', maxLength: 8192 },
        placeholder: 'Optional',
      },
      { name: 'prometheusCpu', label: 'CPU metric', placeholder: usualMetrics.cpu },
      { name: 'prometheusMemory', label: 'Memory metric', placeholder: usualMetrics.memory },
    ],
  },
];

/** Messages of the target's check about a chosen version, suite, or group that is not offered, by field. */
export function tlsMessageOf(report: Pick<TargetCheck, 'refused'> | undefined): FieldMessages {
  const refused = report === undefined ? [] : [report.refused.baseline, report.refused.comparison];
  return Object.fromEntries(refused.flatMap((each) => (each === null ? [] : [[each.field, each.message]])));
}

/** Field for the certificate to trust: that of the first side whose certificate is not trusted. */
export function trustField(
  { sides }: Pick<TargetCheck, 'sides'>,
  form: LaunchForm,
): 'trust' | 'sides.comparison.target.trust' {
  const isOther = sides.baseline.checks.every(({ id, status }) => id !== 'certificate' || status !== 'fail');
  return isOther && otherOrigin(form) !== null ? 'sides.comparison.target.trust' : 'trust';
}
