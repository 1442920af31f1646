import type { OperatingPoint } from '../../../../shared/kinds/comparison/load-profile.ts';
import type { MetricId } from '../../../../shared/kinds/comparison/metric.ts';
import type { LoadResult, ResourceUse } from '../../../../shared/kinds/comparison/slot.ts';

type Values = Partial<Record<MetricId, number>>;

/**
 * What one slot says of each metric, in the metric's unit. A metric that the slot cannot give is left out:
 * throughput of a slot below the maximum, traffic a second where no rate was offered, CPU of a target whose process is not known.
 * @param growthBytes memory added since the slot before it on the same arm
 * @param rated whether it kept to an arrival rate at load, so that its throughput is that rate
 */
export function valuesOfSlot(
  point: OperatingPoint,
  load: LoadResult,
  target: ResourceUse | null,
  growthBytes: number | null,
  rated = false,
): Values {
  const values = point === 'maximum' ? atLoad(load, target, rated) : costs(point, load, target);
  if (point === 'steady') Object.assign(values, perSecond(load, target));
  if (target !== null) values.memory_peak = target.rssPeakBytes;
  if (growthBytes !== null) values.memory_growth = growthBytes;
  return values;
}

function atLoad(load: LoadResult, target: ResourceUse | null, rated: boolean): Values {
  const perS = load.succeededInWindow / (load.windowUs / 1e6);
  return {
    ...(rated ? {} : { throughput: perS, transactions_per_10_min: perS * 600 }),
    ...(target === null || load.succeeded === 0 ? {} : { cpu_at_load: target.cpuUs / load.succeeded }),
  };
}

/** Of a transaction. */
function costs(point: OperatingPoint, load: LoadResult, target: ResourceUse | null): Values {
  const cpu = point === 'steady' ? 'cpu_half_load' : 'cpu_lone';
  if (load.succeeded === 0) return {};
  return {
    ...latencies(load),
    ...(load.executionTimeUs === null ? {} : { execution_time: load.executionTimeUs }),
    ...(target === null ? {} : { [cpu]: target.cpuUs / load.succeeded }),
    wire_bytes_per_transaction: (load.wireBytesRead + load.wireBytesWritten) / load.succeeded,
  };
}

function latencies(load: LoadResult): Values {
  if (load.latencyUs.count === 0) return {};
  return {
    latency_p50: load.latencyUs.p50,
    latency_p90: load.latencyUs.p90,
    latency_p99: load.latencyUs.p99,
    ttfb_p50: load.ttfbUs.p50,
  };
}

/** By the time under load: reading the target at both edges takes time of its own, which is part of its wall time. */
function perSecond(load: LoadResult, target: ResourceUse | null): Values {
  if (load.succeeded === 0 || load.elapsedUs === 0) return {};
  const seconds = load.elapsedUs / 1e6;
  return {
    network_bytes_per_s: (load.wireBytesRead + load.wireBytesWritten) / seconds,
    ...(target === null ? {} : resources(target, seconds)),
  };
}

function resources({ cpuUs, diskReadBytes, diskWriteBytes }: ResourceUse, seconds: number): Values {
  const values: Values = { cpu_utilization: (cpuUs / 1e6 / seconds) * 100 };
  if (diskReadBytes !== null && diskWriteBytes !== null) {
    values.disk_bytes_per_s = (diskReadBytes + diskWriteBytes) / seconds;
  }
  return values;
}
