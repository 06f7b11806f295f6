import { apiError, throwAll } from '../errors/api-error.ts';

/** One step of an expansion path: a field, and the elements of the lists that it holds. */
export interface ExpansionSegment {
  readonly name: string;
  /** `[*]` and `[0]`, outermost first. */
  readonly indexes: readonly ('*' | number)[];
}

export interface ExpansionPath {
  readonly segments: readonly ExpansionSegment[];
}

/** Paths of one request, and steps of one path. */
const pathsMax = 50;
const segmentsMax = 16;

const SEGMENT = /^([A-Za-z_][\w-]*)((?:\[(?:\*|\d{1,6})\])*)$/;
const INDEX = /\[(\*|\d+)\]/g;

/** Parses all paths (specification 4.1); every malformed one is reported. */
export function expansionPaths(sources: readonly string[]): readonly ExpansionPath[] {
  if (sources.length > pathsMax) throw apiError('InvalidInput', `At most ${pathsMax} expansion paths can be given.`);
  const paths = sources.map((source) => source.split('.').map(segmentOf));
  const faults = sources.filter((_, index) => paths[index]!.length > segmentsMax || paths[index]!.includes(undefined));
  throwAll(
    faults.map((source) => ({
      code: 'InvalidInput' as const,
      message: `Malformed parameter: expand: '${source.slice(0, 100)}' is no expansion path.`,
    })),
  );
  // No path has an undefined segment here.
  return paths.map((segments) => ({ segments: segments as ExpansionSegment[] }));
}

function segmentOf(text: string): ExpansionSegment | undefined {
  const match = SEGMENT.exec(text.trim());
  if (match === null) return undefined;
  const indexes = [...match[2]!.matchAll(INDEX)].map(([, index]) => (index === '*' ? '*' : Number(index)));
  return { name: match[1]!, indexes };
}
