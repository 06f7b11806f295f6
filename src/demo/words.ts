/** Words of the demo shop in its five languages: English, German, French, Italian, Japanese. */
export const languages = ['en', 'de', 'fr', 'it', 'ja'] as const;

export type Words = readonly [en: string, de: string, fr: string, it: string, ja: string];

interface Department {
  readonly key: string;
  readonly name: Words;
  readonly groups: readonly { readonly key: string; readonly name: Words; readonly things: readonly Words[] }[];
}

export const departments: readonly Department[] = [
  {
    key: 'clothing',
    name: ['Clothing', 'Kleidung', 'Vêtements', 'Abbigliamento', '衣類'],
    groups: [
      {
        key: 'jackets',
        name: ['Jackets', 'Jacken', 'Vestes', 'Giacche', 'ジャケット'],
        things: [
          ['Rain Jacket', 'Regenjacke', 'Veste de pluie', 'Giacca antipioggia', 'レインジャケット'],
          ['Down Jacket', 'Daunenjacke', 'Doudoune', 'Piumino', 'ダウンジャケット'],
          ['Fleece Vest', 'Fleeceweste', 'Gilet polaire', 'Gilet in pile', 'フリースベスト'],
        ],
      },
      {
        key: 'shirts',
        name: ['Shirts', 'Hemden', 'Chemises', 'Camicie', 'シャツ'],
        things: [
          ['Flannel Shirt', 'Flanellhemd', 'Chemise en flanelle', 'Camicia di flanella', 'フランネルシャツ'],
          ['Polo Shirt', 'Polohemd', 'Polo', 'Polo', 'ポロシャツ'],
          ['Long Sleeve', 'Langarmshirt', 'Manches longues', 'Maglia a maniche lunghe', '長袖シャツ'],
        ],
      },
    ],
  },
  {
    key: 'outdoor',
    name: ['Outdoor', 'Outdoor', 'Plein air', 'Outdoor', 'アウトドア'],
    groups: [
      {
        key: 'tools',
        name: ['Tools', 'Werkzeug', 'Outils', 'Utensili', '道具'],
        things: [
          ['Pocket Knife', 'Taschenmesser', 'Couteau de poche', 'Coltellino', 'ポケットナイフ'],
          ['Multi Tool', 'Multifunktionswerkzeug', 'Outil multifonction', 'Multiutensile', 'マルチツール'],
          ['Head Lamp', 'Stirnlampe', 'Lampe frontale', 'Lampada frontale', 'ヘッドランプ'],
          ['Compass', 'Kompass', 'Boussole', 'Bussola', 'コンパス'],
        ],
      },
      {
        key: 'camping',
        name: ['Camping', 'Camping', 'Camping', 'Campeggio', 'キャンプ'],
        things: [
          ['Tent', 'Zelt', 'Tente', 'Tenda', 'テント'],
          ['Sleeping Bag', 'Schlafsack', 'Sac de couchage', 'Sacco a pelo', '寝袋'],
          ['Gas Stove', 'Gaskocher', 'Réchaud à gaz', 'Fornello a gas', 'ガスストーブ'],
        ],
      },
    ],
  },
  {
    key: 'home',
    name: ['Home', 'Zuhause', 'Maison', 'Casa', 'ホーム'],
    groups: [
      {
        key: 'kitchen',
        name: ['Kitchen', 'Küche', 'Cuisine', 'Cucina', 'キッチン'],
        things: [
          ['Frying Pan', 'Bratpfanne', 'Poêle', 'Padella', 'フライパン'],
          ['Tea Kettle', 'Teekessel', 'Bouilloire', 'Bollitore', 'やかん'],
          ['Cutting Board', 'Schneidebrett', 'Planche à découper', 'Tagliere', 'まな板'],
          ['Coffee Grinder', 'Kaffeemühle', 'Moulin à café', 'Macinacaffè', 'コーヒーミル'],
        ],
      },
      {
        key: 'living',
        name: ['Living Room', 'Wohnzimmer', 'Salon', 'Soggiorno', 'リビング'],
        things: [
          ['Floor Lamp', 'Stehlampe', 'Lampadaire', 'Lampada da terra', 'フロアランプ'],
          ['Wool Blanket', 'Wolldecke', 'Couverture en laine', 'Coperta di lana', 'ウールブランケット'],
          ['Book Shelf', 'Bücherregal', 'Étagère', 'Libreria', '本棚'],
        ],
      },
    ],
  },
];

export const qualities: readonly Words[] = [
  ['Light', 'Leichte', 'Légère', 'Leggera', '軽い'],
  ['Sturdy', 'Robuste', 'Robuste', 'Robusta', '丈夫な'],
  ['Classic', 'Klassische', 'Classique', 'Classica', 'クラシック'],
  ['Compact', 'Kompakte', 'Compacte', 'Compatta', 'コンパクト'],
  ['Foldable', 'Faltbare', 'Pliable', 'Pieghevole', '折りたたみ'],
  ['Warm', 'Warme', 'Chaude', 'Calda', '暖かい'],
  ['Simple', 'Schlichte', 'Simple', 'Semplice', 'シンプル'],
  ['Large', 'Große', 'Grande', 'Grande', '大きい'],
];

export const series = [
  'Alba',
  'Boreal',
  'Cinder',
  'Dune',
  'Ember',
  'Fjord',
  'Granite',
  'Harbor',
  'Isla',
  'Juniper',
  'Kestrel',
  'Linden',
  'Meridian',
  'Nordic',
  'Orchard',
  'Pine',
];

export const colors: readonly {
  readonly words: Words;
  readonly rgb: readonly [red: number, green: number, blue: number];
}[] = [
  { words: ['black', 'schwarz', 'noir', 'nero', '黒'], rgb: [60, 60, 64] },
  { words: ['white', 'weiß', 'blanc', 'bianco', '白'], rgb: [225, 225, 220] },
  { words: ['green', 'grün', 'vert', 'verde', '緑'], rgb: [70, 140, 80] },
  { words: ['blue', 'blau', 'bleu', 'blu', '青'], rgb: [60, 105, 180] },
  { words: ['red', 'rot', 'rouge', 'rosso', '赤'], rgb: [190, 60, 55] },
];

export const materials: readonly Words[] = [
  ['Cotton', 'Baumwolle', 'Coton', 'Cotone', '綿'],
  ['Wool', 'Wolle', 'Laine', 'Lana', 'ウール'],
  ['Steel', 'Stahl', 'Acier', 'Acciaio', '鋼'],
  ['Oak', 'Eiche', 'Chêne', 'Rovere', 'オーク'],
];

export function localized(words: Words): Record<string, string> {
  return Object.fromEntries(languages.map((language, index) => [language, words[index]!]));
}
