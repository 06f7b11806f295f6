import type { Draft } from './draft.ts';
import { colors, departments, languages, localized, type Words } from './words.ts';

export const sizes = ['S', 'M', 'L', 'XL'] as const;
export const cares: readonly (readonly [key: string, words: Words])[] = [
  ['cold', ['Wash cold', 'Kalt waschen', 'Laver à froid', 'Lavare a freddo', '冷水洗い']],
  ['shade', ['Dry in the shade', 'Im Schatten trocknen', "Sécher à l'ombre", "Asciugare all'ombra", '陰干し']],
  ['no-iron', ['Do not iron', 'Nicht bügeln', 'Ne pas repasser', 'Non stirare', 'アイロン不可']],
];

/** Products of others hold values that this one describes. */
export function nestedType(): readonly Draft[] {
  return [
    {
      key: 'dimensions',
      name: 'Dimensions',
      description: 'Width, height and depth in millimeters',
      attributes: ['width', 'height', 'depth'].map((name) => attribute(name, { name: 'number' }, sameWords(name))),
    },
  ];
}

/** One for each department: what all have, and what is its own. Together they have an attribute of each type. */
export function productTypes(): readonly Draft[] {
  return departments.map(({ key, name }) => ({
    key,
    name: name[0],
    description: `Products of ${name[0]}`,
    attributes: [...common, ...(own[key] ?? [])],
  }));
}

const lenum = (values: readonly (readonly [key: string, words: Words])[]): Draft => ({
  name: 'lenum',
  values: values.map(([key, words]) => ({ key, label: localized(words) })),
});

const common: readonly Draft[] = [
  attribute('color', lenum(colors.map(({ words }) => [words[0], words])), [
    'Color',
    'Farbe',
    'Couleur',
    'Colore',
    '色',
  ]),
  attribute('weight', { name: 'number' }, ['Weight in g', 'Gewicht in g', 'Poids en g', 'Peso in g', '重さ (g)']),
  {
    ...attribute('material', { name: 'ltext' }, ['Material', 'Material', 'Matière', 'Materiale', '素材']),
    attributeConstraint: 'SameForAll',
  },
  attribute('recyclable', { name: 'boolean' }, [
    'Recyclable',
    'Recycelbar',
    'Recyclable',
    'Riciclabile',
    'リサイクル可',
  ]),
  attribute('launchedOn', { name: 'date' }, ['Launch', 'Neu seit', 'Lancement', 'Lancio', '発売日']),
  {
    ...attribute('dimensions', { name: 'nested', typeReference: { typeId: 'product-type', key: 'dimensions' } }, [
      'Dimensions',
      'Maße',
      'Dimensions',
      'Dimensioni',
      '寸法',
    ]),
    isSearchable: false,
  },
  {
    ...attribute('warrantyMonths', { name: 'number' }, ['Warranty', 'Garantie', 'Garantie', 'Garanzia', '保証']),
    level: 'Product',
  },
];

const own: Readonly<Record<string, readonly Draft[]>> = {
  clothing: [
    attribute('size', { name: 'enum', values: sizes.map((size) => ({ key: size, label: size })) }, sameWords('size')),
    attribute('care', { name: 'set', elementType: lenum(cares) }, ['Care', 'Pflege', 'Entretien', 'Cura', 'お手入れ']),
  ],
  outdoor: [
    attribute('testedAt', { name: 'datetime' }, ['Tested', 'Geprüft', 'Testé', 'Testato', '検査日時']),
    attribute('features', { name: 'set', elementType: { name: 'text' } }, sameWords('features')),
    attribute('goesWith', { name: 'reference', referenceTypeId: 'category' }, [
      'Goes with',
      'Passt zu',
      'Va avec',
      'Si abbina a',
      '相性',
    ]),
  ],
  home: [
    attribute('careAt', { name: 'time' }, ['Best used at', 'Am besten um', 'Heure idéale', 'Ora ideale', '使用時刻']),
    attribute('repairPrice', { name: 'money' }, ['Repair', 'Reparatur', 'Réparation', 'Riparazione', '修理費']),
    attribute('serialNote', { name: 'text' }, ['Note', 'Hinweis', 'Remarque', 'Nota', '備考']),
  ],
};

function attribute(name: string, type: Draft, label: Words): Draft {
  return { name, type, label: localized(label), isRequired: false };
}

function sameWords(word: string): Words {
  return languages.map(() => word) as unknown as Words;
}
