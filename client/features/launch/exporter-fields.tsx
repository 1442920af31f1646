import { PasswordInput, TextInput } from '@mantine/core';
import { Link } from 'react-router';
import { usualMetrics } from '../../../shared/target/exporter-problem.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { type FieldMessages, type LaunchForm, type SetField, usesExporter } from './form-shape.ts';
import classes from './launch-card.module.css';

const metrics = [
  { field: 'prometheusCpu', label: 'CPU metric', placeholder: usualMetrics.cpu },
  { field: 'prometheusMemory', label: 'Memory metric', placeholder: usualMetrics.memory },
] as const;

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

/** For a host where no agent may run; open where something of it is given, or wrong. */
export function ExporterFields({ form, set, messages }: Props) {
  const { prometheus, prometheusCpu, prometheusMemory, prometheusToken } = messages;
  const wrong = [prometheus, prometheusCpu, prometheusMemory, prometheusToken].some(
    (message) => message !== undefined,
  );
  return (
    <MoreFields title="Prometheus exporter" open={usesExporter(form) || wrong}>
      <p className={classes.hint}>
        Reads CPU and memory where no agent may run. A token is kept in memory until the run ends.{' '}
        <Link to="/docs/hosts">Which exporters work</Link>
      </p>
      <FieldRow>
        <TextInput
          label="Metrics address"
          placeholder="http://10.1.0.5:9256/metrics"
          value={form.prometheus}
          error={messages.prometheus}
          onChange={(event) => set({ prometheus: event.currentTarget.value })}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
        />
        <PasswordInput
          label="Bearer token"
          placeholder="Optional"
          value={form.prometheusToken}
          error={messages.prometheusToken}
          onChange={(event) => set({ prometheusToken: event.currentTarget.value })}
          autoComplete="off"
          maxLength={8192}
        />
        {metrics.map(({ field, label, placeholder }) => (
          <TextInput
            key={field}
            label={label}
            placeholder={placeholder}
            value={form[field]}
            error={messages[field]}
            onChange={(event) => set({ [field]: event.currentTarget.value })}
            autoComplete="off"
            spellCheck={false}
          />
        ))}
      </FieldRow>
    </MoreFields>
  );
}
