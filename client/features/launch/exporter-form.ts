import { selectorProblem } from '../../../shared/kinds/comparison/metric-selector.ts';
import { exporterProblem, usualMetrics } from '../../../shared/target/exporter-problem.ts';
import { exporterTokenName, exporterTokenSchema } from '../../../shared/target/prometheus-source.ts';
import type { OriginsTarget } from '../../../shared/target/target.ts';
import { type FieldMessages, type LaunchForm, usesExporter } from './form-shape.ts';

/** The exporter that knows what the target uses, as it is typed. */

export function exporterOf(form: LaunchForm): Pick<OriginsTarget, 'prometheus'> {
  if (!usesExporter(form)) return {};
  const { cpu, memory } = usualMetrics;
  return {
    prometheus: {
      url: form.prometheus.trim(),
      cpu: form.prometheusCpu.trim() || cpu,
      memory: form.prometheusMemory.trim() || memory,
      ...(form.prometheusToken.trim() === '' ? {} : { bearer: true }),
    },
  };
}

/** Beside the scenario's secrets. */
export function exporterSecretOf(form: LaunchForm): Record<string, string> {
  const token = form.prometheusToken.trim();
  return usesExporter(form) && token !== '' ? { [exporterTokenName]: token } : {};
}

export function exporterMessages(form: LaunchForm): FieldMessages {
  if (!usesExporter(form)) return {};
  const problems = {
    prometheus: exporterProblem(form.prometheus.trim()),
    prometheusCpu: problemOf(form.prometheusCpu),
    prometheusMemory: problemOf(form.prometheusMemory),
    prometheusToken: problemWithToken(form.prometheusToken.trim()),
  };
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== null));
}

function problemOf(selector: string): string | null {
  return selector.trim() === '' ? null : selectorProblem(selector);
}

function problemWithToken(token: string): string | null {
  if (token === '' || exporterTokenSchema.safeParse(token).success) return null;
  return 'Paste the token alone: letters, digits, and -._~+/ on one line.';
}
