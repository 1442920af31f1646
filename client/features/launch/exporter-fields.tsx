import { Link } from 'react-router';
import { usualMetrics } from '../../../shared/target/exporter-problem.ts';
import { FieldRow } from '../../components/field-row.tsx';
import { SecretField, TextField } from '../../components/form-fields.tsx';
import { MoreFields } from '../../components/more-fields.tsx';
import { type FieldMessages, type LaunchForm, type SetField, usesExporter } from './form-shape.ts';
import classes from './launch-card.module.css';

type Props = { form: LaunchForm; set: SetField; messages: FieldMessages };

/** For a host where no agent may run; open where something of it is given, or wrong. */
export function ExporterFields(fields: Props) {
  const { prometheus, prometheusCpu, prometheusMemory, prometheusToken } = fields.messages;
  const wrong = [prometheus, prometheusCpu, prometheusMemory, prometheusToken].some(
    (message) => message !== undefined,
  );
  return (
    <MoreFields title="Prometheus exporter" open={usesExporter(fields.form) || wrong}>
      <p className={classes.hint}>
        Reads CPU and memory where no agent may run. A token is kept in memory until the run ends.{' '}
        <Link to="/docs/hosts">Which exporters work</Link>
      </p>
      <FieldRow>
        <TextField
          {...fields}
          name="prometheus"
          label="Metrics address"
          placeholder="http://10.1.0.5:9256/metrics"
          inputMode="url"
        />
        <SecretField
          {...fields}
          name="prometheusToken"
          label="Bearer token"
          placeholder="Optional"
          maxLength={8192}
        />
        <TextField {...fields} name="prometheusCpu" label="CPU metric" placeholder={usualMetrics.cpu} />
        <TextField
          {...fields}
          name="prometheusMemory"
          label="Memory metric"
          placeholder={usualMetrics.memory}
        />
      </FieldRow>
    </MoreFields>
  );
}
