import { TextInput } from '@mantine/core';
import { Link } from 'react-router';
import { FieldRow } from '../../components/field-row.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { usesExporter, usual } from './exporter-form.ts';
import type { FieldMessages, LaunchForm, SetField } from './form-shape.ts';
import classes from './launch-card.module.css';

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
        <TextInput
          label="CPU metric"
          placeholder={usual.cpu}
          value={form.prometheusCpu}
          error={messages.prometheusCpu}
          onChange={(event) => set({ prometheusCpu: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label="Memory metric"
          placeholder={usual.memory}
          value={form.prometheusMemory}
          error={messages.prometheusMemory}
          onChange={(event) => set({ prometheusMemory: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
      </FieldRow>
    </MoreFields>
  );
}
