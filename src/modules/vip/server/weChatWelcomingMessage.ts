import { offeredCoupons } from '#src/areas/coupon/offered.server.ts'
import { lastSends, listWelcomes } from '#src/areas/welcome/rows.server.ts'
import { welcomes, writtenOfWelcome } from '#src/areas/welcome/rules.server.ts'
import { pickAdvisers, pickDepartments, tryWelcome } from '#src/areas/welcome/trying.server.ts'
import {
  copyWelcome,
  createWelcome,
  deleteWelcome,
  disableWelcome,
  editWelcome,
  enableWelcome,
  orderOf,
  sortWelcomes,
} from '#src/areas/welcome/writing.server.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { reverting } from '#src/server/call/record.ts'
import { way } from '#src/server/call/reverts.ts'
import { weChatWelcomingMessage as contract } from '../contract/weChatWelcomingMessage.ts'

const handlers = {
  lst: (asked, context) => listWelcomes(asked, context),
  sends: async ({ id }, { db, staff }) => {
    await welcomes.read(db, staff, id)
    return { list: await lastSends(db, id) }
  },
  order: ({ scope }, context) => orderOf(scope, context),
  testHit: (asked, { db }) => tryWelcome(db, asked),
  advisers: pickAdvisers,
  departments: pickDepartments,
  coupons: offeredCoupons,
  create: (input, context) => createWelcome(context, input),
  edit: (input, context) => editWelcome(context, input),
  enable: (one, context) => enableWelcome(context, one),
  disable: (one, context) => disableWelcome(context, one),
  copy: (one, context) => copyWelcome(context, one),
  sort: (sent, context) => sortWelcomes(context, sent),
  del: (one, context) => deleteWelcome(context, one),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(welcomes, [way(contract.edit, handlers.edit, [...writtenOfWelcome])])

export const weChatWelcomingMessageServer = implement(contract, handlers)
