import { action, change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { required } from '../../fields/field.ts';
import { chained, extensionsMax, notDependedOn, widthFault } from './chain.ts';
import { triggersAreValid } from './condition.ts';
import { destination, masked } from './destination.ts';
import { type Extension, fields } from './fields.ts';

/** Who is asked about creations and updates of other resources; `extensions.ts` asks them. */
export const extension = defineResource({
  kind: 'extension',
  typeName: 'Extension',
  path: 'extensions',
  scopes: { view: ['manage_extensions'], manage: ['manage_extensions'] },
  followedBy: 'viewers',
  maxPerProject: extensionsMax,
  fields,
  create: (draft, { internals }) => ({ ...draft, destination: masked(draft.destination, internals) }),
  actions: {
    setKey: set('key'),
    changeTriggers: change('triggers'),
    changeDestination: action({ destination: required(destination) }, (document: Extension, input, { internals }) => {
      document.destination = masked(input.destination, internals);
    }),
    setTimeoutInMs: set('timeoutInMs'),
    setDependencies: change('dependencies'),
    setExpansionPaths: change('expansionPaths'),
    setAdditionalContext: change('additionalContext'),
  },
  rules: [widthFault],
  checks: [triggersAreValid],
  along: chained,
  alongRemoval: notDependedOn,
  graphql: {
    actions: { changeDestination: 'ChangeExtensionDestination', changeTriggers: 'ChangeExtensionTriggers' },
    members: { 'Extension.dependencies': null, 'TriggerInput.actions': '[ActionType!]' },
  },
});
