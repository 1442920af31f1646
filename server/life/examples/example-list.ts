import {
  type StudyMeasurementName,
  studyMeasurement,
  studyMeasurementNames,
} from '../../../shared/studies/plan.ts';

/** What is listed, in this order. */
const asking = [
  { name: 'storefront', asks: 'What does HTTPS cost a shop with a database?' },
  { name: 'nginx', asks: 'What does HTTPS cost a web server that only sends files?' },
  { name: 'new-connections', asks: 'What does a new connection cost with RSA, compared with ECDSA?' },
  { name: 'post-quantum', asks: 'What does post-quantum key agreement add to a new connection?' },
  { name: 'sizes', asks: 'How does the cost of HTTPS grow with the size of a document?' },
  { name: 'mesh', asks: 'What do two sidecars cost, and how much of that is mutual TLS?' },
] as const;

export type ExampleName = (typeof asking)[number]['name'] | StudyMeasurementName;

type Listed = {
  name: ExampleName;
  /** Null for one that is not listed: it is the evidence of claims. */
  asks: string | null;
};

/**
 * What comes with the program; `npm run bench -- examples` measures it. One that is called like a measurement of the studies answers their
 * claims until it is measured here.
 */
export const exampleList: readonly Listed[] = [
  ...asking,
  ...studyMeasurementNames.flatMap((name) =>
    studyMeasurement(name).isShipped && asking.every((each) => each.name !== name)
      ? [{ name, asks: null }]
      : [],
  ),
];
