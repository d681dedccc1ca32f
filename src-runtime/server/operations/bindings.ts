/** Binds each operation of the API to the function of the world, or of this server, that it runs. */

import type { Bindings } from './binding.js';

export const BINDINGS: Bindings = {
  events: {
    page: (call) => call.run((session) => session.events(call.paging, call.deadline())),
    stream: (call, afterSeq) => call.run((session) => session.follow(afterSeq)),
  },
  transactions: (call) => {
    const { first = 0, individual, relation } = call.query;
    const wish = { individual, relation };
    return call.run((session) => session.transactions(first, call.paging, call.deadline(), wish));
  },
  transaction: (call) => call.run((session) => session.transaction(call.params.txn, call.paging, call.deadline())),
  transactionEffects: (call) => call.run((session) => session.transactionEffects(call.params.txn, call.deadline())),
  undoTransaction: (call) => call.run((session) => session.undoTransaction(call.params.txn, call.query, call.deadline())),
};
