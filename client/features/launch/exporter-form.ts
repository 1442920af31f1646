import { exporterFault, usualMetrics } from '../../../shared/exporter-fault.ts';
import { selectorFault } from '../../../shared/metric-selector.ts';
import type { TargetInput } from '../../../shared/target.ts';
import type { FieldMessages, LaunchForm } from './form-shape.ts';

/** The exporter that knows what the target uses, as it is typed. */

export function usesExporter({
  targetKind,
  prometheus,
  prometheusCpu,
  prometheusMemory,
}: LaunchForm): boolean {
  return (
    targetKind === 'origins' &&
    [prometheus, prometheusCpu, prometheusMemory].some((text) => text.trim() !== '')
  );
}

export function exporterOf(form: LaunchForm): Pick<Extract<TargetInput, { http: string }>, 'prometheus'> {
  if (!usesExporter(form)) return {};
  const { cpu, memory } = usualMetrics;
  return {
    prometheus: {
      url: form.prometheus.trim(),
      cpu: form.prometheusCpu.trim() || cpu,
      memory: form.prometheusMemory.trim() || memory,
    },
  };
}

export function exporterMessages(form: LaunchForm): FieldMessages {
  if (!usesExporter(form)) return {};
  const faults = {
    prometheus: exporterFault(form.prometheus.trim()),
    prometheusCpu: faultOf(form.prometheusCpu),
    prometheusMemory: faultOf(form.prometheusMemory),
  };
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== null));
}

function faultOf(selector: string): string | null {
  return selector.trim() === '' ? null : selectorFault(selector);
}
