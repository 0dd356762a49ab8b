import { designerHandlers } from '#src/areas/scheme/designer.server.ts'
import { firePages } from '#src/areas/scheme/schemes.server.ts'
import { implement } from '#src/server/call/implement.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { homePage as contract } from '../contract/homePage.ts'

export const homePageServer = implement(contract, designerHandlers('home'))

/** Pages of every type go live when their time has come. */
defineTimer('config.pages', '* * * * *', async ({ database, install, now }) =>
  (await firePages(database, { now, storesElsewhere: install.storesElsewhere })) > 0
    ? ['page_scheme', 'message']
    : [],
)
