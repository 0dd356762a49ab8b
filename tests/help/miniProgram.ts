import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { memberApp } from '#src/modules/vip/contract/app.ts'
import type { Database } from '#src/server/db/database.ts'
import { atEnd } from '../farm/ends.ts'
import { openApp, send } from './app.ts'

/** A server whose WeChat takes a member's union id for the code of their phone. */
export const openMiniProgram = async (database: Database) => {
  const server = createServer((request, reply) => {
    const code = new URL(request.url!, 'http://wechat').searchParams.get('js_code')
    const said = code === 'expired' ? { errcode: 40029 } : { openid: 'o', unionid: code }
    reply.setHeader('content-type', 'application/json').end(JSON.stringify(said))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(
    () =>
      new Promise<void>(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  )
  const { port } = server.address() as AddressInfo
  const app = await openApp(database, {
    wechat: { appid: 'wx0123456789abcdef', secret: 's', api: `http://127.0.0.1:${port}` },
  })
  /** The ticket of a member, who gets a union id for it. */
  const enter = async (id: number): Promise<string> => {
    const unionid = `oUnionTest${id}`
    await database.db.update(member).set({ unionid }).where(eq(member.id, id))
    const said = await send(app, memberApp.enter, { code: unionid })
    return (said.data as { ticket: string }).ticket
  }
  return { app, enter }
}
