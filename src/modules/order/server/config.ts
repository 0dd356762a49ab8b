import { storeScopes } from '#src/areas/order/orderRules.ts'
import { implement } from '#src/server/call/implement.ts'
import { config as contract } from '../contract/config.ts'
import { goBack, listRules, saveVersion, simulateRules, someOf, versionsOf } from './configRules.ts'

export const configServer = implement(contract, {
  lst: (_, context) => listRules(storeScopes, context),
  save: ({ kind, fields, ...of }, context) =>
    saveVersion(context, { ...of, scope: kind, change: someOf(kind, fields, context.staff) }),
  rollback: ({ kind, ...of }, context) => goBack(context, { ...of, scope: kind }),
  history: ({ kind, ...paging }, context) => versionsOf(kind, paging, context),
  simulate: ({ kind, fields }, context) => simulateRules(kind, fields, context),
})
