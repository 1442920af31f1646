import { isRecord } from '../text/is-record.ts';

/** Records of before the two sides were called baseline and comparison called them http and https, whatever they spoke. */
export function upgradeSides(value: unknown): unknown {
  if (!isRecord(value) || !('http' in value)) return value;
  const { http, https, ...others } = value;
  return { ...others, baseline: http, comparison: https };
}

/** A list before; each side tells its transport itself. */
export function upgradePreflight(report: unknown): unknown {
  if (!isRecord(report) || !Array.isArray(report.sides)) return report;
  const { transports, sides, ...others } = report;
  return { ...others, sides: { baseline: sides[0], comparison: sides[1] } };
}
