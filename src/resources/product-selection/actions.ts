import { action, invalidOperation } from '../../engine/actions.ts';
import type { Fixed } from '../../engine/document.ts';
import type { Action, ApplyContext } from '../../engine/resource.ts';
import { apiError } from '../../errors/api-error.ts';
import { type Fields, optional, required } from '../../fields/field.ts';
import type { Reference } from '../../fields/parsing.ts';
import { reference } from '../../fields/reference.ts';
import {
  isInclusion,
  variantExclusion,
  type Variants,
  variantSelection,
  type VariantSelection,
} from '../product-selection-assignment/fields.ts';
import { type Assignment, assignmentLookup, foundAssignment } from '../product-selection-assignment/offers.ts';
import type { Mode, ProductSelection } from './fields.ts';

/** What an action says of a product in the selection. */
export interface Noted {
  readonly product: string;
  /** As it is stored. */
  readonly before: Assignment | undefined;
  /** Undefined where the product is not in the selection any more. */
  readonly after: Fixed<Variants> | undefined;
}

type Given = Variants & { readonly product: Reference };

/** What becomes of the variants of a product; undefined stands for one that is not in the selection. */
type Become = (present: Fixed<Variants> | undefined, given: Given) => Fixed<Variants> | undefined;

interface Assigning {
  /** The selections that have the action; undefined where all do. */
  readonly mode?: Mode;
  readonly fields?: Fields;
  readonly become: Become;
}

const product = required(reference('product', 'Product', { strength: 'loose' }));

function assigning({ mode, fields = {}, become }: Assigning): Action {
  const apply = (selection: ProductSelection, input: object, context: ApplyContext): void => {
    if (mode !== undefined && selection.mode !== mode)
      throw invalidOperation(
        `The product selection is ${selection.mode}, but the action is for those that are ${mode}.`,
      );
    // Parsed by the fields below.
    const given = input as Given;
    const noted = lastNoted(selection, given.product.id, context);
    const after = become(noted.after, given);
    if (isSame(noted.after, after)) return;
    selection.productCount += Number(after !== undefined) - Number(noted.after !== undefined);
    context.noted.push({ ...noted, after } satisfies Noted);
  };
  return {
    ...action({ product, ...fields } as Fields, apply),
    holdersFor: (selection, input) => [
      assignmentLookup({ selection: selection.id, product: (input as Given).product.id }),
    ],
  };
}

/** What the actions before this one have made of a product, or else what is stored. */
export function lastNoted(
  selection: Pick<ProductSelection, 'id'>,
  product: string,
  { noted, found }: ApplyContext,
): Noted {
  // Only the actions here note anything.
  const last = (noted as readonly Noted[]).findLast((each) => each.product === product);
  if (last !== undefined) return last;
  const before = foundAssignment(found, { selection: selection.id, product });
  return { product, before, after: before && namedVariants(before) };
}

function namedVariants({ variantSelection, variantExclusion }: Fixed<Variants>): Fixed<Variants> {
  return { ...(variantSelection && { variantSelection }), ...(variantExclusion && { variantExclusion }) };
}

/**
 * A product is in the selection once; the same again says nothing, and other variants take an action that changes them. The
 * error has variants that are in: of an exclusion those that it leaves, and where none are named what `whole` says.
 */
function add(whole: VariantSelection): Become {
  return (present, given) => {
    const after = namedVariants(given);
    if (present !== undefined && !isSame(present, after))
      throw apiError(
        'ProductPresentWithDifferentVariantSelection',
        `The product '${given.product.id}' is in the product selection with other variants.`,
        { product: given.product, existingVariantSelection: selectionOf(present) ?? whole },
      );
    return after;
  };
}

const change: Become = (present, given) => {
  if (present === undefined)
    throw apiError('ProductAssignmentMissing', `The product '${given.product.id}' is not in the product selection.`, {
      product: given.product,
    });
  return namedVariants(given);
};

const selected = { mode: 'Individual', fields: { variantSelection: optional(variantSelection) } } as const;
const excluded = { mode: 'IndividualExclusion', fields: { variantExclusion: optional(variantExclusion) } } as const;

export const addProduct = assigning({ ...selected, become: add({ type: 'includeAllExcept', skus: [] }) });
export const setVariantSelection = assigning({ ...selected, become: change });
export const excludeProduct = assigning({ ...excluded, become: add({ type: 'includeOnly', skus: [] }) });
export const setVariantExclusion = assigning({ ...excluded, become: change });
/** The public texts do not say what becomes of a product that is not there: nothing. */
export const removeProduct = assigning({ become: () => undefined });

/** Whether the same variants are meant, in whatever order and by whichever name. */
function isSame(one: Fixed<Variants> | undefined, other: Fixed<Variants> | undefined): boolean {
  return meaningOf(one) === meaningOf(other);
}

function meaningOf(variants: Fixed<Variants> | undefined): string {
  if (variants === undefined) return 'absent';
  const { variantSelection: selection, variantExclusion: exclusion } = variants;
  const named = selection ?? exclusion;
  if (named === undefined) return 'all';
  const form = selection !== undefined && isInclusion(selection) ? 'only' : 'except';
  return JSON.stringify([form, ...new Set(named.skus.toSorted())]);
}

function selectionOf({ variantSelection, variantExclusion }: Fixed<Variants>): Fixed<VariantSelection> | undefined {
  return variantSelection ?? (variantExclusion && { type: 'includeAllExcept', skus: variantExclusion.skus });
}
