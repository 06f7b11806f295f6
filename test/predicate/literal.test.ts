import fc from 'fast-check';
import t from 'tap';
import { normalizedDateTime, normalForm } from '../../src/predicate/literal.ts';

const two = (number: number): string => String(number).padStart(2, '0');

t.test('the days of a leap year and of another are those of the calendar', async (t) => {
  for (const year of [2023, 2024]) {
    for (let month = 0; month <= 13; month += 1) {
      for (let day = 0; day <= 32; day += 1) {
        const moment = new Date(Date.UTC(year, month - 1, day));
        const exists = moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day;
        const text = `${year}-${two(month)}-${two(day)}T12:34:56.789Z`;
        t.equal(normalizedDateTime(text), exists ? text : undefined, text);
      }
    }
  }
});

t.test('a moment has the one form, whatever form it came in', async (t) => {
  for (const [text, normalized] of [
    ['2030-01-31T00:00:00.000Z', '2030-01-31T00:00:00.000Z'],
    ['2030-01-31T23:59:59.999Z', '2030-01-31T23:59:59.999Z'],
    ['2030-01-31', '2030-01-31T00:00:00.000Z'],
    ['2030-01-31T12:00', '2030-01-31T12:00:00.000Z'],
    ['2030-01-31T12:00:00.123456Z', '2030-01-31T12:00:00.123Z'],
    ['2030-01-31T23:00:00.000-02:00', '2030-02-01T01:00:00.000Z'],
    ['2030-01-31T25:00:00.000Z', undefined],
    ['2030-01-31T12:60:00.000Z', undefined],
    ['2030-01-31T12:00:60.000Z', undefined],
    ['2030-01-31 12:00:00.000Z', undefined],
    ['2030-01-31T12:00:00.000Z ', undefined],
    ['9999-12-31T23:00:00.000-02:00', undefined],
  ] as const)
    t.equal(normalizedDateTime(text), normalized, text);
  const dates = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(fc.property(dates, (date) => normalizedDateTime(date.toISOString()) === date.toISOString()));
});

t.test('texts that name a moment in full, or a time of day, are held in one form', async (t) => {
  for (const [text, held] of [
    ['2030-01-31T12:00+01:00', '2030-01-31T11:00:00.000Z'],
    ['2030-01-31T12:00:00', undefined],
    ['2030-01-31', undefined],
    ['2030-02-31T12:00:00Z', undefined],
    ['10:20:30', '10:20:30.000'],
    ['23:59:59.5', '23:59:59.500'],
    ['24:00:00', undefined],
    ['10:20', undefined],
    ['', undefined],
  ] as const)
    t.equal(normalForm(text)?.text, held, text);
});
