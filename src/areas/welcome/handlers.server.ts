import { offeredCoupons } from '#src/areas/coupon/offered.server.ts'
import { pickMaterials } from '#src/areas/wecomMaterial/materials.server.ts'
import type { welcomeCalls } from '#src/contract/welcomeCalls.ts'
import type { Handler } from '#src/server/call/implement.ts'
import { lastSends, listWelcomes } from './rows.server.ts'
import { welcomes } from './rules.server.ts'
import { pickAdvisers, pickDepartments } from './trying.server.ts'
import {
  copyWelcome,
  createWelcome,
  editWelcome,
  enableWelcome,
  orderOf,
} from './writing.server.ts'

type Calls = ReturnType<typeof welcomeCalls>
/** What answers the calls that every page of welcomes has (`welcomeCalls`). */
export const welcomeHandlers: { [K in keyof Calls]: Handler<Calls[K]> } = {
  lst: (asked, context) => listWelcomes(asked, context),
  sends: async ({ id }, { db, staff }) => {
    await welcomes.read(db, staff, id)
    return { list: await lastSends(db, id) }
  },
  order: ({ scope }, context) => orderOf(scope, context),
  advisers: pickAdvisers,
  departments: pickDepartments,
  coupons: offeredCoupons,
  materials: pickMaterials,
  create: (input, context) => createWelcome(context, input),
  edit: (input, context) => editWelcome(context, input),
  enable: (one, context) => enableWelcome(context, one),
  copy: (one, context) => copyWelcome(context, one),
}
