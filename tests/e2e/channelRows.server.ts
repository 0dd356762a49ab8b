/**
 * `node --import ./src/source.mjs tests/e2e/channelRows.server.ts SOCKET ASKED`: what happens at a
 * printed code, in the embedded WeCom and in the database of the server whose pages the journey
 * opens: advisers who may receive, and people who scan and add them.
 */
import { eq } from 'drizzle-orm'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import { scanCode } from '#src/areas/channelCode/scans.server.ts'
import { corpIn } from '#src/areas/wecom/corp.channel.ts'
import { takeExternal } from '#src/areas/wecom/taking.server.ts'
import { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { runNumber } from './journeyPeople.ts'
import { openOfServer } from './rowsDatabase.ts'

type Asked =
  | { what: 'advisers' }
  | { what: 'scans'; name: string; scans: number; adds: number; days_ago: number }

const [socket, asked] = process.argv.slice(2) as [string, string]
const database = await openOfServer(socket)
const no = runNumber()
const now = unixNow()

/** Three colleagues who may receive contacts, here and in WeCom; answers what they are called. */
const advisers = () =>
  database.transaction(async tx => {
    const names = ['甲', '乙', '丙'].map(as => `旅程顾问${as}${no}`)
    const corp = corpIn(tx, now)
    for (const [at, name] of names.entries()) {
      const userid = `lc${no}${at}`
      await tx.insert(wecom_staff).values({
        userid,
        name,
        department_ids: [1],
        main_department: 1,
        status: 'active',
        is_verified: true,
        has_contact_right: true,
        synced_at: now,
      })
      await corp.put('user', userid, {
        userid,
        name,
        department: [1],
        main_department: 1,
        status: 1,
      })
    }
    return names
  })
/** Somebody adds whom WeCom leads to by a code, and the server takes what WeCom then tells. */
const adds = async (tx: Db, of: { config_id: string; nth: number; at: number }): Promise<void> => {
  const corp = corpIn(tx, of.at)
  const way = (await corp.one('contact_way', of.config_id))!
  const external_userid = corp.id('wm')
  await corp.put('external', external_userid, {
    external_contact: { external_userid, name: `旅程客户${of.nth}`, type: 1, gender: 0 },
    follow_user: [
      {
        userid: way.user![of.nth % way.user!.length]!,
        remark: '',
        description: '',
        createtime: of.at,
        tags: [],
        add_way: 1,
        ...(way.state !== undefined && { state: way.state }),
      },
    ],
  })
  const said = await corp.one('external', external_userid)
  await takeExternal(tx, { external_userid, said, asked_at: of.at, now: of.at })
}
/** A code is scanned so often on a day, and the first of those who scan add whom it leads to. */
const scans = async (of: Extract<Asked, { what: 'scans' }>) => {
  const [code] = await database.db.select().from(channel_code).where(eq(channel_code.name, of.name))
  const { state_key, config_id } = code!
  const at = now - of.days_ago * DAY
  let open = 0
  for (let nth = 0; nth < of.scans; nth++) {
    const { state } = await scanCode(database.db, { state_key, now: at, isCounted: true })
    if (state === 'open') open++
  }
  for (let nth = 0; nth < of.adds; nth++)
    await database.transaction(tx => adds(tx, { config_id: config_id!, nth, at }))
  return open
}

const doing: { [K in Asked['what']]: (of: Extract<Asked, { what: K }>) => Promise<unknown> } = {
  advisers,
  scans,
}
const wanted = JSON.parse(asked) as Asked
const answer = await doing[wanted.what](wanted as never)
await database.close()
process.stdout.write(JSON.stringify(answer))
