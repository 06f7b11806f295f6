/** Members of documents, as a tree: all that is below `true`. What is in a list stands as if it were there alone. */
export interface Members {
  readonly [member: string]: true | Members;
}

type Value = unknown;

function isObject(value: Value): value is Readonly<Record<string, Value>> {
  return typeof value === 'object' && value !== null;
}

/** A document without all other members; undefined where it has none of them. */
export function partOf(document: Readonly<Record<string, Value>>, members: Members): Record<string, Value> | undefined {
  const kept: Record<string, Value> = {};
  let isAny = false;
  // Declarations name few members, and documents may have very many.
  for (const [name, below] of Object.entries(members)) {
    if (!Object.hasOwn(document, name)) continue;
    const value = document[name];
    const part = below === true ? value : partOfValue(value, below);
    if (part === undefined) continue;
    kept[name] = part;
    isAny = true;
  }
  return isAny ? kept : undefined;
}

function partOfValue(value: Value, members: Members): Value {
  if (Array.isArray(value)) {
    const parts = value.map((each) => partOfValue(each, members)).filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts;
  }
  return isObject(value) ? partOf(value, members) : value;
}

/** Whether a document has no other members. */
export function isWithin(document: Readonly<Record<string, Value>>, members: Members): boolean {
  return Object.entries(document).every(([name, value]) => {
    const below = Object.hasOwn(members, name) ? members[name]! : undefined;
    return below !== undefined && (below === true || isValueWithin(value, below));
  });
}

function isValueWithin(value: Value, members: Members): boolean {
  if (Array.isArray(value)) return value.every((each) => isValueWithin(each, members));
  return !isObject(value) || isWithin(value, members);
}

/** Whether all is there that a path such as `lineItems[*].productId` leads to. */
export function hasPath(members: Members, path: string): boolean {
  let below: true | Members | undefined = members;
  for (const segment of path.split('.')) {
    if (below === true) return true;
    const name = segment.replace(/\[\*\]$/, '');
    below = below !== undefined && Object.hasOwn(below, name) ? below[name] : undefined;
  }
  return below === true;
}
