/** A project as requests see it. */
export interface Project {
  readonly key: string;
  readonly version: number;
  readonly settings: ProjectSettings;
}

export type IndexingStatus = 'Activated' | 'Indexing' | 'Deactivated';

type RoundingMode = 'HalfEven' | 'HalfUp' | 'HalfDown';

export interface ProjectSettings {
  readonly name: string;
  readonly countries: readonly string[];
  readonly currencies: readonly string[];
  readonly languages: readonly string[];
  readonly createdAt: string;
  readonly searchIndexing?: {
    /** Of projections. */
    readonly products?: { readonly status: IndexingStatus };
    readonly productsSearch?: { readonly status: IndexingStatus };
  };
  /** The endpoint that knows the tokens of another server. */
  readonly externalOAuth?: { readonly url: string; readonly authorizationHeader: string };
  readonly messages?: { readonly enabled: boolean; readonly deleteDaysAfterCreation?: number };
  readonly customers?: { readonly passwordPolicy: 'Strict' | 'Relaxed' };
  readonly carts?: {
    readonly deleteDaysAfterLastModification?: number;
    readonly countryTaxRateFallbackEnabled?: boolean;
    readonly priceRoundingMode?: RoundingMode;
    readonly taxRoundingMode?: RoundingMode;
  };
  readonly shoppingLists?: { readonly deleteDaysAfterLastModification: number };
  readonly discounts?: { readonly discountCombinationMode: 'Stacking' | 'BestDeal' };
  readonly inventory?: {
    readonly reservationExpirationInMinutes?: number;
    readonly releaseExpiredReservations: boolean;
  };
  readonly shippingRateInputType?: Readonly<Record<string, unknown>> & { readonly type: string };
}

/** Whose token a request has to come with: a customer's, or one of an anonymous session. */
export type Shopper = 'customer' | 'anonymous';

/** Who sends the request, as its access token says. Tokens are for one project, so a principal is of one too. */
export interface Principal {
  readonly clientId: string;
  /** As granted: `view_orders:my-project`, `manage_orders:my-project:my-store`. */
  readonly scopes: ReadonlySet<string>;
  /** Whose session it is; undefined for a token of the client itself. */
  readonly shopper: { readonly kind: Shopper; readonly id: string } | undefined;
  /** The shopper and the scopes as one text: principals with equal grants may see the same. */
  readonly grants: string;
  /** Whether it holds a scope such as `view_orders:my-project`, or one that implies it. */
  mayHandOut(scope: string): boolean;
}

/** What is known of a request while it runs. Each has an object of its own, by which its shares are counted. */
export interface RequestSignal {
  /** Aborted when nobody waits for the answer any more: its client has gone, or its time is over. */
  readonly signal?: AbortSignal;
}

/** A request, as far as it says in whose name it takes its share of what there is. */
export interface Requester extends RequestSignal {
  readonly project: { readonly key: string };
  readonly principal: { readonly clientId: string };
}

/** What a query fails with whose request has ended. No client hears of it. */
export class RequestEnded extends Error {
  constructor() {
    super('Nobody waits for the answer any more.');
  }
}

export function hasEnded({ signal }: RequestSignal): boolean {
  return signal?.aborted === true;
}

export function throwIfEnded(request: RequestSignal): void {
  if (hasEnded(request)) throw new RequestEnded();
}

/** What every operation knows of its request. */
export interface RequestContext extends Requester {
  readonly project: Project;
  readonly principal: Principal;
  readonly correlationId: string;
  /** The moment of the request, for all that it stamps and all whose time it judges. */
  readonly now: string;
  readonly externalUserId: string | undefined;
}

/** What the path of a request keeps to; nothing on a project's own paths. */
export interface Place {
  /** On a store's paths. Routes of kinds that have none there have no store. */
  readonly storeKey?: string;
  /** On the paths of a shopper. */
  readonly owner?: Owner;
  /**
   * On the paths of a projection: its parameters, which say what shows of resources. Beside them `isInStore` says that they
   * are asked for in a store, and a search what it `found`.
   */
  readonly shownBy?: Readonly<Record<string, unknown>>;
}

export interface Owner {
  /** The member of the kind that names the owner, by an id or by a reference. */
  readonly member: string;
  readonly id: string;
  /** All members that name owners of one sort or another. */
  readonly members: readonly string[];
}
