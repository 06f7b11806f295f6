/**
 * What a resource is: data, and functions that the engine calls. It knows the engine that they are handed, and the engine
 * knows its resources. Nothing in this layer names a resource kind, speaks a protocol or knows SQL.
 */
import type { Members } from './indexed.ts';
import type { ErrorElement } from '../errors/api-error.ts';
import type { ErrorCode } from '../errors/codes.ts';
import type { FieldKind, Fields, Input, InputField, OutputType } from '../fields/field.ts';
import type { Initiator } from '../fields/initiator.ts';
import type { KeyReference, Parsing } from '../fields/parsing.ts';
import type { Predicate } from '../predicate/ast.ts';
import type { FixedMember } from '../predicate/fixed-member.ts';
import type { ObjectShape } from '../predicate/shape.ts';
import type { Compute } from '../tasks/task.ts';
import type { AccountTokens } from './account-tokens.ts';
import type { Accounts } from './accounts.ts';
import type { CoherentCache, Derived, Fence, Sources } from './coherence.ts';
import type { Place, ProjectSettings, RequestContext, Shopper } from './context.ts';
import type { Description, Document, Fixed, Internals, TakenValue, UniqueValue } from './document.ts';
import type { DescribesParts, Following } from './following.ts';
import type { GroupMember } from './groups.ts';
import type { ImageStore } from './image-store.ts';
import type { Json } from './json.ts';
import type { LastWritten } from './last-written.ts';
import type { Telling, Told } from './messages.ts';
import type { Gone, Listeners } from './notices.ts';
import type { Passwords } from './passwords.ts';
import type { QueryArguments } from './query-arguments.ts';
import type { GroupLookup, Insertion, Store, UniqueLookup, Write, Writes } from './store.ts';
import type { Searcher } from './searcher.ts';
import type { Suggester } from './suggester.ts';

/** What an update action or a create function may ask for besides its input. */
export interface ApplyContext {
  readonly project: RequestContext['project'];
  /** The moment of the request. */
  readonly now: string;
  readonly initiator: Initiator;
  /** A new id, for parts of a resource that have one. */
  newId(): string;
  /** Whether who asks holds the scope for the whole project. */
  holds(scope: string): boolean;
  /** What the request named, and what the declaration of the kind says that it needs. */
  readonly found: Pick<Found, 'one' | 'holder'>;
  /**
   * What the platform keeps of the resource that no client sees. What a create or an action puts here, or changes, is stored
   * with the resource.
   */
  readonly internals: Record<string, unknown>;
  /** Takes what `along` is to hear of. */
  readonly noted: unknown[];
  /** Takes names of what the request says itself, for the computation to hold it to that. */
  readonly said: Set<string>;
  /** Takes the messages that the write is to leave. */
  readonly told: Told[];
  /**
   * For values whose form only the resource knows, or what describes it: faults are thrown together after the last action,
   * and references found then.
   */
  readonly parsing: Parsing;
  /**
   * Takes what an action works through that the size of the resource does not tell, as if it were so many bytes of it: others
   * have turns by that, too.
   */
  readonly work: { bytes: number };
  /** Lets others have a turn where the work since the last one is due one. Actions have turns between them. */
  turn(): Promise<void>;
  /** Has an update keep these secrets beside the document, in place of those that are there. */
  keepSecrets(secrets: Readonly<Record<string, string>>): void;
}

/** What GraphQL takes for an action, where that does not follow from the action's fields. */
export interface ActionInput {
  readonly fields: readonly InputField[];
  readonly types: Input['types'];
  /** What REST has for the input. */
  read(input: Readonly<Record<string, unknown>>): unknown;
}

export interface NamedResource {
  readonly kind: string;
  readonly id: string;
}

/** What an action is prepared from. */
export interface PrepareRequest {
  readonly engine: Engine;
  readonly context: RequestContext;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One update action: the fields it takes, and what it does to the working copy. It throws to refuse. */
export interface Action {
  readonly fields: Fields;
  readonly input?: ActionInput;
  /** Values by which the input names other resources, such as an SKU: who holds them can be looked up when it is applied. */
  holders?(input: Readonly<Record<string, unknown>>): readonly UniqueLookup[];
  /** The same of values that follow from the resource as well, and from what the input was found to name: two more round trips. */
  holdersFor?(document: Fixed<Document>, input: Readonly<Record<string, unknown>>): readonly UniqueLookup[];
  /** The kind of which it takes over what a resource says, so that whoever does not see one cannot name it. */
  readonly takesFrom?: string;
  /** What those name that the input was found to name, such as the products of a list: one more round trip for all actions. */
  further?(input: Readonly<Record<string, unknown>>, found: Pick<Found, 'one'>): readonly NamedResource[];
  /** What takes time, such as hashing: gives the input that is applied. One update has one such action at most. */
  prepare?(request: PrepareRequest): Promise<Readonly<Record<string, unknown>>>;
  /** It copies the whole of the resource, which an update of a large one may not do often. */
  readonly isWhole?: true;
  apply(document: Document, input: Readonly<Record<string, unknown>>, context: ApplyContext): void;
}

/** Resources that were read for a computation or an action. They are shared, so nobody may change one. */
export interface Found {
  one(kind: string, id: string): Fixed<Document> | undefined;
  /** The resource that holds a unique value which an action named. */
  holder(kind: string, field: string, value: string): Fixed<Document> | undefined;
  /** Whether it is known who holds the value, be it nobody. */
  hasSought(kind: string, field: string, value: string): boolean;
  /** All of a kind that the declaration needs whole. */
  all(kind: string): readonly Fixed<Document>[];
}

/** What describes the whole of a resource, as its type does a product. Creates and actions find it, and what it takes in, by id. */
export interface DescribedBy {
  readonly kind: string;
  /** The member, of drafts too, that holds the reference to it. */
  readonly member: string;
  /** Ids of others of its kind that it takes in. */
  nested(description: Fixed<Document>): readonly string[];
  /** Has the resource follow what its descriptions have become since it was written, as the internals of both tell. */
  follow(document: Document, internals: Record<string, unknown>, descriptions: readonly Description[]): void;
}

interface Needs {
  /**
   * Where the document names resources of which it needs the data, by their kinds: `lineItems[*].productId`. They are read
   * with it, in one round trip.
   */
  readonly reads: Readonly<Record<string, readonly string[]>>;
  /** Where what was read of a kind names further resources of the same kind that are needed, such as ancestors. */
  readonly readsThrough?: Readonly<Record<string, readonly string[]>>;
  /** Kinds that it needs whole, of which a project has few. */
  readonly readsAll: readonly string[];
}

/** What became of a request otherwise than it asked for, and is no error. The answer to a write says it beside the resource. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly [member: string]: unknown;
}

/** What a computation knows of its request, and what it has gathered. */
type ComputeContext<G = unknown> = Pick<RequestContext, 'project' | 'now'> & {
  readonly gathered: G;
  /** The document as it is stored; undefined for a new one. */
  readonly before: Fixed<Document> | undefined;
  warn(warning: Warning): void;
  /** Takes what has to take place in others with the document, for `beside`. */
  leave(effect: unknown): void;
  /** What a create or the actions left in `context.said`; nothing where no request has changed the document. */
  readonly said: ReadonlySet<string>;
  /** Waits for a turn of the event loop when such shares of the request make a whole one, which takes milliseconds. */
  turn(share: number): Promise<void>;
  readonly compute: Compute;
};

/** What is at hand where a computation gathers. */
export interface ComputeGathering extends Pick<ComputeContext, 'said' | 'before'> {
  readonly engine: Engine;
  readonly project: string;
  readonly found: Found;
}

/**
 * What follows from a document and from others. It changes the document and nothing else, and gives the same for the same:
 * on the event loop, in turns where it takes milliseconds, or in a thread where that is worth the way there.
 */
export type Computation<D = Document, G = unknown> = Needs & {
  /** What it needs of others that the document does not name by their ids. It is read last, and takes round trips of its own. */
  gather?(gathering: ComputeGathering, document: Fixed<D>): Promise<G>;
  compute(document: D, found: Found, context: ComputeContext<G>): void | Promise<void>;
  /** The writes of what `compute` has left. They rest on what it was made from, as the document does. */
  beside?(engine: Engine, context: RequestContext, left: Left<D>): Promise<readonly Planned[]>;
};

/** What a computation has left, and the document that it has made. */
export interface Left<D = Document> {
  readonly document: Fixed<D>;
  readonly effects: readonly unknown[];
}

/**
 * How resources of a kind come and go. `versioned`: created, updated by actions, deleted at a version. `upserted`:
 * created or replaced by one operation, deleted at a version or whatever it is. `fixed`: created, deleted, and nothing
 * between. `final`: created, and nothing after that. `told`: messages, which writes of other kinds leave, and which are read
 * alone.
 */
export type Lifecycle = 'versioned' | 'upserted' | 'fixed' | 'final' | 'told';

/** How long resources of a kind stay. */
export interface Retention {
  /** The member that says how many days one stays after it was modified. */
  readonly daysMember: 'deleteDaysAfterLastModification';
  /** So many a project keeps; of more those go that were modified least recently. */
  readonly countMax: number;
}

/** How many days resources of a kind stay after their creation: as many as the project says when it is looked for what is over. */
export type KeptDays = (settings: ProjectSettings) => number;

/** What becomes of resources of a kind when they end by the clock. The function `ends_at` of the database knows when. */
export interface Expiry<D = Document> {
  /** Whether a project has it. */
  isOn(settings: ProjectSettings): boolean;
  /** All take place or none. The document is the caller's own. */
  plan(
    engine: Engine,
    context: RequestContext,
    expired: { readonly resource: Resource; readonly document: D },
  ): Promise<readonly Planned[]>;
}

/** How a resource shows in GraphQL, where that does not follow from its type name, path and fields. */
export interface GraphqlNames {
  /** The query by id or key, and the one for pages. */
  readonly one: string;
  readonly many: string;
  /** False for a resource that can only be read there. */
  readonly hasMutations: boolean;
  /** The noun of the mutations, as in `createZone`. */
  readonly mutation: string;
  /** The mutation that creates, where it is called otherwise. */
  readonly create: string | undefined;
  /** The input type of a create. */
  readonly draft: string;
  /** The type that a create gives, where it has members beside those of the resource. */
  readonly created: { readonly typeName: string; readonly fields: Readonly<Record<string, string>> } | undefined;
  /** The input type that has a member for each update action. */
  readonly updateAction: string;
  /** The noun in the names of the actions' input types, as in `AddZoneLocation`. */
  readonly actionNoun: string;
  /** Input types of actions that are named otherwise; `null` for an action that GraphQL does not have. */
  readonly actions: Readonly<Record<string, string | null>>;
  /** SDL of members by `Type.member`, where it differs from what the fields derive; `null` takes a member away. */
  readonly members: Readonly<Record<string, string | null>>;
  /** A deletion takes `personalDataErasure`: by default where REST takes `dataErasure`. */
  readonly erasesPersonalData: boolean;
  /** Interfaces that its type implements. */
  readonly interfaces: readonly string[];
  /** Interfaces of what holds queries, by name: the queries of the kind that are the fields of each. What has all has it. */
  readonly queryInterfaces: Readonly<Record<string, readonly string[]>>;
}

/** A write that is ready, and what it makes of the resource. */
export interface Planned<W = Write> {
  readonly resource: Resource;
  readonly write: W;
  /** Writes that rest on what it was planned from: where one of them comes too late, all is to be planned anew. */
  readonly beside?: readonly Planned[];
  /** Plans the writes that are to be committed with it, anew for each attempt. */
  along?(): Promise<readonly Planned[]>;
  /** What it tells, whether or not the project keeps messages. */
  readonly messages?: readonly Planned<Insertion>[];
  /** What a removal takes away. */
  readonly gone?: Gone;
  /** Nobody hears of it as a change, but through what it tells. */
  readonly isUnannounced?: true;
}

/** A document before and after a write. */
export interface AlongChange {
  /** Undefined for one that is new. */
  readonly before: Fixed<Document> | undefined;
  readonly after: Fixed<Document>;
  /** What the actions left in `context.noted`. */
  readonly noted: readonly unknown[];
  /** What is kept beside it, where the request has changed that. */
  readonly internals?: Internals | undefined;
}

/**
 * Writes of other resources that go with each write of the kind but removals, such as the statistics of what is reviewed: all
 * take place or none. Where one of them comes too late, they are planned again.
 */
export type Along = (engine: Engine, context: RequestContext, change: AlongChange) => Promise<readonly Planned[]>;

/** Writes that go with a removal of the kind, which it may also refuse by what it reads. */
export type AlongRemoval = (
  engine: Engine,
  context: RequestContext,
  gone: Fixed<Document>,
) => Promise<readonly Planned[]>;

/** Checked once after the last action, and after a create. What is stored is the document's text, which is made before. */
export type Rule = (
  document: Fixed<Document>,
  context: Pick<ApplyContext, 'project'>,
) => ErrorElement | readonly ErrorElement[] | undefined;

/** A document before and after the actions of an update, or one that is new. */
export interface DocumentChange {
  readonly project: string;
  /** Undefined for one that is new. */
  readonly before: Fixed<Document> | undefined;
  readonly after: Fixed<Document>;
  /** What is kept beside it, where the request has changed that. */
  readonly internals?: Internals | undefined;
}

/** A rule that has to read other resources. */
export type Check = (engine: Engine, change: DocumentChange) => Promise<ErrorElement | undefined>;

/** What those see of a kind who may not see all of it, such as what is published of products. */
export interface Published<D = Document> {
  /** Scopes that show this much, in lists and in GraphQL. */
  readonly scopes: readonly string[];
  /** Which resources there are for them. */
  readonly where: Predicate;
  /** Members, wherever they stand, that their predicates and sorts do not know. */
  readonly hides: readonly string[];
  /** A member that shows as one value whatever is stored: their predicates ask for that, and it gives no order. */
  readonly fixed: FixedMember;
  /** What they see of one; undefined for one that is not there for them. Changes the document, which is its own. */
  shown(document: D): D | undefined;
}

/** What is known of a request whose answer shows resources otherwise than they are stored. */
export interface Gathering {
  readonly context: Pick<RequestContext, 'project' | 'now'>;
  readonly store: Pick<Store, 'find' | 'findGrouped'>;
  /** Waits for a turn where so many bytes more, parsed or written, make a piece of work that takes milliseconds. */
  turn(bytes: number): Promise<void>;
  /** Resources of a kind by a value that they have, parsed and kept, so that nobody may change them. */
  grouped<T>(lookup: GroupLookup): Promise<readonly Fixed<T>[]>;
  /** The answer may be another at this moment, in milliseconds. */
  noteUntil(ms: number): void;
  /**
   * Texts have so many bytes more than what is stored: waits as for `turn`. Throws InvalidInput where the answer gets too
   * large.
   */
  added(bytes: number): Promise<void>;
}

/**
 * A form in which a kind shows on paths of its own, where it is read alone, such as what is current or staged of products.
 * It has members of its own, which stand somewhere in what is stored.
 */
export interface Projection {
  /** Below the project. */
  readonly path: string;
  readonly scopes: readonly string[];
  /** Parameters of the query, which say what of a resource shows. */
  readonly parameters: Fields;
  /** It is in stores too, by id and key alone: the parameter that is the key of the store there. */
  readonly storeParameter: string | undefined;
  /** Throws for parameters that say nothing together. */
  check?(parameters: Parameters): void;
  /** Whether they show what those alone may see who see all of the kind. */
  isOfAll(parameters: Parameters): boolean;
  /** Which resources there are. */
  where(parameters: Parameters): Predicate | undefined;
  /** The path of a member in what is stored. */
  storedAt(member: string, parameters: Parameters): readonly string[];
  /** What is needed of others to show these documents. */
  gather?(gathering: Gathering, documents: readonly Document[], parameters: Parameters): Promise<unknown>;
  /** Changes the document, which is its own; undefined for one that is not there. */
  shown(document: Document, parameters: Parameters, gathered: unknown): Document | undefined;
}

/**
 * A member that shows what one of a kind would bring about, where it is asked for alone, and in the answers to writes: found
 * anew each time, and not stored. Writes of such a kind take `dryRun`, which answers alike and stores nothing.
 */
export interface Preview<D = Document> {
  readonly member: string;
  /** As JSON: it may be large. */
  of(engine: Engine, context: RequestContext, document: Fixed<D>): Promise<string>;
}

/** The resource that a member refers to, with which those of a kind are erased: one of any kind that tells, or of this one. */
export interface ErasedWith {
  readonly member: string;
  readonly kind?: string;
  /** Members that hold the id of a resource of a kind, by its name, though another one is referred to. */
  readonly byId?: Readonly<Record<string, string>>;
}

/** What parameters have resources of a kind show besides, on its own paths and in the answers to writes. */
export interface Form extends Pick<Projection, 'parameters' | 'check' | 'gather' | 'shown'> {
  /**
   * They show something without parameters, too, for which GraphQL has fields: the same as `shown` makes of none, but in
   * texts that are as stored, which need not be parsed and written again.
   */
  texts?(gathering: Gathering, stored: readonly Json[]): Promise<readonly Json[]>;
}

/**
 * Members that parts of a resource have of another resource, and show where the request expands them for all parts:
 * `expand=lineItems[*].variant`.
 */
export interface PartExpansions<D = Document> {
  /** The member that holds the parts. */
  readonly list: string;
  /** The kind of the other resources. */
  readonly kind: string;
  /** The id of the one that a part names. */
  targetOf(part: Readonly<Record<string, unknown>>): string;
  /** By name; undefined for a part that has none. What is shown may be the target's own. */
  readonly members: Readonly<Record<string, (part: Readonly<Record<string, unknown>>, target: Fixed<D>) => unknown>>;
}

/** As fields have parsed them. */
export type Parameters = Readonly<Record<string, unknown>>;

/**
 * Who follows a link to a resource of the kind, wherever it stands: anyone who sees the link; its holders, who are the same,
 * but of whom none gets hold of it by a value that may name anything, as where to know the resource is to use it; those alone
 * who may view the resource itself, as where it holds what is personal; or nobody.
 */
export type FollowedBy = 'anyone' | 'holders' | 'viewers' | 'nobody';

/** The paths of a kind below `/me`, where shoppers find what is theirs. */
export interface Mine {
  /** Below `/me`; empty for the one resource that is the shopper. */
  readonly path: string;
  /** Scopes of which one is needed; in a store each counts for that store as well. */
  readonly scopes: readonly string[];
  /** The members that name the owner. A kind that anonymous sessions do not have lacks theirs. */
  readonly owners: { readonly customer: string; readonly anonymous?: string };
  /** The paths of REST name one by its id alone. GraphQL takes its key, too, where the resource has one. */
  readonly isNamedById?: true;
  /** The resource as shoppers have it: with the draft and the actions that they may use. */
  readonly resource: Resource;
}

/** A create that is coded, such as one that makes a secret. Gives the representation. */
export type CreateWith = (engine: Engine, request: CreateRequest) => Promise<Json>;

/**
 * What the contract tests send, where the examples of the field kinds do not make a whole that is valid: members of the
 * draft, and of the input of single actions, in place of those examples. Actions are applied to the resource that the
 * example draft makes, of which a text such as `{assets[0].id}` names a value.
 */
export interface Examples {
  readonly draft: Readonly<Record<string, unknown>>;
  readonly actions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Members of the draft with all of them, where the fullest value goes without others: those are undefined. */
  readonly full: Readonly<Record<string, unknown>>;
  /** Members that the least draft has besides the required ones: not each draft needs them. */
  readonly needed: readonly string[];
  /**
   * Members of the drafts of further resources, by names: a reference to a resource that not each of the kind can be has
   * the example key `example-<kind>-<name>`.
   */
  readonly named: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Resources that have to be there though the examples do not refer to them, by their example keys. */
  readonly beside: readonly KeyReference[];
  /** Members of the draft whose targets are used up by a create, so that each one needs a target of its own. */
  readonly used: readonly string[];
}

/** An object that holds the resource. */
export interface CreatedIn {
  readonly typeName: string;
  readonly member: string;
  /** Other resources that it may hold: the names of their types, which GraphQL and the API's description share. */
  readonly others: Readonly<Record<string, string>>;
}

export interface Resource {
  readonly kind: string;
  readonly typeName: string;
  /**
   * Name of its type in the API's description, from which the names of drafts, updates and pages are made, and that errors
   * call it by.
   */
  readonly schemaName: string;
  readonly path: string;
  readonly scopes: { readonly view: readonly string[]; readonly manage: readonly string[] };
  /** All with which one of it is written, those of shoppers as well. */
  readonly writingScopes: readonly string[];
  readonly maxPerProject: number | undefined;
  readonly retention: Retention | undefined;
  readonly expiry: Expiry | undefined;
  readonly keptDays: KeptDays | undefined;
  /** Projects may have others asked about its creations and updates before these are committed. */
  readonly isExtensible: boolean;
  readonly fields: Fields;
  /** Those that clients see, which for what is a shopper's may not be all. */
  readonly shownFields: Fields;
  readonly draft: Fields;
  /** Values by which a draft names other resources, such as an SKU: who holds them can be looked up when it is created. */
  draftHolders(draft: Readonly<Record<string, unknown>>): readonly UniqueLookup[];
  readonly lifecycle: Lifecycle;
  /** The members that make up its key, in the order of the path; empty for a kind that is known by id alone. */
  readonly keyMembers: readonly string[];
  /** The members that make up the key in the store. Of shoppers' resources too, which may have no key in their paths. */
  readonly storedKey: readonly string[];
  /** Its paths below `in-store/key={storeKey}`: the member that holds its store or stores, and whether they only read. */
  readonly inStore: { readonly member: string; readonly isReadOnly: boolean } | undefined;
  readonly mine: Mine | undefined;
  readonly published: Published | undefined;
  /** What it shows as on other paths: resources of the kind with their `projection`. */
  readonly projections: readonly Resource[];
  readonly form: Form | undefined;
  readonly preview: Preview | undefined;
  /** What parts of it show where the request asks for that. */
  readonly expansions: PartExpansions | undefined;
  /** What this is, when it is a projection of the kind. */
  readonly projection: Projection | undefined;
  readonly followedBy: FollowedBy;
  /** A deletion takes the parameter `dataErasure`. */
  readonly holdsPersonalData: boolean;
  readonly erasedWith: ErasedWith | undefined;
  /** It is small and rarely changes, so that those who compute with it find it parsed. */
  readonly isKeptParsed: boolean;
  /** The part of it that is kept parsed for others, where all of it is too much. */
  readonly keptPart: ((document: Fixed<Document>) => Document) | undefined;
  create(
    draft: Readonly<Record<string, unknown>>,
    context: ApplyContext,
  ): Record<string, unknown> | Promise<Record<string, unknown>>;
  readonly createWith: CreateWith | undefined;
  /** The object that a create answers with, where the resource is a member of it. */
  readonly createdIn: CreatedIn | undefined;
  readonly actions: ReadonlyMap<string, Action>;
  derive(document: Document): void;
  readonly describedBy: DescribedBy | undefined;
  readonly follows: readonly Following[];
  readonly describesParts: DescribesParts | undefined;
  /** Members that never change, by which others find resources of the kind together: `sku`, `product.id`. */
  readonly groupedBy: readonly GroupMember[];
  /** The members by which an index finds resources of the kind, where it is not to find them by all that they have. */
  readonly indexed: Members | undefined;
  readonly computation: Computation | undefined;
  readonly rules: readonly Rule[];
  readonly checks: readonly Check[];
  readonly along: Along | undefined;
  readonly alongRemoval: AlongRemoval | undefined;
  /** Undefined for a kind that leaves no messages. */
  readonly telling: Telling | undefined;
  readonly exclusiveFlags: readonly string[];
  uniqueValues(document: Fixed<Document>): readonly UniqueValue[];
  /** Why it is not deleted; undefined where it may be. Kinds without it may always be. */
  readonly removalFault:
    ((document: Fixed<Document>, context: Pick<ApplyContext, 'holds'>) => ErrorElement | undefined) | undefined;
  /**
   * What a write is refused with when, after its checks, rivals took a unique value that it holds, or wrote what a
   * constraint of the database excludes beside it: `field` is that of the value, or names the constraint.
   */
  lostRace(document: Fixed<Document>, taken: TakenValue): ErrorElement | undefined;
  readonly endpoints: readonly Endpoint[];
  readonly queries: readonly GraphqlQuery[];
  readonly finding: Finding | undefined;
  readonly graphql: GraphqlNames;
  readonly examples: Examples;
  readonly shape: ObjectShape;
}

/** An answer whose members no fields can say, such as one for each locale that was asked for. */
export type AnswerKind = Pick<FieldKind<unknown>, 'output' | 'schema'>;

/** A page of what is no resource, such as the products of a selection. It takes the arguments of queries. */
export interface AnswerList {
  readonly itemName: string;
  readonly pageName: string;
  /** The type of an item in GraphQL, where its page is the result of a query. */
  readonly typeName: string;
  readonly itemFields: Fields;
}

/** By a unique value of a field, or by a predicate of which the first match counts. */
export type FoundBy = { readonly unique: string } | { where(value: string, seesAll: boolean): string };

/** What the queries of a kind in GraphQL take beside the arguments that all kinds have. */
export interface Finding {
  /** Of the query for one: texts by which it is found, in the order in which they count behind its id and key. */
  readonly one: Readonly<Record<string, FoundBy>>;
  /** Of the one for pages: a list of values of a unique field, which the page keeps to. */
  readonly many: Readonly<Record<string, { readonly unique: string; readonly valuesMax: number }>>;
  /** Of both: how what is found shows. */
  readonly form: Fields;
  /** Changes the document, which is its own. */
  shown(document: Document, form: Parameters): void;
}

/** What an endpoint takes in place of JSON: the bytes of a file. */
export interface FileBody {
  readonly mediaTypes: readonly string[];
  readonly bytesMax: number;
}

/** A file as the client sent it. Nobody has looked at the bytes. */
export interface File {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** An operation that is none of the common ones. */
export interface Endpoint {
  /**
   * Below the resource's own path, or below the project when it begins with a slash. Its parameters stand behind an equals
   * sign, as `email-token={emailToken}`, or are whole segments, which have one name at their place: `{ID}` behind the path
   * of a resource. A parameter of the query does not count beside one of the same name.
   */
  readonly path: string;
  /** The parameter with which a list of the kind is this instead: `carts?customerId=…` is `carts/customer-id=…`. */
  readonly listParameter: string | undefined;
  readonly method: 'GET' | 'POST';
  readonly isInStore: boolean;
  /** Scopes of which one is needed; those that end in `:{storeKey}` count for the store of the path alone. */
  readonly scopes: readonly string[];
  /** The token has to be one of these; undefined where it is any client's. */
  readonly shoppers: readonly Shopper[] | undefined;
  /** Parameters of the query and the path. */
  readonly parameters: Fields;
  /** Members of the body of a POST. */
  readonly body: Fields;
  /** A POST takes a file instead; undefined where it takes JSON. */
  readonly file: FileBody | undefined;
  /** A POST takes its parameters in the body, as a form has them, and those of the query as well. */
  readonly takesForm: boolean;
  /** What it answers with: a page of the resource or of something else, one of it, what a create gives, or an object of these fields or kind. */
  readonly answer: 'page' | 'one' | 'created' | Fields | AnswerKind | AnswerList;
  /** By default 201 where it answers with what a create gives. */
  readonly status: 200 | 201;
  /**
   * The GraphQL query of the endpoint, which of a page gives the results alone: its name, and its arguments as parameters.
   * The name of the resource's own query for one gives that the arguments too. Endpoints below `/me` are fields of `me`.
   */
  readonly query: { readonly name: string; readonly args: Readonly<Record<string, string>> } | undefined;
  /** The field of the resource's GraphQL type that gives the same list: the parameter `ID` is the resource's id there. */
  readonly listField: string | undefined;
  /**
   * The GraphQL mutation of the endpoint, which takes the members of the body as arguments, or as an input of the type
   * `draft`, and gives what the endpoint answers with. `answer` is the SDL of an object of fields, such as `Token!`.
   */
  readonly mutation: { readonly name: string; readonly draft?: string; readonly answer?: string } | undefined;
  /** What it does, in a sentence for the documentation; undefined where the path says it. */
  readonly summary: string | undefined;
  /** Codes that it answers with beside those of all operations. */
  readonly failures: readonly ErrorCode[];
  /** What it answers a GET with is made from resources, settings and the request alone; other answers are made anew. */
  readonly isKept: boolean;
  run(engine: Engine, request: EndpointRequest): Promise<Json>;
}

/** A query that GraphQL has beside those of resources and endpoints, with arguments of another form than REST. */
export interface GraphqlQuery {
  readonly name: string;
  /** Where it is a field: of the root, of a store, or of both. */
  readonly places: readonly ('root' | 'inStore')[];
  /** Scopes of which one is needed; those that end in `:{storeKey}` count for that store alone. */
  readonly scopes: readonly string[];
  readonly arguments: Fields;
  /** What it does grows with its arguments: they cost by their length, and it as much as a predicate. */
  readonly isSearch: boolean;
  /** SDL of what it gives, and the types that this needs. */
  readonly type: string;
  types(): readonly OutputType[];
  /** The value that its type reads, which nobody changes. What it is made from beside resources, settings and the request it has to note. */
  run(
    engine: Engine,
    request: Pick<EndpointRequest, 'context' | 'resource' | 'parameters' | 'storeKey'>,
  ): Promise<unknown>;
}

export interface EndpointRequest extends Place {
  readonly context: RequestContext;
  readonly resource: Resource;
  readonly parameters: Parameters;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as the client sent it, for endpoints that create from a draft. */
  readonly draft: unknown;
  /** Of an endpoint that takes a file. */
  readonly file?: File | undefined;
  readonly expand: readonly string[];
  readonly sort: readonly string[];
  /** Of those that answer with a list. */
  readonly query?: QueryArguments;
}

export interface CreateRequest extends Place {
  readonly context: RequestContext;
  readonly resource: Resource;
  /** The draft as the client sent it. */
  readonly draft: unknown;
  readonly expand: readonly string[];
}

/** The settings of a project: declared like a resource, and stored with the project. */
export interface ProjectDeclaration {
  readonly resource: Resource;
  /** What clients see of the settings. */
  shown(document: Document): Document;
}

/** The resources of the platform, found by kind. */
export interface Registry {
  readonly project: ProjectDeclaration;
  /** Those that clients know. */
  readonly resources: readonly Resource[];
  readonly byKind: ReadonlyMap<string, Resource>;
  /** The kind of messages; undefined where none is kept. */
  readonly messages: Resource | undefined;
}

/** All resources of some kinds of a project, with a version that differs whenever any of them may have changed. */
export interface Collection {
  readonly version: string;
  readonly documents: ReadonlyMap<string, readonly Document[]>;
  /** Results derived from this collection, dropped with it. Bounded by what it was made with. */
  readonly derived: Map<string, string>;
}

export type ExtendedAction = 'Create' | 'Update';

/** What a write is about to make. */
export interface Question {
  readonly context: RequestContext;
  readonly resource: Pick<Resource, 'kind'>;
  readonly action: ExtendedAction;
  readonly id: string;
  /** The document as it would be stored. */
  readonly json: Json;
  /** As it is stored, where it is. */
  readonly before: string | undefined;
}

/** Who has answered, as errors name it. */
export interface NamedExtension {
  readonly id: string;
  readonly key?: string;
}

/** What one of them answered. */
export interface Reply {
  readonly extension: NamedExtension;
  /** Update actions as they were sent. */
  readonly actions: readonly unknown[];
}

/** Asks several at once about the same; the replies stand in the order in which they are applied. Throws what any refuses. */
export type Level = (engine: Engine, question: Question) => Promise<readonly Reply[]>;

/**
 * Those who are asked about a write when it has been planned and before it is committed, as projects have them. They judge
 * it, and may ask for update actions, which are applied like those of a client.
 */
export interface Extensions {
  /** Those who are to be asked about such writes, one level after the other; none for almost all projects. */
  levelsFor(
    engine: Engine,
    project: string,
    asked: { readonly kind: string; readonly action: ExtendedAction },
  ): Promise<readonly Level[]>;
}

/** What operations and endpoints work with. One for each process. */
export interface Engine {
  readonly registry: Registry;
  /** For what takes so long that it has to see what has changed since its request arrived. */
  readonly fence: Pick<Fence, 'pass'>;
  readonly store: Store;
  /** For `operations/commit.ts` alone. */
  readonly writes: Writes;
  readonly lastWritten: LastWritten;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly accounts: Accounts;
  readonly accountTokens: AccountTokens;
  readonly images: Pick<ImageStore, 'keep'>;
  readonly compute: Compute;
  readonly extensions: Extensions;
  readonly listeners: Listeners;
  /** Undefined where the platform runs without a search engine. */
  readonly suggester: Pick<Suggester, 'suggest'> | undefined;
  /** Undefined where no index of products is kept. */
  readonly searcher: Searcher | undefined;
  /** Resources of a kind that one project may have; undefined without a limit. */
  maxPerProject(resource: Resource): number | undefined;
  /** All resources of `kind` that follow the source follow this version of it, or a later one; undefined where none is known. */
  followedVersion(
    project: string,
    followed: { readonly kind: string; readonly sourceKind: string; readonly sourceId: string },
  ): Promise<number | undefined>;
  readonly collections: CoherentCache<Collection>;
  /** Parsed documents that describe others, by project, kind and id. Shared, so nobody may change one. */
  readonly descriptions: CoherentCache<Description>;
  /** By names of their own, for `derived.ts` and `kept-groups.ts` alone. */
  readonly derived: CoherentCache<Derived>;
  /** Bodies of answers as ready bytes. */
  readonly answers: CoherentCache<Buffer>;
  /** Where an answer that is being made notes what it reads past the store; the store notes what it gives. */
  readonly sources: Pick<Sources, 'note' | 'noteAll' | 'noteMore' | 'noteUntil'>;
}
