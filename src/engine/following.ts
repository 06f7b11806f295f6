/** How a kind declares whom its resources follow. `src/following` has them do so. */
import type { Predicate } from '../predicate/ast.ts';
import type { Description, Document, Fixed } from './document.ts';

/** That resources of a kind follow others in the background, of one more kind. */
export interface Following {
  /** The kind of the sources. */
  readonly kind: string;
  /**
   * Which resources follow the sources of these ids. What describes the resources is followed through those of
   * its kind that take it in as well. Absent where all of the kind follow all sources together.
   */
  where?(ids: readonly string[]): Predicate;
  /**
   * Followers are those that refer to the source, as it describes parts of them: these lose what it does not define any
   * more, and nothing else becomes of them.
   */
  readonly byReference?: true;
  /**
   * In place of `where`: the unique values of a source that its followers name instead of its id, such as the SKUs of a
   * product, and the member by which they are grouped. Each change of the source is followed; of one that has gone nobody
   * knows the values.
   */
  readonly sharing?: Sharing;
  /** Nothing follows while the project has none of this kind. */
  readonly needs?: string;
  /** Those that follow the followers follow the source as well, though these are not written for it. */
  readonly isPassedOn?: true;
  /** Tells apart the states of a source after which its followers may be others; by default all are. */
  mark?(source: Description): string;
  /** Nothing follows from what a source is, only from its end. */
  readonly isOfItsEnd?: true;
  /** The next moment at which something else follows from the sources by the clock alone. */
  nextAt?(sources: readonly Fixed<Document>[], now: string): string | undefined;
  /** What becomes of those whose source has gone: they go as well, or change. By default they follow as otherwise. */
  readonly whenGone?: 'removed' | ((document: Document, id: string) => void);
}

/** Of the sources the field of unique values, of the followers the member. */
export interface Sharing {
  readonly unique: string;
  readonly member: string;
}

/** A kind that describes parts of others, such as their custom fields, which follow what it defines. */
export interface DescribesParts {
  /** Tells apart the states after which followers may have to lose something. */
  mark(source: Description): string;
}
