/**
 * What is measured in turn, as a plan declares it: the sides that are compared and, as a check, one of them again. Whatever loads,
 * reads, orders or sums arms takes the list, so that a plan may declare two sides and a twin or any other number.
 */
export type Arms<Name extends string> = readonly DeclaredArm<Name>[];

export type DeclaredArm<Name extends string> = {
  readonly name: Name;
  /** A capital, for orders of arms. */
  readonly letter: string;
  /** The side that it is again, so that what tells the two apart is noise; left out for a side. */
  readonly twinOf?: Name | undefined;
};

export function namesOf<Name extends string>(arms: Arms<Name>): Name[] {
  return arms.map(({ name }) => name);
}

/** Those that are not another one again. */
export function sidesOfArms<Name extends string>(arms: Arms<Name>): Name[] {
  return namesOf(arms.filter(({ twinOf }) => twinOf === undefined));
}

export function byArm<Name extends string, Each>(
  names: readonly Name[],
  of: (arm: Name) => Each,
): Record<Name, Each> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Each>;
}

export async function byArmInTurn<Name extends string, Each>(
  names: readonly Name[],
  of: (arm: Name) => Promise<Each>,
): Promise<Record<Name, Each>> {
  const each: [Name, Each][] = [];
  for (const name of names) each.push([name, await of(name)]);
  return Object.fromEntries(each) as Record<Name, Each>;
}

/** A letter an arm. */
export function writeOrder<Name extends string>(arms: Arms<Name>, order: readonly Name[]): string {
  return order.map((arm) => arms.find(({ name }) => name === arm)?.letter).join('');
}

/** Of what `writeOrder` wrote. */
export function readOrder<Name extends string>(arms: Arms<Name>, letters: string): Name[] {
  return [...letters].flatMap((each) => arms.find(({ letter }) => letter === each)?.name ?? []);
}

/** What each arm has of what the sides have: a twin the same as its side. @param ofSides in the order in which they are declared */
export function fromSides<Name extends string, Each>(
  arms: Arms<Name>,
  ofSides: readonly Each[],
): Record<Name, Each> {
  const sides = sidesOfArms(arms);
  if (ofSides.length < sides.length)
    throw new Error(`nothing was given for the ${sides[ofSides.length]} arm`);
  const sideOf = new Map(arms.map(({ name, twinOf }) => [name, twinOf ?? name]));
  return byArm(namesOf(arms), (arm) => ofSides[sides.indexOf(sideOf.get(arm) ?? arm)] as Each);
}

/** What is asked of two arms: what `of` takes compared with `to`. `twin` is `to` again; null without one. */
export type Contrast<Name extends string> = { of: Name; to: Name; twin: Name | null };

/** The second side against the first. */
export function contrastOf<Name extends string>(arms: Arms<Name>): Contrast<Name> {
  const [to, of] = sidesOfArms(arms);
  if (to === undefined || of === undefined) throw new Error('fewer than two sides compare nothing');
  return { of, to, twin: arms.find(({ twinOf }) => twinOf === to)?.name ?? null };
}

/** Those that say what `to` takes, taken together. */
export function plainOf<Name extends string>({ to, twin }: Contrast<Name>): [Name] | [Name, Name] {
  return twin === null ? [to] : [to, twin];
}
