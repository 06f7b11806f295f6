import { GraphQLError } from 'graphql';
import t from 'tap';
import { apiError } from '../../src/errors/api-error.ts';
import { type Failure, resultAnswer } from '../../src/graphql/answer-errors.ts';

function failed(thrown: unknown, ...path: readonly (string | number)[]): Failure {
  return { error: new GraphQLError('It failed.', { path }), thrown };
}

t.test('a missing scope is the status where nothing came of the request', async (t) => {
  const refused = apiError('insufficient_scope', 'Insufficient scope.');
  const other = apiError('InvalidInput', 'No.');
  const cases: readonly (readonly [data: object | null, failures: readonly Failure[], status: number])[] = [
    [{ a: null }, [failed(refused, 'a')], 403],
    [null, [failed(refused, 'a')], 403],
    [{ a: null, b: null }, [failed(other, 'b'), failed(refused, 'a')], 403],
    [{ a: null }, [failed(other, 'a')], 200],
    [{ a: null, b: null }, [failed(refused, 'a')], 200],
    [{ a: null, b: 1 }, [failed(refused, 'a')], 200],
    [{ me: { a: null } }, [failed(refused, 'me', 'a')], 403],
    [{ me: { a: null, b: 1 } }, [failed(refused, 'me', 'a')], 200],
    // Where an element must not be null, its list is in its place.
    [{ list: null }, [failed(refused, 'list', 0, 'a')], 403],
    [{ list: [{ a: null }] }, [failed(refused, 'list', 0, 'a')], 200],
    [{ list: [], a: null }, [failed(refused, 'a')], 200],
  ];
  for (const [data, failures, status] of cases) {
    const answer = resultAnswer(data as never, failures, false);
    t.equal(answer.status, status, JSON.stringify(data));
    t.match(JSON.parse(answer.body), { data: data as never, errors: failures.map(() => Object) });
    t.equal(resultAnswer(data as never, failures, true).status, 200, 'what was written is told');
  }
  const { status, body } = resultAnswer({ a: null, b: null }, [failed(other, 'b'), failed(refused, 'a')], false);
  t.match(JSON.parse(body), { statusCode: status, message: 'Insufficient scope.' });
});
