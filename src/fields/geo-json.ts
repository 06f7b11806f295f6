import { type FieldKind, plainInput, refined, required } from './field.ts';
import { list } from './list.ts';
import { oneOf, type Tagged } from './one-of.ts';
import { decimal } from './scalar.ts';

const longitudeMax = 180;
const latitudeMax = 90;

const coordinates = refined(list(decimal({ min: -longitudeMax, max: longitudeMax })), (pair, parsing) => {
  const [, latitude = Infinity] = pair;
  if (pair.length === 2 && Math.abs(latitude) <= latitudeMax) return pair;
  return parsing.wrongValue(pair, 'a longitude from -180 to 180 and a latitude from -90 to 90');
});

/** A GeoJSON object, of which a point is the only form (specification 2.6). */
export function geoJson(): FieldKind<Tagged> {
  return {
    ...oneOf('Geometry', { Point: { typeName: 'Point', fields: { coordinates: required(coordinates) } } }),
    input: plainInput('GeometryInput', () => [
      {
        name: 'GeometryInput',
        fields: [
          { name: 'type', type: 'String!' },
          { name: 'coordinates', type: '[Float!]' },
        ],
      },
    ]),
    examples: [{ type: 'Point', coordinates: [13.377_04, 52.516_28] }],
  };
}
