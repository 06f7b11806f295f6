import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { addTo, removeFrom } from '../../engine/set-actions.ts';
import { fields, role } from './fields.ts';
import { builtInFault, builtInStays, fitting, sameTypes } from './rules.ts';

export const state = defineResource({
  kind: 'state',
  typeName: 'State',
  path: 'states',
  scopes: { view: ['view_states'], manage: ['manage_states'] },
  maxPerProject: 1000,
  isKeptParsed: true,
  fields,
  actions: {
    changeKey: change('key'),
    changeType: change('type'),
    changeInitial: change('initial'),
    setName: change('name'),
    setDescription: change('description'),
    setRoles: change('roles'),
    addRoles: addTo('roles', role),
    removeRoles: removeFrom('roles', role),
    setTransitions: set('transitions'),
  },
  rules: [fitting],
  checks: [builtInStays, sameTypes],
  removalFault: builtInFault,
  // Other kinds are in states of one type each.
  examples: {
    // The role of the example is one of theirs.
    draft: { type: 'ReviewState' },
    actions: { changeType: { type: 'ReviewState' } },
    named: {
      'line-item': { type: 'LineItemState' },
      order: { type: 'OrderState' },
      payment: { type: 'PaymentState' },
      product: { type: 'ProductState' },
      review: { type: 'ReviewState' },
    },
  },
  graphql: {
    members: {
      'State.key': 'String',
      'StateDraft.transitions': '[ReferenceInput!]',
      'SetStateName.name': '[LocalizedStringItemInputType!]',
      'SetStateDescription.description': '[LocalizedStringItemInputType!]',
    },
  },
});
