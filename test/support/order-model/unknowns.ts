/** Compares what the model expects with what the platform gave, and learns what the server has chosen. */

export type Learned = Map<string, unknown>;

const isUnknown = (value: unknown): value is string => typeof value === 'string' && /^\?\d+$/.test(value);

/** Where the two differ first; undefined where they do not. What is unknown is learned, and is the same from then on. */
export function difference(expected: unknown, given: unknown, learned: Learned, path = ''): string | undefined {
  if (isUnknown(expected)) {
    if (learned.has(expected)) return difference(learned.get(expected), given, learned, path);
    if (typeof given !== 'string') return `${path} is ${JSON.stringify(given)}`;
    learned.set(expected, given);
    return undefined;
  }
  if (typeof expected !== 'object' || expected === null || typeof given !== 'object' || given === null)
    return expected === given ? undefined : `${path} is ${JSON.stringify(given)} and not ${JSON.stringify(expected)}`;
  const [was, is] = [expected, given].map((value) => value as Readonly<Record<string, unknown>>);
  for (const name of new Set([...Object.keys(was!), ...Object.keys(is!)])) {
    const found = difference(was![name], is![name], learned, `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value with all that has been learned. */
export function known<T>(value: T, learned: Learned): T {
  if (isUnknown(value)) return (learned.get(value) ?? value) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => known(one, learned)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, known(one as unknown, learned)])) as T;
}
