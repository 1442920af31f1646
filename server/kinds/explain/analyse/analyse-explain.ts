import { bySide, type SideName, sideNames } from '../../../../shared/base/transport.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import { type CostGroup, costGroups } from '../../../../shared/kinds/explain/cost-groups.ts';
import {
  type ExplainFindings,
  type ExplainLaunch,
  type GroupResult,
  samplesPerS,
} from '../../../../shared/kinds/explain/explain.ts';
import { pruneStacks } from '../../../method/profile/prune-stacks.ts';
import { atLeastZero } from '../../../method/statistics/estimates.ts';
import { launchInterval } from '../../../method/statistics/launch-interval.ts';
import { sumOf } from '../../../method/statistics/mean.ts';

/** Fewer say nothing of how they differ. */
const fewestLaunches = 3;

/**
 * What the launches say; they are the units. Within a launch a group has the share of a request's CPU that it has of the samples, so that
 * the groups add up to the CPU, and their differences to the difference. What recording costs is left out: it comes at each sample, in a
 * handler that is never sampled itself, so that it lengthens all groups by one factor.
 */
export function analyseExplain(launches: readonly ExplainLaunch[]): ExplainFindings {
  const usable = launches.filter(({ sides }) => sideNames.every((side) => sides[side].samples > 0));
  const isKnown = usable.length >= fewestLaunches;
  return {
    cpuUs: isKnown
      ? bySide((side) => atLeastZero(overLaunches(usable, (of) => unrecordedUs(of, side))))
      : null,
    delta: isKnown ? overLaunches(usable, (of) => difference((side) => unrecordedUs(of, side))) : null,
    plainDelta: isKnown
      ? overLaunches(usable, (of) => difference((side) => requestUs(of, side, 'plain')))
      : null,
    groups: isKnown ? costGroups.flatMap((group) => groupResult(group, usable)) : [],
    sampledShare: usable.length === 0 ? null : sampledShareOf(usable),
    recordingRatio: isKnown ? overLaunches(usable, recordingRatioOf) : null,
    samples: bySide((side) => sumOf(launches.map(({ sides }) => sides[side].samples))),
    requests: bySide((side) => sumOf(launches.map(({ sides }) => sides[side].recorded.requests))),
    stacks: bySide((side) => pruneStacks(launches.flatMap(({ sides }) => sides[side].stacks))),
  };
}

type During = 'plain' | 'recorded';

function requestUs({ sides }: ExplainLaunch, side: SideName, during: During): number {
  const { cpuUs, requests } = sides[side][during];
  return cpuUs / requests;
}

/** What was counted while it was sampled, without what that cost. */
function unrecordedUs(launch: ExplainLaunch, side: SideName): number {
  return requestUs(launch, side, 'recorded') / recordingRatioOf(launch);
}

function difference(of: (side: SideName) => number): number {
  return of('comparison') - of('baseline');
}

function groupUs(launch: ExplainLaunch, side: SideName, group: CostGroup): number {
  const { groups, samples } = launch.sides[side];
  return (unrecordedUs(launch, side) * groups[group]) / samples;
}

/** None where nobody was ever there. */
function groupResult(group: CostGroup, launches: readonly ExplainLaunch[]): GroupResult[] {
  const isEmpty = launches.every(({ sides }) => sideNames.every((side) => sides[side].groups[group] === 0));
  if (isEmpty && group !== 'other') return [];
  const of = (side: SideName) => atLeastZero(overLaunches(launches, (each) => groupUs(each, side, group)));
  return [
    {
      ...{ group, baseline: of('baseline'), comparison: of('comparison') },
      delta: overLaunches(launches, (each) => difference((side) => groupUs(each, side, group))),
    },
  ];
}

function sampledShareOf(launches: readonly ExplainLaunch[]): number {
  const each = launches.flatMap(({ sides }) => sideNames.map((side) => sides[side]));
  const countedUs = sumOf(each.map(({ recorded }) => recorded.cpuUs));
  return ((sumOf(each.map(({ samples }) => samples)) / samplesPerS) * 1e6) / countedUs;
}

function recordingRatioOf(launch: ExplainLaunch): number {
  const costOf = (during: During) => sumOf(sideNames.map((side) => requestUs(launch, side, during)));
  return costOf('recorded') / costOf('plain');
}

function overLaunches(launches: readonly ExplainLaunch[], of: (launch: ExplainLaunch) => number): Estimate {
  const found = launchInterval(
    launches.map((each, launch) => ({ launch, value: of(each) })),
    0.95,
  );
  if (found === null) throw new Error('fewer launches than an interval needs');
  const { center, lo, hi } = found;
  return { center, lo, hi };
}
