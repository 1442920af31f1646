import type { OperatingPoint } from '../../../../shared/load-profile.ts';
import type { MetricId } from '../../../../shared/metric.ts';
import type { LoadResult, ResourceUse } from '../../../../shared/slot.ts';

type Values = Partial<Record<MetricId, number>>;

/**
 * What one slot says of each metric, in the metric's unit. A metric that the slot cannot give is left out:
 * throughput of a steady slot, CPU of a target whose process is not known.
 * @param growthBytes memory added since the slot before it on the same arm
 */
export function valuesOfSlot(
  point: OperatingPoint,
  load: LoadResult,
  target: ResourceUse | null,
  growthBytes: number | null,
): Values {
  const values = point === 'steady' ? steadyValues(load, target) : maximumValues(load);
  if (target !== null) values.memory_peak = target.rssPeakBytes;
  if (growthBytes !== null) values.memory_growth = growthBytes;
  return values;
}

function maximumValues(load: LoadResult): Values {
  const perS = load.succeededInWindow / (load.windowUs / 1e6);
  return { throughput: perS, transactions_per_10_min: perS * 600 };
}

function steadyValues(load: LoadResult, target: ResourceUse | null): Values {
  if (load.succeeded === 0 || load.elapsedUs === 0) return {};
  const wireBytes = load.wireBytesRead + load.wireBytesWritten;
  return {
    ...latencies(load),
    ...(load.executionTimeUs === null ? {} : { execution_time: load.executionTimeUs }),
    network_bytes_per_s: wireBytes / (load.elapsedUs / 1e6),
    wire_bytes_per_transaction: wireBytes / load.succeeded,
    ...(target === null ? {} : resources(load, target)),
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

function resources(load: LoadResult, target: ResourceUse): Values {
  return {
    cpu_per_transaction: target.cpuUs / load.succeeded,
    cpu_utilization: (target.cpuUs / target.wallUs) * 100,
    ...(target.diskReadBytes === null || target.diskWriteBytes === null
      ? {}
      : { disk_bytes_per_s: (target.diskReadBytes + target.diskWriteBytes) / (target.wallUs / 1e6) }),
  };
}
