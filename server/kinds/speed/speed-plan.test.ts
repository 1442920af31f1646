/** Protects which primitives are measured, by whatever names they are asked for. */
import { describe, expect, test } from 'vitest';
import { type SpeedRequestInput, speedRequestSchema } from '../../../shared/kinds/speed/speed.ts';
import { choosePrimitives, planSpeed, planSpeedRounds, primitives } from './speed-plan.ts';
import { sums } from './sums.ts';

function planOf(request: Omit<SpeedRequestInput, 'kind'> = {}) {
  return planSpeed(speedRequestSchema.parse({ kind: 'speed', ...request }));
}

describe('names', () => {
  test('are read without case and punctuation', () => {
    expect(choosePrimitives(['sha256']).primitives.map(({ name }) => name)).toEqual(['SHA-256']);
  });

  test('a curve stands for what is done on it, and a group for all of it', () => {
    expect(choosePrimitives(['P-256']).primitives.map(({ name }) => name)).toEqual([
      'ECDSA-P-256',
      'ECDH-P-256',
    ]);
    const ciphers = choosePrimitives(['ciphers']).primitives;
    expect(ciphers.filter(({ group }) => group === 'cipher')).toEqual(
      primitives.filter(({ group }) => group === 'cipher'),
    );
  });

  test('a sum brings its parts along', () => {
    const choice = choosePrimitives(['X25519MLKEM768']);
    expect(choice.primitives.map(({ name }) => name)).toEqual(['X25519', 'ML-KEM-768']);
    expect(choice.sums.map(({ operation }) => operation)).toEqual(['client', 'server']);
  });

  test('an unknown one is refused with the nearest', () => {
    expect(() => choosePrimitives(['sha265'])).toThrow(
      'There is no primitive "sha265". Nearest: SHA-256, SHA-1, SHA-384.',
    );
  });

  test('every part of a sum is measured by itself', () => {
    const operations = new Set(
      primitives.flatMap((each) => each.operations.map((name) => `${each.name}/${name}`)),
    );
    for (const { parts } of sums) {
      for (const { primitive, operation } of parts) expect(operations).toContain(`${primitive}/${operation}`);
    }
  });
});

describe('plan', () => {
  test('everything takes two and a half minutes', () => {
    const plan = planOf();
    expect(plan.tasks.length).toBeGreaterThan(180);
    expect(plan.expectedS).toBeCloseTo(150, 0);
  });

  test('a few primitives take no longer than they need', () => {
    expect(planOf({ names: ['SHA-256'] }).expectedS).toBeLessThan(20);
  });

  test('less time than the shortest slices take is refused, with the least that is enough', () => {
    expect(() => planOf({ seconds: 10 })).toThrow(/take at least \d+ s/);
    const least = Number(/at least (\d+) s/.exec(messageOf(() => planOf({ seconds: 10 })))?.[1]);
    expect(planOf({ seconds: least }).expectedS).toBeLessThanOrEqual(least);
  });

  test('every round visits every task by both programs, next to one another, in an order of its own', () => {
    const plan = planOf({ names: ['digest'] });
    const rounds = planSpeedRounds(plan, true, 7);
    expect(rounds).toHaveLength(plan.rounds);
    for (const visits of rounds) {
      expect(visits).toHaveLength(2 * plan.tasks.length);
      expect(new Set(visits.map(({ task, by }) => `${task.primitive.name}/${task.bytes}/${by}`)).size).toBe(
        visits.length,
      );
      for (let at = 0; at < visits.length; at += 2) expect(visits[at]?.task).toBe(visits[at + 1]?.task);
    }
    expect(rounds[0]).not.toEqual(rounds[1]);
    expect(planSpeedRounds(plan, true, 7)).toEqual(rounds);
  });
});

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}
