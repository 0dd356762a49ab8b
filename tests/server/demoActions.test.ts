import { gt } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Action } from '#commands/command.ts'
import { actions } from '#commands/index.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import type { Call } from '#src/contract/call.ts'
import { implementations } from '#src/implementations.ts'
import { session } from '#src/modules/session/contract.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

type Row = Record<string, unknown>
const PAGES_MAX = 3
/** The filters by which a list shows another part of its rows: the tabs of its page. */
const TABS = ['state', 'stage', 'status', 'tab']
const calls: Call[] = implementations
  .flat()
  .flatMap(module => Object.values(module.calls as Record<string, Call>))
const shapeOf = (schema: unknown): Record<string, z.ZodType> =>
  schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}
const plain = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? plain(schema.unwrap())
    : schema
/** The lists that a page reads: of its own address. */
const listsOf = (path: string): Call[] => {
  const stem = path.replace(/^\/manage\//, '').replace(/\/(detail|:.*)$/i, '')
  return calls.filter(
    call =>
      (call.path.startsWith(`${stem}/`) || call.path === stem) && 'list' in shapeOf(call.output),
  )
}
const inputsOf = (call: Call): Row[] => {
  const shape = shapeOf(call.input)
  return [
    {},
    ...('mine' in shape ? [{ mine: true }] : []),
    ...TABS.flatMap(tab => {
      const options = plain(shape[tab])
      return options instanceof z.ZodEnum ? options.options.map(value => ({ [tab]: value })) : []
    }),
  ]
}

/** Actions on what is chosen beside a row (a code, a redemption), or on a row that is one's own. */
const chosen =
  /(reverseVerify|revealCode|fixBill|verifyForStore|replacePart|unclaim)$|^order\.combo\.detail\.refund$|^system\.report\.edit$/
/** What no list of the demo shows a row for yet: this only shrinks. */
const lacking = new Set<string>([
  'system.share.restoreDefault',
  'system.share.copyToCities',
  'system.loginLogs.unbanIp',
  'system.department.enable',
  'system.department.disable',
  'system.department.del',
  'system.role.enable',
  'system.role.del',
  'system.menuKey.enable',
  'order.elist.Detail.createAfterSale',
  'order.elist.Detail.invoice',
  'order.elist.Detail.reissue',
  'order.elist.Detail.openReissue',
  'order.goods.detail.decideRefund',
  'order.pointsShopList.retryRefund',
  'order.raiseList.cancel',
  'order.raiseList.approveRefund',
  'order.raiseList.refuseRefund',
  'order.raiseList.retryRefund',
  'order.rollBuy.forceSuccess',
  'order.rollBuy.endReward',
  'order.rollBuy.approveRefund',
  'order.rollBuy.refuseRefund',
  'order.rollBuy.retryRefund',
  'order.rollBuy.batchRetryRefund',
  'order.rollBuy.detail.openGroupMate',
  'order.rollBuy.verify.clearAbnormal',
  'order.visitor.detail.unbindMember',
])

it('has a row for every action on rows of a list, on which it can be done', async () => {
  const database = await openCopy()
  const app = await openApp(database)
  const person = await addStaff(database, { perms: ['*'], role: { refund_limit_cents: 1e9 } })
  const asPerson = (call: Call, input: Row) => send(app, call, input, { token: person.token })
  const me = (await asPerson(session.me, {})).data
  const places = await database.db
    .select({ mid: store.mall_id, city_id: store.city_id })
    .from(store)
    .where(gt(store.mall_id, 0))
    .groupBy(store.mall_id, store.city_id)
    .orderBy(store.mall_id)
    .limit(3)
  const pagesOf = async (call: Call, input: Row): Promise<Row[]> => {
    const shape = shapeOf(call.input)
    const rows: Row[] = []
    for (let page = 1; page <= PAGES_MAX; page++) {
      const paged = 'page' in shape ? { page, pageSize: 100 } : {}
      const { status, data } = await asPerson(call, { ...input, ...paged })
      if (status !== 200) break
      rows.push(...(data.list as Row[]))
      if (!('page' in shape) || data.list.length < 100) break
    }
    return rows
  }
  /** The rows of a list, of all its tabs; of some malls where it asks for one. */
  const readAll = async (call: Call): Promise<Row[]> => {
    const shape = shapeOf(call.input)
    const asks = ['mid', 'city_id'].filter(key => shape[key] && !shape[key].isOptional())
    const around: Row[] =
      asks.length === 0
        ? [{}]
        : places.map(place => Object.fromEntries(asks.map(key => [key, place[key as 'mid']])))
    const rows: Row[] = []
    for (const place of around)
      for (const input of inputsOf(call))
        rows.push(...(await pagesOf(call, { ...place, ...input })))
    return rows
  }
  const known = new Map<Call, Promise<Row[]>>()
  const rowsOf = (call: Call) => {
    const rows = known.get(call) ?? readAll(call)
    known.set(call, rows)
    return rows
  }
  const missing: string[] = []
  let judged = 0
  for (const action of actions as Action[]) {
    if (action.takes === 'none' || !action.when || chosen.test(action.id)) continue
    const lists = [action.at, ...(action.also ?? [])].flatMap(page => listsOf(page.path))
    const on = action.on as z.ZodType | undefined
    const rows = (await Promise.all(lists.map(rowsOf)))
      .flat()
      .filter(row => on?.safeParse(row).success ?? true)
    // What no list shows is looked at in the tests of its page.
    if (rows.length === 0) continue
    judged++
    if (!rows.some(row => action.when!(row, me) === true)) missing.push(action.id)
  }
  expect(missing.filter(id => !lacking.has(id))).toEqual([])
  expect(judged).toBeGreaterThan(120)
}, 300_000)
