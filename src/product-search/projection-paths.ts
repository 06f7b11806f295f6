import { localePattern } from '../fields/scalar.ts';
import {
  attributePattern,
  type DocumentNames,
  type Path,
  ratings,
  type Scope,
  uuidPattern,
  type ValueClass,
} from './path.ts';

/** What a path of projection search can be used for (catalog 60, 65). */
interface PathUses {
  /** Only whether there are values can be asked. */
  readonly hasPresenceAlone: boolean;
  readonly isSortable: boolean;
  /** Values are ids of categories, of which `subtree` takes in those below, too. */
  readonly isTree: boolean;
}

export interface ProjectionPath extends PathUses {
  /** As it was sent. */
  readonly text: string;
  readonly path: Path;
}

interface Rule extends Partial<PathUses> {
  readonly pattern: RegExp;
  readonly scope: Scope;
  /** Of documents; `$<name>` stands for what the pattern has there. */
  readonly name: string;
  readonly class: ValueClass;
}

const locale = `(?<locale>${localePattern.slice(1, -1)})`;
const attribute = `(?<attribute>${attributePattern})`;
const uuid = `(?<id>${uuidPattern})`;

/** `path` is a regular expression in which a point is a point. */
function rule<const P extends string>(
  path: P,
  name: DocumentNames[P extends `variants${string}` ? 'variant' : 'product'],
  valueClass: ValueClass,
  uses: Partial<PathUses> = {},
): Rule {
  const scope = path.startsWith('variants\\.') ? 'variant' : 'product';
  return { pattern: new RegExp(`^${path}$`), scope, name, class: valueClass, ...uses };
}

const isSortable = { isSortable: true };
const hasPresenceAlone = { hasPresenceAlone: true };
const isTree = { isTree: true };

const rules: readonly Rule[] = [
  rule('id', 'id', 'keyword', isSortable),
  rule('key', 'key', 'keyword', isSortable),
  rule('productType\\.id', 'productType', 'keyword'),
  rule('categories', 'categories', 'keyword', isTree),
  rule('categories\\.id', 'categories', 'keyword', isTree),
  rule('state\\.id', 'state', 'keyword'),
  rule('taxCategory\\.id', 'taxCategory', 'keyword'),
  rule('createdAt', 'createdAt', 'dateTime', isSortable),
  rule('lastModifiedAt', 'lastModifiedAt', 'dateTime', isSortable),
  rule('published', 'published', 'boolean'),
  rule(
    `reviewRatingStatistics\\.(?<member>${ratings.join('|')})`,
    'reviewRatingStatistics.$<member>',
    'number',
    isSortable,
  ),
  rule(`searchKeywords\\.${locale}\\.text`, 'searchKeywords.$<locale>', 'text'),
  rule(`name\\.${locale}`, 'name.$<locale>', 'text', isSortable),
  rule(`slug\\.${locale}`, 'slug.$<locale>', 'text'),
  rule(`categoryOrderHints\\.${uuid}`, 'categoryOrderHints.$<id>', 'decimal', isSortable),
  rule('variants\\.sku', 'sku', 'keyword', isSortable),
  rule('variants\\.key', 'key', 'keyword'),
  // A variant without prices has no first one.
  rule('variants\\.prices?', 'price.centAmount', 'number', hasPresenceAlone),
  rule('variants\\.price\\.centAmount', 'price.centAmount', 'number', isSortable),
  rule('variants\\.price\\.currencyCode', 'price.currencyCode', 'keyword'),
  rule(
    'variants\\.scopedPrice\\.(?<value>value|currentValue|discounted\\.value)\\.centAmount',
    'scopedPrice.$<value>.centAmount',
    'number',
    isSortable,
  ),
  rule('variants\\.scopedPriceDiscounted', 'scopedPriceDiscounted', 'boolean'),
  rule(`variants\\.attributes\\.${attribute}`, 'attributes.$<attribute>', 'any', isSortable),
  rule(`variants\\.attributes\\.${attribute}\\.centAmount`, 'attributes.$<attribute>.centAmount', 'number', isSortable),
  rule(
    `variants\\.attributes\\.${attribute}\\.(?<member>key|currencyCode|typeId|id)`,
    'attributes.$<attribute>.$<member>',
    'keyword',
    isSortable,
  ),
  rule(`variants\\.attributes\\.${attribute}\\.label`, 'attributes.$<attribute>.label', 'text', isSortable),
  rule(
    `variants\\.attributes\\.${attribute}\\.(?<label>label\\.|)${locale}`,
    'attributes.$<attribute>.$<label>$<locale>',
    'text',
    isSortable,
  ),
  rule('variants\\.availability\\.isOnStock', 'availability.isOnStock', 'boolean'),
  rule('variants\\.availability\\.availableQuantity', 'availability.availableQuantity', 'number'),
  rule('variants\\.availability\\.isOnStockInChannels', 'availability.isOnStockInChannels', 'keyword'),
  rule(`variants\\.availability\\.channels\\.${uuid}\\.isOnStock`, 'availability.channels.$<id>.isOnStock', 'boolean'),
  rule(
    `variants\\.availability\\.channels\\.${uuid}\\.availableQuantity`,
    'availability.channels.$<id>.availableQuantity',
    'number',
  ),
];

/** What sort expressions call otherwise. */
const sortNames: ReadonlyMap<string, string> = new Map([['price', 'variants.price.centAmount']]);

/** The path that filters and facets call so; undefined where products have no such path. */
export function projectionPath(text: string): ProjectionPath | undefined {
  for (const { pattern, scope, name, class: valueClass, ...uses } of rules) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const { hasPresenceAlone = false, isSortable = false, isTree = false } = uses;
    const groups = match.groups ?? {};
    // Ids are held in lower case.
    const filled = name.replace(/\$<(\w+)>/g, (_, group: string) =>
      group === 'id' ? groups[group]!.toLowerCase() : groups[group]!,
    );
    return { text, path: { scope, name: filled, class: valueClass }, hasPresenceAlone, isSortable, isTree };
  }
  return undefined;
}

/** The path that sort expressions call so; undefined where nothing is sorted by it. */
export function sortPath(text: string): Path | undefined {
  const found = projectionPath(sortNames.get(text) ?? text);
  return found?.isSortable === true ? found.path : undefined;
}

/** The names of the attributes that there are, which tells whether one is there whatever its type is. */
export const attributeNames: Path = { scope: 'variant', name: 'attributes', class: 'keyword' };

/** The name of the attribute that a path leads to as a whole, without a member of it. */
export function wholeAttribute({ scope, name, class: valueClass }: Path): string | undefined {
  return scope === 'variant' && valueClass === 'any' ? name.slice('attributes.'.length) : undefined;
}

/** The categories of a product. */
export const categories: Path = { scope: 'product', name: 'categories', class: 'keyword' };

/** And all above them. */
export const categoriesSubTree: Path = { scope: 'product', name: 'categoriesSubTree', class: 'keyword' };
