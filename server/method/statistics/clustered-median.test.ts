/** Protects the median of clustered values and its error. */
import { expect, test } from 'vitest';
import { clusteredMedian } from './clustered-median.ts';
import { drawsOf } from './random.ts';

/** By the polar method. */
function normals(count: number): number[] {
  const draw = drawsOf(3);
  return Array.from({ length: count }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - draw()));
    return radius * Math.cos(2 * Math.PI * draw());
  });
}

const clustersOf = (values: readonly number[], size: number) =>
  Array.from({ length: values.length / size }, (_, index) => values.slice(index * size, (index + 1) * size));

test('it is the median of all values, whatever their clusters', () => {
  expect(clusteredMedian([[5], [1, 9], []])?.median).toBe(5);
  expect(
    clusteredMedian([
      [1, 2],
      [3, 4],
    ])?.median,
  ).toBe(2.5);
});

test('nothing has no median, and fewer than twelve values no error', () => {
  expect(clusteredMedian([[], []])).toBeNull();
  expect(clusteredMedian([[1, 2, 3]])).toEqual({ median: 2, error: null });
});

test('of independent normal values the error is about √(π/2) of the mean’s', () => {
  const { error } = clusteredMedian(clustersOf(normals(2000), 20)) ?? {};
  expect((error ?? 0) / (Math.sqrt(Math.PI / 2) / Math.sqrt(2000))).toBeCloseTo(1, 0);
});

test('values that a cluster shares count as one: the error of 100 clusters of 20 alike is that of 100 values', () => {
  const means = normals(100);
  const alike = means.map((mean) => Array.from({ length: 20 }, (_, index) => mean + index * 1e-6));
  const single = clusteredMedian(means.map((mean) => [mean]))?.error ?? 0;
  expect((clusteredMedian(alike)?.error ?? 0) / single).toBeCloseTo(1, 0);
});

test('adding a constant moves the median alone', () => {
  const clusters = clustersOf(normals(60), 6);
  const moved = clusters.map((values) => values.map((value) => value + 7));
  expect(clusteredMedian(moved)?.median).toBeCloseTo((clusteredMedian(clusters)?.median ?? 0) + 7, 12);
  expect(clusteredMedian(moved)?.error).toBeCloseTo(clusteredMedian(clusters)?.error ?? 0, 12);
});
