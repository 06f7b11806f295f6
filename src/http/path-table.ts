import { decodedSegment } from './parameters.ts';

/** Values of the parameters of a path, decoded. */
export type PathParameters = Readonly<Record<string, string>>;

export interface FoundPath<V> {
  readonly value: V;
  readonly parameters: PathParameters;
}

interface Branch<V> {
  readonly name: string;
  readonly node: Node<V>;
}

/** What may follow a path that began like this. */
interface Node<V> {
  readonly texts: Map<string, Node<V>>;
  /** Parameters behind a text with an equals sign, by that text: `key=`. */
  readonly named: Map<string, Branch<V>>;
  /** A parameter that is a whole segment. */
  whole: Branch<V> | undefined;
  value: V | undefined;
}

/**
 * Values by paths such as `/{projectKey}/zones/key={key}`. A segment of a request is taken for the text that it is, before
 * the parameter that it names, before one of any text. A parameter has at least one character.
 */
export class PathTable<V extends NonNullable<unknown>> {
  readonly #root: Node<V> = emptyNode();

  /** Two values of one path, or two names of one parameter, are a fault of the program. */
  add(path: string, value: V): void {
    let node = this.#root;
    for (const segment of segmentsOf(path)) node = nodeBelow(node, segment, path);
    if (node.value !== undefined) throw new Error(`Two routes have the path ${path}`);
    node.value = value;
  }

  /** Throws InvalidInput for parameters that are not encoded correctly. */
  find(path: string): FoundPath<V> | undefined {
    const given: [name: string, text: string][] = [];
    const value = found(this.#root, segmentsOf(path), given);
    if (value === undefined) return undefined;
    return { value, parameters: Object.fromEntries(given.map(([name, text]) => [name, decodedSegment(text)])) };
  }
}

function emptyNode<V>(): Node<V> {
  return { texts: new Map(), named: new Map(), whole: undefined, value: undefined };
}

function segmentsOf(path: string): readonly string[] {
  return path.slice(1).split('/');
}

const PARAMETER = /^(.*=)?\{(\w+)\}$/;

function nodeBelow<V>(node: Node<V>, segment: string, path: string): Node<V> {
  const [, text, name] = PARAMETER.exec(segment) ?? [];
  if (name === undefined) return within(node.texts, segment, () => emptyNode());
  const make = (): Branch<V> => ({ name, node: emptyNode() });
  const branch = text === undefined ? (node.whole ??= make()) : within(node.named, text, make);
  if (branch.name !== name) throw new Error(`The parameter ${name} of ${path} is ${branch.name} elsewhere`);
  return branch.node;
}

function within<T>(map: Map<string, T>, name: string, make: () => T): T {
  let value = map.get(name);
  if (value === undefined) map.set(name, (value = make()));
  return value;
}

/** A parameter behind its name and an equals sign, which some clients encode. */
const NAMED = /^(.*?)(?:=|%3D)(.*)$/i;

/** Puts what the parameters are into `given`. */
function found<V>(node: Node<V>, segments: readonly string[], given: [string, string][], at = 0): V | undefined {
  if (at === segments.length) return node.value;
  const segment = segments[at]!;
  const next = node.texts.get(segment);
  const value = next && found(next, segments, given, at + 1);
  if (value !== undefined) return value;
  const [, name, parameter] = (node.named.size > 0 && NAMED.exec(segment)) || [];
  const branches = [
    [node.named.get(`${name}=`), parameter],
    [node.whole, segment],
  ] as const;
  for (const [branch, taken = ''] of branches) {
    if (branch === undefined || taken === '') continue;
    const { length } = given;
    given.push([branch.name, taken]);
    const below = found(branch.node, segments, given, at + 1);
    if (below !== undefined) return below;
    given.length = length;
  }
  return undefined;
}
