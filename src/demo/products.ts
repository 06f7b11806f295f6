import type { Draft } from './draft.ts';
import { pictureName, pictureSize } from './picture.ts';
import { narrowPrices, plainPrices } from './prices.ts';
import { cares, sizes } from './product-types.ts';
import { Random } from './random.ts';
import { colors, departments, languages, localized, materials, qualities, series, type Words } from './words.ts';

/** URLs of pictures by their names. */
export type Pictures = ReadonlyMap<string, string>;

/** What is sold, each in a category of its own on the third level. */
const things = departments.flatMap((department) =>
  department.groups.flatMap((group) =>
    group.things.map((words) => ({
      words,
      productType: department.key,
      category: thingKey(`${department.key}-${group.key}`, words),
    })),
  ),
);

export function thingKey(group: string, words: Words): string {
  return `${group}-${words[0]}`.toLowerCase().replaceAll(' ', '-');
}

/** Of every twentieth product the prices stand alone. */
export const aloneEvery = 20;

export function productKey(number: number): string {
  return `product-${number}`;
}

/** Variants are numbered from 1; each product has the first. */
export function skuOf(number: number, variant: number): string {
  return `P${number}-${variant}`;
}

/** The first draws of a product, which its stock and its prices share. */
export function basicsOf(number: number): { readonly random: Random; readonly euroCents: number } {
  // Each product has a generator of its own, so that a part of the shop can be made again alone.
  const random = new Random(seedOfProducts + number * 7919);
  return { random, euroCents: random.integer(5, 400) * 100 };
}

const seedOfProducts = 20_260_101;

export function productDraft(number: number, pictures: Pictures): Draft {
  const { random, euroCents } = basicsOf(number);
  const thing = things[number % things.length]!;
  const { words, productType, category } = thing;
  const quality = random.pick(qualities);
  const line = random.pick(series);
  const slug = `${words[0]} ${line} ${number}`.toLowerCase().replaceAll(' ', '-');
  const isAlone = number % aloneEvery === 0;
  const material = localized(random.pick(materials));
  const variants = Array.from({ length: isAlone ? 1 : random.integer(1, 4) }, (_, index) =>
    variantDraft({ number, index, thing, euroCents, random, pictures, material, isAlone }),
  );
  const ofAll = (text: (word: string, index: number) => string): Record<string, string> =>
    Object.fromEntries(languages.map((language, index) => [language, text(words[index]!, index)]));
  return {
    key: productKey(number),
    productType: { key: productType },
    taxCategory: { key: 'standard' },
    priceMode: isAlone ? 'Standalone' : 'Embedded',
    name: ofAll((word, index) => `${quality[index]} ${word} ${line}`),
    slug: ofAll(() => slug),
    description: ofAll((word, index) => `${word} ${line}: ${quality[index]}.`),
    categories: [{ key: category }],
    attributes: [{ name: 'warrantyMonths', value: random.integer(1, 5) * 12 }],
    masterVariant: variants[0],
    variants: variants.slice(1),
    searchKeywords: Object.fromEntries(
      languages.map((language, index) => [language, searchKeywords(words[index]!, `${line} ${number}`)]),
    ),
    publish: !random.chance(0.05),
  };
}

/** All three forms: a whole text, one split at its blanks, and one with inputs of its own. */
function searchKeywords(thing: string, model: string): readonly Draft[] {
  return [
    { text: `${thing} ${model}`, suggestTokenizer: { type: 'whitespace' } },
    { text: thing },
    { text: `${model} · ${thing}`, suggestTokenizer: { type: 'custom', inputs: [model, model.replace(' ', '')] } },
  ];
}

interface VariantPlan {
  readonly number: number;
  readonly index: number;
  readonly thing: (typeof things)[number];
  readonly euroCents: number;
  readonly random: Random;
  readonly pictures: Pictures;
  readonly material: Record<string, string>;
  readonly isAlone: boolean;
}

function variantDraft(plan: VariantPlan): Draft {
  const { number, index, thing, random, pictures, isAlone } = plan;
  const color = random.pick(colors).words[0];
  const name = pictureName(thing.words[0], color);
  const euroCents = plan.euroCents + index * 500;
  const sku = skuOf(number, index + 1);
  return {
    sku,
    key: sku,
    prices: isAlone ? [] : [...plainPrices(euroCents), ...(index === 0 ? narrowPrices(euroCents, random) : [])],
    attributes: attributesOf(plan, color),
    images: [
      { url: pictures.get(name) ?? `https://images.example.org/${name}.png`, dimensions: pictureSize, label: name },
    ],
  };
}

function attributesOf({ thing, random, material, euroCents }: VariantPlan, color: string): readonly Draft[] {
  const values: Record<string, unknown> = {
    color,
    weight: random.integer(50, 5000),
    material,
    recyclable: random.chance(0.5),
    launchedOn: dateOf(random),
    dimensions: ['width', 'height', 'depth'].map((name) => ({ name, value: random.integer(20, 900) })),
    ...ownAttributes(thing.productType, random, euroCents),
  };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

function ownAttributes(productType: string, random: Random, euroCents: number): Readonly<Record<string, unknown>> {
  switch (productType) {
    case 'clothing':
      return { size: random.pick(sizes), care: cares.map(([key]) => key).filter(() => random.chance(0.6)) };
    case 'outdoor':
      return {
        testedAt: `${dateOf(random)}T${twoDigits(random.integer(8, 17))}:30:00.000Z`,
        features: ['light', 'foldable', 'waterproof', 'spare parts'].filter(() => random.chance(0.5)),
        goesWith: { typeId: 'category', key: random.pick(things).category },
      };
    default:
      return {
        careAt: `${twoDigits(random.integer(6, 22))}:${random.pick(['00', '30'])}:00.000`,
        repairPrice: { currencyCode: 'EUR', centAmount: Math.round(euroCents / 10) },
        serialNote: `Batch ${random.integer(1, 99)}`,
      };
  }
}

function dateOf(random: Random): string {
  return `202${random.integer(4, 6)}-${twoDigits(random.integer(1, 12))}-${twoDigits(random.integer(1, 28))}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
