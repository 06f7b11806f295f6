import { inputsOf } from '../../../engine/computation.ts';
import type { RequestContext } from '../../../engine/context.ts';
import type { Document } from '../../../engine/document.ts';
import { copyOf } from '../../../engine/json.ts';
import type { Computation, Engine } from '../../../engine/resource.ts';
import type { Cart } from '../fields.ts';
import { costs, type Working, workingOf } from './computation.ts';
import type { Gathered } from './gathered.ts';

/** A copy of a stored cart that is ready to be computed as a request without actions would: nothing of it is kept. */
export async function anew(
  engine: Engine,
  { project, now }: Pick<RequestContext, 'project' | 'now'>,
  { cart, compute }: { readonly cart: Cart; readonly compute: Engine['compute'] },
): Promise<Working> {
  // What computes carts is asked as what computes any resource.
  const computation = costs as unknown as Computation;
  const before = cart as unknown as Document;
  const { found, gathered } = await inputsOf(engine, project.key, { computation, document: before });
  return workingOf(copyOf(cart), found, {
    project,
    now,
    gathered: gathered as Gathered,
    said: new Set<string>(),
    before,
    warn: () => {},
    leave: () => {},
    compute,
  });
}
