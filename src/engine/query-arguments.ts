/** Common query parameters (specification 4.1). Absent numbers take their defaults. */
export interface QueryArguments {
  readonly where: readonly string[];
  /** Values of `var.<name>` parameters. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
  readonly sort: readonly string[];
  readonly expand: readonly string[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly withTotal: boolean;
}
