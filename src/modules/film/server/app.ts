import { registerScan, scanCode } from '#src/areas/filmPull/scans.server.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { filmApp as contract } from '../contract/app.ts'

const handlers = {
  scanCode: (asked, { tx, now }) => scanCode(tx, { ...asked, now }),
  registerScan: (asked, { tx, now }) => registerScan(tx, { ...asked, now }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const filmAppServer = implement(contract, handlers)
