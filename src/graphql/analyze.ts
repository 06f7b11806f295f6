import { buildSchema, GraphQLError, type GraphQLSchema, validate } from 'graphql';
import { parseCanonical } from './aliases.ts';
import { type FieldCosts, type Score, scoreOperations } from './complexity.ts';

/** A schema as text, for threads that did not build it. */
export interface SchemaSource {
  readonly sdl: string;
  readonly costs: FieldCosts;
}

/** An error of a query text: of its grammar, or of its fit to the schema. */
export interface TextError {
  readonly message: string;
  readonly locations: readonly { readonly line: number; readonly column: number }[];
  readonly isSyntax: boolean;
}

/** What a query text is, found in a worker before the event loop spends anything on it. */
export type Analysis = { readonly errors: readonly TextError[] } | { readonly scores: Readonly<Record<string, Score>> };

/** Tokens of one text. */
export const tokensMax = 5000;
const errorsMax = 20;

/** Parses, validates and scores texts against one schema. */
export function createAnalyzer({ sdl, costs }: SchemaSource): (text: string) => Analysis {
  const schema: GraphQLSchema = buildSchema(sdl);
  return (text) => {
    try {
      const document = parseCanonical(schema, text, { maxTokens: tokensMax });
      const errors = validate(schema, document, undefined, { maxErrors: errorsMax });
      return errors.length > 0
        ? { errors: errors.map((error) => textError(error, false)) }
        : { scores: scoreOperations(schema, document, costs) };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [textError(error, true)] };
      // Selections that are nested too deeply exhaust the stack of the parser, or of the scorer.
      if (error instanceof RangeError)
        return { errors: [{ message: 'The query is nested too deeply.', locations: [], isSyntax: true }] };
      throw error;
    }
  };
}

function textError({ message, locations }: GraphQLError, isSyntax: boolean): TextError {
  return { message, locations: (locations ?? []).map(({ line, column }) => ({ line, column })), isSyntax };
}
