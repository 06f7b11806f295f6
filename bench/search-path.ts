/** The path of a search of projections, whose parameters may repeat. */
export function searchPath(
  { project }: { readonly project: string },
  parameters: readonly (readonly [name: string, value: string])[],
): string {
  const query = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]));
  return `${project}/product-projections/search?${query.toString()}`;
}
