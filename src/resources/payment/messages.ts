import type { MessagesDeclaration } from '../../engine/define.ts';
import { type Fixed, versioned } from '../../engine/document.ts';
import { messageType, type MessageType, told, type Told } from '../../engine/messages.ts';
import {
  completed,
  customMessages,
  oldName,
  type Teller,
  tellsChange,
  tellsLast,
  whenChanged,
} from '../../engine/tellers.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { embedded } from '../../fields/embedded.ts';
import { type Field, optional, required } from '../../fields/field.ts';
import { boolean, text } from '../../fields/scalar.ts';
import {
  fields,
  methodInfoFields,
  type Payment,
  state,
  transaction,
  type Transaction,
  transactionFields,
} from './fields.ts';

const created = messageType('PaymentCreated', {
  payment: required(embedded<Payment>('Payment', { ...versioned, ...fields })),
});
const interactionAdded = messageType('PaymentInteractionAdded', {
  interaction: required(customFields('payment-interface-interaction')),
});
const interfaceIdSet = messageType('PaymentInterfaceIdSet', {
  interfaceId: optional(text()),
  oldInterfaceId: optional(text()),
});

/** That a member of the method is another, by the name that the message gives it. */
function methodInfoSet(name: string, { kind }: Field<unknown>): MessageType {
  const type = `PaymentMethodInfo${name[0]!.toUpperCase()}${name.slice(1)}Set`;
  return messageType(type, { [name]: optional(kind), [oldName(name)]: optional(kind) });
}

const { paymentInterface, interfaceAccount, method, name, token } = methodInfoFields;
const ofMethodInfo = {
  paymentInterface: methodInfoSet('interface', paymentInterface),
  interfaceAccount: methodInfoSet('interfaceAccount', interfaceAccount),
  method: methodInfoSet('method', method),
  name: methodInfoSet('name', name),
  token: methodInfoSet('token', token),
};

function tellsMethodInfo(member: keyof typeof ofMethodInfo, called: string): Teller {
  const { type } = ofMethodInfo[member];
  return whenChanged<Payment, unknown>(
    ({ paymentMethodInfo }) => paymentMethodInfo[member],
    ({ before, after }) => [{ type, payload: { [called]: after, [oldName(called)]: before } }],
  );
}

/** By the actions that set one member; the action that sets all of them tells the same of each that is another then. */
const methodInfoTellers = {
  setMethodInfoInterface: tellsMethodInfo('paymentInterface', 'interface'),
  setMethodInfoInterfaceAccount: tellsMethodInfo('interfaceAccount', 'interfaceAccount'),
  setMethodInfoMethod: tellsMethodInfo('method', 'method'),
  setMethodInfoName: tellsMethodInfo('name', 'name'),
  setMethodInfoToken: tellsMethodInfo('token', 'token'),
};

const methodInfoCustom = customMessages<Payment>(
  'PaymentMethodInfo',
  { resourceTypeId: 'payment-method-info', typeId: 'oldTypeId', value: undefined },
  { holder: ({ paymentMethodInfo }) => paymentMethodInfo, part: () => ({}) },
);

const interfaceCodeSet = messageType('PaymentStatusInterfaceCodeSet', {
  paymentId: required(text()),
  interfaceCode: optional(text()),
});
const stateTransition = messageType('PaymentStatusStateTransition', {
  state: required(state),
  force: required(boolean()),
});
const transactionAdded = messageType('PaymentTransactionAdded', { transaction: required(transaction) });
const transactionStateChanged = messageType('PaymentTransactionStateChanged', {
  transactionId: required(text()),
  state: required(transactionFields.state.kind),
});
const transactionInterfaceIdSet = messageType('PaymentTransactionInterfaceIdSet', {
  transactionId: required(text()),
  newInterfaceId: optional(text()),
  oldInterfaceId: optional(text()),
});

/** Of the transaction that the action names. */
function tellsTransaction(tell: (is: Fixed<Transaction>, was: Fixed<Transaction>) => Told): Teller {
  return whenChanged<Payment, Fixed<Transaction> | undefined>(
    ({ transactions }, { transactionId }) => transactions.find(({ id }) => id === transactionId),
    ({ before, after }) => [tell(after!, before!)],
  );
}

export const messages: MessagesDeclaration<Payment> = {
  types: [
    created,
    interactionAdded,
    interfaceIdSet,
    ...Object.values(ofMethodInfo),
    ...methodInfoCustom.types,
    interfaceCodeSet,
    stateTransition,
    transactionAdded,
    transactionStateChanged,
    transactionInterfaceIdSet,
  ],
  created: (payment) => [told(created, { payment })],
  actions: {
    addInterfaceInteraction: tellsLast<Payment, Fixed<Payment>['interfaceInteractions'][number]>(
      ({ interfaceInteractions }) => interfaceInteractions,
      // They are checked and completed after the actions.
      (one, { before: index }) =>
        told(interactionAdded, ({ interfaceInteractions }: Fixed<Payment>) => ({
          interaction: interfaceInteractions[index] ?? one,
        })),
    ),
    setInterfaceId: tellsChange(interfaceIdSet, 'interfaceId'),
    ...methodInfoTellers,
    setMethodInfo: [...Object.values(methodInfoTellers), methodInfoCustom.setCustomType],
    setMethodInfoCustomType: methodInfoCustom.setCustomType,
    setMethodInfoCustomField: methodInfoCustom.setCustomField,
    setStatusInterfaceCode: whenChanged<Payment, string | undefined>(
      ({ paymentStatus }) => paymentStatus.interfaceCode,
      ({ after, document }) => [told(interfaceCodeSet, { paymentId: document.id, interfaceCode: after })],
    ),
    transitionState: whenChanged<Payment, Payment['paymentStatus']['state']>(
      ({ paymentStatus }) => paymentStatus.state,
      ({ after, input }) => [told(stateTransition, { state: after!, force: input['force'] === true })],
    ),
    addTransaction: tellsLast<Payment, Fixed<Transaction>>(
      ({ transactions }) => transactions,
      (one) =>
        told(transactionAdded, ({ transactions }: Fixed<Payment>) => ({
          transaction: completed(
            one,
            transactions.find(({ id }) => id === one.id),
          ),
        })),
    ),
    changeTransactionState: tellsTransaction(({ id, state: next }) =>
      told(transactionStateChanged, { transactionId: id, state: next }),
    ),
    setTransactionInterfaceId: tellsTransaction((is, was) =>
      told(transactionInterfaceIdSet, {
        transactionId: is.id,
        newInterfaceId: is.interfaceId,
        oldInterfaceId: was.interfaceId,
      }),
    ),
  },
};
