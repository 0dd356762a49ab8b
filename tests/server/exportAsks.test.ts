import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Call } from '#src/contract/call.ts'
import { implementations } from '#src/implementations.ts'
import { exports } from '#src/modules/export/contract.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

const calls: Call[] = implementations
  .flat()
  .flatMap(module => Object.values(module.calls as Record<string, Call>))
  .filter(call => {
    const shape = call.input instanceof z.ZodObject ? call.input.shape : {}
    return 'format' in shape && 'columns' in shape
  })
const takesRows = calls.filter(call => 'ids' in (call.input as z.ZodObject).shape)
const NOBODY = 2_147_483_647
/** What a call can't do without. */
const needed: Record<string, object> = { 'system/banner/export': { position: 'home' } }
/** An export of what one record holds names that record: its field, and the table it comes from. */
const ofOne: Readonly<Record<string, [field: string, from: string]>> = {
  'coupon/index/data/export': ['coupon_id', 'coupon'],
  'customer/groups/export': ['segment_id', 'segment where customer_count > 0'],
  'distribution/index/expertDetail/export': ['id', "distributor where kind = 'expert'"],
  'distribution/index/guideDetail/export': ['id', "distributor where kind = 'guide'"],
  'distribution/index/guideBindingCustomer/export': [
    'distributor_id',
    "distributor where kind = 'guide'",
  ],
  'distribution/index/distStoreDetail/export': ['id', "distributor where kind = 'store'"],
  'distribution/index/group/detail/export': ['id', 'dist_group'],
  'distribution/index/group/customer/export': ['group_id', 'dist_group'],
  'ecard/list/code/export': ['card_id', 'ecard'],
  'vip/pointsShop/Detail/export': ['goods_id', 'points_goods'],
  'vip/weChatGroupManage/detail/export': ['group_id', 'wecom_group'],
  'channel/customerGroup/detail/export': ['group_id', 'wecom_group'],
  'channel/statistics/detail/export': ['code_id', 'channel_code'],
  'film/withdrawal/exportStatement': ['id', "withdrawal where owner_kind = 'film'"],
  'coupon/audit/exportGoods': ['id', "coupon_audit where queue = 'coupon'"],
  'ecoupon/audit/exportGoods': ['id', "coupon_audit where queue = 'ecoupon'"],
}

let database: Database
let app: App
let token: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  await app.startJobs()
  const one = await addStaff(database, { perms: calls.map(call => call.permit) })
  token = one.token
  for (const [path, [field, from]] of Object.entries(ofOne)) {
    const { rows } = await database.db.execute(sql.raw(`select id from ${from} limit 1`))
    needed[path] = { [field]: rows[0]!['id'] }
  }
})
const about = (call: Call, asked: object) =>
  send(app, exports.about, { path: call.path, asked }, { token })

describe('every export', () => {
  it('is known by the columns and the format that it may be asked for', () => {
    expect(calls.length).toBeGreaterThan(25)
    expect(takesRows.length).toBeGreaterThan(20)
  })
  it.each(takesRows.map(call => [call.path, call] as const))(
    '%s tells its columns, begins nothing, and holds no row but those chosen',
    async (_, call) => {
      const all = await about(call, needed[call.path] ?? {})
      expect(all.message).toBe('操作成功')
      expect(all.data.columns.length).toBeGreaterThan(0)
      const chosen = { ...needed[call.path], ids: [NOBODY] }
      expect((await about(call, chosen)).data.rows).toBe(0)
      const { data: mine } = await send(app, exports.mine, {}, { token })
      const begun = await send(app, call, chosen, { token })
      expect(begun).toMatchObject({ status: 200, data: { rows_expected: 0 } })
      let job: { state: string; rows_done: number; filters_text: string } | undefined
      for (let i = 0; i < 200 && job?.state !== 'done'; i++) {
        job = (await send(app, exports.mine, { ids: [begun.data.job_id] }, { token })).data.list[0]
        await new Promise(resolve => setTimeout(resolve, 25))
      }
      expect(job).toMatchObject({ state: 'done', rows_done: 0 })
      expect(job!.filters_text).toMatch(/^所选 1 条/)
      // What was asked about left no job behind.
      expect((await send(app, exports.mine, {}, { token })).data.total).toBe(mine.total + 1)
    },
  )
})
