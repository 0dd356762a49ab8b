import { welcomeHandlers } from '#src/areas/welcome/handlers.server.ts'
import { welcomes } from '#src/areas/welcome/rules.server.ts'
import {
  askTrial,
  lastTrials,
  sendTrials,
  TRIAL_TAGS,
} from '#src/areas/welcome/selfSending.server.ts'
import { pickCodes, tryWelcome } from '#src/areas/welcome/trying.server.ts'
import {
  addWelcomeWindow,
  deleteWelcome,
  disableWelcome,
  sortWelcomes,
} from '#src/areas/welcome/writing.server.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { channelWelcome as contract } from '../contract/welcome.ts'

const handlers = {
  ...welcomeHandlers,
  trials: async ({ id }, { db, staff }) => {
    await welcomes.read(db, staff, id)
    return { list: await lastTrials(db, id, staff.lang) }
  },
  resolve: (asked, { db }) => tryWelcome(db, asked),
  codes: pickCodes,
  addWindow: (input, context) => addWelcomeWindow(context, input),
  disable: (one, context) => disableWelcome(context, one),
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
