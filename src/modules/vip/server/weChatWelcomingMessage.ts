import { welcomeHandlers } from '#src/areas/welcome/handlers.server.ts'
import { welcomes, writtenOfWelcome } from '#src/areas/welcome/rules.server.ts'
import { tryWelcome } from '#src/areas/welcome/trying.server.ts'
import { deleteWelcome, disableWelcome, sortWelcomes } from '#src/areas/welcome/writing.server.ts'
import { implement, type Handler } from '#src/server/call/implement.ts'
import { reverting } from '#src/server/call/record.ts'
import { way } from '#src/server/call/reverts.ts'
import { weChatWelcomingMessage as contract } from '../contract/weChatWelcomingMessage.ts'

const handlers = {
  ...welcomeHandlers,
  testHit: (asked, { db }) => tryWelcome(db, asked),
  disable: (one, context) => disableWelcome(context, one),
  sort: (sent, context) => sortWelcomes(context, sent),
  del: (one, context) => deleteWelcome(context, one),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(welcomes, [way(contract.edit, handlers.edit, [...writtenOfWelcome])])

export const weChatWelcomingMessageServer = implement(contract, handlers)
