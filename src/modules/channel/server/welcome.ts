import { offeredCoupons } from '#src/areas/coupon/offered.server.ts'
import { lastSends, listWelcomes } from '#src/areas/welcome/rows.server.ts'
import { welcomes } from '#src/areas/welcome/rules.server.ts'
import {
  askTrial,
  lastTrials,
  sendTrials,
  TRIAL_TAGS,
} from '#src/areas/welcome/selfSending.server.ts'
import {
  pickAdvisers,
  pickCodes,
  pickDepartments,
  tryWelcome,
} from '#src/areas/welcome/trying.server.ts'
import {
  addWelcomeWindow,
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
import { defineTimer } from '#src/server/jobs/timers.ts'
import { channelWelcome as contract } from '../contract/welcome.ts'

const handlers = {
  lst: (asked, context) => listWelcomes(asked, context),
  sends: async ({ id }, { db, staff }) => {
    await welcomes.read(db, staff, id)
    return { list: await lastSends(db, id) }
  },
  trials: async ({ id }, { db, staff }) => {
    await welcomes.read(db, staff, id)
    return { list: await lastTrials(db, id, staff.lang) }
  },
  order: ({ scope }, context) => orderOf(scope, context),
  resolve: (asked, { db }) => tryWelcome(db, asked),
  advisers: pickAdvisers,
  departments: pickDepartments,
  codes: pickCodes,
  coupons: offeredCoupons,
  create: (input, context) => createWelcome(context, input),
  edit: (input, context) => editWelcome(context, input),
  addWindow: (input, context) => addWelcomeWindow(context, input),
  enable: (one, context) => enableWelcome(context, one),
  disable: (one, context) => disableWelcome(context, one),
  copy: (one, context) => copyWelcome(context, one),
  sortPriority: (sent, context) => sortWelcomes(context, sent),
  sendTest: (one, context) => askTrial(context, one),
  del: (one, context) => deleteWelcome(context, one),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

/** WeCom is asked outside the call: within seconds after somebody wants a trial. */
defineTimer(
  'welcome.trials',
  '* * * * *',
  async ({ database, install, now }) => {
    const around = { database, client: install.wecom, picture: install.picture, now }
    return (await sendTrials(around)) > 0 ? [...TRIAL_TAGS] : []
  },
  TRIAL_TAGS,
)
export const channelWelcomeServer = implement(contract, handlers)
