import { type FieldKind, required, optional, type ValueOf } from './field.ts';
import { object } from './object.ts';
import { integer, text } from './scalar.ts';

const pixels = integer({ min: 0, type: 'Int' });

/** Width and height in pixels. GraphQL spells the names out, under these type names. */
export function dimensions(typeName: string, inputName: string): FieldKind<{ w: number; h: number }> {
  const input = {
    name: inputName,
    fields: ['width', 'height'].map((name) => ({ name, type: 'Int!' })),
  };
  return {
    ...object(
      typeName,
      { w: required(pixels), h: required(pixels) },
      {
        output: [
          { name: 'width', type: 'Int!', complexity: 1, read: (parent) => parent['w'] },
          { name: 'height', type: 'Int!', complexity: 1, read: (parent) => parent['h'] },
        ],
      },
    ),
    input: {
      type: inputName,
      types: () => [input],
      read: (given) => {
        // The schema has typed the members.
        const { width, height } = given as { width: number; height: number };
        return { w: width, h: height };
      },
    },
  };
}

const imageFields = {
  url: required(text(['https://images.example.org/1.jpg'])),
  dimensions: required(dimensions('Dimensions', 'DimensionsInput')),
  label: optional(text()),
};

export type Image = ValueOf<typeof imageFields>;

export const image = object('Image', imageFields, { input: 'ImageInput' });
