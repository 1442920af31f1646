import { TextInput } from '@mantine/core';
import { Link } from 'react-router';
import { usualMetrics } from '../../../shared/exporter-fault.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { usesExporter } from './exporter-form.ts';
import type { FieldMessages, LaunchForm, SetField } from './form-shape.ts';
import classes from './launch-card.module.css';

const metrics = [
  { field: 'prometheusCpu', label: 'CPU metric', placeholder: usualMetrics.cpu },
  { field: 'prometheusMemory', label: 'Memory metric', placeholder: usualMetrics.memory },
] as const;

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

/** For a host where no agent may run; open where something of it is given, or wrong. */
export function ExporterFields({ form, set, messages }: Props) {
  const wrong = [messages.prometheus, messages.prometheusCpu, messages.prometheusMemory].some(
    (message) => message !== undefined,
  );
  return (
    <MoreFields title="Prometheus exporter" open={usesExporter(form) || wrong}>
      <p className={classes.hint}>
        Reads CPU and memory where no agent may run. <Link to="/docs/hosts">Which exporters work</Link>
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
