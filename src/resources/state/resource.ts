import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { addTo, removeFrom } from '../../engine/set-actions.ts';
import { fields, role } from './fields.ts';

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
  // Other kinds are in states of one type each.
  examples: {
    named: {
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
