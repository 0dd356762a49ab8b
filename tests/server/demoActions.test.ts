import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Action, Page } from '#commands/command.ts'
import { actions } from '#commands/index.ts'
import { application } from '#src/areas/application/application.table.ts'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { lastPeriods } from '#src/areas/bdGmv/bdGmv.ts'
import { coupon_audit } from '#src/areas/coupon/couponAudit.table.ts'
import { settle_day } from '#src/areas/ledger/ledger.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { redeem_code, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, dateOf, unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { categoryBrands } from '#src/modules/config/contract/categoryBrands.ts'
import { mallCoupons, storeCoupons } from '#src/modules/coupon/contract/coupon.ts'
import { distStoreDetail } from '#src/modules/distribution/contract/distStoreDetail.ts'
import { groupCustomers } from '#src/modules/distribution/contract/groupCustomers.ts'
import { guideCustomers } from '#src/modules/distribution/contract/guideCustomers.ts'
import { guideDetail } from '#src/modules/distribution/contract/guideDetail.ts'
import { cards } from '#src/modules/ecard/contract/list.ts'
import { category } from '#src/modules/mall/contract/category.ts'
import { recommendSet } from '#src/modules/mall/contract/recommend.ts'
import { goodsDetail } from '#src/modules/order/contract/goods.ts'
import { rollBuy } from '#src/modules/order/contract/rollBuy.ts'
import { codeDesk, deskCode } from '#src/modules/redeemCode/contract/vertify.ts'
import { flow } from '#src/modules/settle/contract/flow.ts'
import { bdGmv } from '#src/modules/shop/contract/bdGmv.ts'
import { shopFacility } from '#src/modules/shop/contract/facility.ts'
import { stores } from '#src/modules/shop/contract/stores.ts'
import { shops } from '#src/modules/stores/contract/stores.ts'
import { live } from '#src/modules/system/contract/live.ts'
import { pointsShop } from '#src/modules/vip/contract/pointsShop.ts'
import { customerDetail } from '#src/modules/vip/contract/weChatCustomerDetail.ts'
import { customersPage } from '#src/modules/vip/contract/weChatCustomerList.ts'
import { openCopy } from '../farm.ts'
import { openApp, send, tokenOfAccount } from '../help/app.ts'

type Row = Record<string, any>
const PAGE = 100
const PAGES_MAX = 3
/** Orders of a page that are opened one by one, as many from each of its tabs. */
const OPENED_EACH = 3
/** The filters by which a list shows another part of its rows: the tabs of its page. */
const TABS = [
  'state',
  'stage',
  'status',
  'tab',
  'quick',
  'kind',
  'flag',
  'mine',
  'is_recommend',
  'is_show',
  'figure',
]
const calls: Call[] = implementations
  .flat()
  .flatMap(module => Object.values(module.calls as Record<string, Call>))
const shapeOf = (schema: unknown): Record<string, z.ZodType> =>
  schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {}
const plain = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? plain(schema.unwrap())
    : schema
/** The schema of a list's rows. */
const rowIn = (call: Call): unknown => {
  const outputs = call.output instanceof z.ZodUnion ? call.output.options : [call.output]
  const list = outputs.map(one => plain(shapeOf(one).list)).find(Boolean)
  return list instanceof z.ZodArray ? list.element : undefined
}
const lists = calls.filter(call => call.kind === 'read' && rowIn(call))
const isDetail = (path: string) => /\/detail$/i.test(path)
const isBelow = (path: string) => {
  const stem = path.replace(/^\/(?:manage\/)?/, '').replace(/\/(detail|:.*)$/i, '')
  return (call: Call) => call.path.startsWith(`${stem}/`) || call.path === stem
}
const onRows = (actions as Action[]).filter(one => one.takes !== 'none' && one.when)
const pagesOf = (one: Action): Page[] => [one.at, ...(one.also ?? [])]
/**
 * The lists that a page reads: those of its own address, or where that has none of the rows that
 * its actions take, any of such rows.
 */
const listsOf = (page: Page): Call[] => {
  const taken = new Set(
    (actions as Action[]).filter(one => pagesOf(one).includes(page)).map(one => one.on),
  )
  const below = lists.filter(isBelow(page.path))
  return below.some(call => taken.has(rowIn(call)))
    ? below
    : [...below, ...lists.filter(call => taken.has(rowIn(call)))]
}
/** The lists of the page that a form stands under. */
const listsAbove = ({ path, under }: Page): Call[] =>
  lists.filter(isBelow(under ?? path.slice(0, path.lastIndexOf('/'))))
/** What a list is asked: as its page opens, and then by each of its tabs. */
const inputsOf = (call: Call): Row[] => {
  const shape = shapeOf(call.input)
  const tabs = TABS.flatMap((tab): Row[] => {
    const options = plain(shape[tab])
    if (options instanceof z.ZodEnum) return options.options.map(value => ({ [tab]: value }))
    return options instanceof z.ZodBoolean ? [{ [tab]: true }, { [tab]: false }] : []
  })
  return shape.kind && !shape.kind.isOptional() ? tabs : [{}, ...tabs]
}
/** An order as its page offers it: itself, and with each thing that can be chosen on it. */
const choicesOf = ({ order, facts, items, codes, uses }: Row): Row[] => {
  const whole = { ...order, invoice: facts.invoice, reissue_id: facts.reissues[0]?.id }
  return [
    whole,
    ...items.map((one: Row) => ({
      ...whole,
      item_id: one.id,
      item_ids: [one.id],
      item_left: one.qty,
      after_sale_until: one.after_sale_until,
    })),
    ...codes.map((one: Row) => ({ ...whole, code_id: one.id, code_ids: [one.id] })),
    ...uses.map((one: Row) => ({ ...whole, verify_id: one.id, bill_cents: one.bill_cents ?? 0 })),
  ]
}

/** Pages of one seller or customer, each with the list that finds it. */
const sellersOpened: readonly (readonly [list: Call, detail: Call])[] = [
  [guideCustomers.guides, guideDetail.detail],
  [distStoreDetail.stores, distStoreDetail.detail],
  [customersPage.lst, customerDetail.facts],
]
/** What the demo has no row for, and why it can't: an entry whose action has one fails the test. */
const lacking: Readonly<Record<string, string>> = {
  'audit.look.figures.objectHistory': 'Its page shows figures of several auditors, and no list.',
  'mall.add.objectHistory': 'Its row is the mall that the form is about, and no list.',
  'shop.stores.edit.objectHistory': 'Its row is the store that the form is about, and no list.',
  'stores.editStores.objectHistory': 'Its row is the shop that the form is about, and no list.',
}

/** Not looked for: whether the demo has its row depends on the moment. */
const fleeting: Readonly<Record<string, string>> = {
  'coupon.index.data.unlock': 'An order holds a coupon for the minutes until it is paid or closed.',
  'distribution.index.distStoreDetail.settleNow':
    'What a store earned is past its refund period for the minutes until it is settled.',
  'system.exportLogs.cancel': 'An export waits or runs for seconds, more on a busy machine.',
}

/** Reads the demo as its super administrator does; what was read once is not asked again. */
class Demo {
  private readonly read = new Map<string, { rows: Row[][]; rest: AsyncGenerator<Row[]> }>()
  private readonly fits = new Map<unknown, WeakMap<Row, boolean>>()
  constructor(
    private readonly ask: (call: Call, input: Row) => Promise<{ status: number; data: any }>,
    private readonly places: readonly { mid: number; city_id: number }[],
    /** Redeem codes that are scanned at the desk. */
    private readonly codes: readonly string[],
  ) {}
  private async *again(key: string, begin: () => AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
    const of = this.read.get(key) ?? { rows: [], rest: begin() }
    this.read.set(key, of)
    for (let at = 0; ; at++) {
      if (at === of.rows.length) {
        const next = await of.rest.next()
        if (next.done) return
        of.rows.push(next.value)
      }
      yield of.rows[at]!
    }
  }
  private async *pagesIn(call: Call, input: Row): AsyncGenerator<Row[]> {
    const paged = 'page' in shapeOf(call.input)
    const most = paged && Object.keys(input).length === 0 ? PAGES_MAX : 1
    for (let page = 1; page <= most; page++) {
      const asked = { ...input, ...(paged && { page, pageSize: PAGE }) }
      const { status, data } = await this.ask(call, asked)
      if (status !== 200) return
      yield data.list
      if (data.list.length < PAGE) return
    }
  }
  /** What a list is asked for beside its tabs: the mall, room or category whose rows it shows. */
  private async aroundOf(call: Call): Promise<Row[]> {
    if (call === live.shelf) return (await this.firstOf(live.lst)).map(({ id }) => ({ id }))
    if (call === recommendSet.stores)
      return (await this.firstOf(category.lst)).map(({ id, mid }) => ({ mid, category_id: id }))
    if (call === shopFacility.holders)
      return [true, false].map(marked => ({ facility_id: 1, of: 'store', marked }))
    if (call === categoryBrands.lst || call === categoryBrands.candidates)
      return (await this.firstOf(categoryBrands.categories))
        .filter(({ tiles }) => tiles > 0)
        .map(({ id }) => ({ category_id: id }))
    if (call.path.startsWith('stores/linkGoods/'))
      return (await this.firstOf(shops.lst)).map(({ id }) => ({ store_id: id }))
    if (call === flow.accountView)
      return (await this.firstOf(flow.accounts)).slice(0, 5).map(({ id }) => ({ account_id: id }))
    const shape = shapeOf(call.input)
    if (call === guideCustomers.lst)
      return (await this.firstOf(guideCustomers.guides))
        .filter(one => one.customer_count > 0)
        .map(({ id }) => ({ distributor_id: id }))
    // On the first of a month nothing is sold yet.
    if (call === bdGmv.lst) return lastPeriods('month', unixNow()).map(period => ({ period }))
    if (call === pointsShop.goods)
      return (await this.firstOf(pointsShop.zones)).map(({ id }) => ({ zone_id: id }))
    if (call === groupCustomers.lst)
      return (await this.firstOf(groupCustomers.teams)).map(({ id }) => ({ group_id: id }))
    if (shape.card_id && !shape.card_id.isOptional())
      return (await this.firstOf(cards.lst)).map(({ id }) => ({ card_id: id }))
    if (shape.coupon_id && !shape.coupon_id.isOptional())
      return [
        ...(await this.firstOf(storeCoupons.lst)),
        ...(await this.firstOf(mallCoupons.lst)),
      ].map(({ id }) => ({ coupon_id: id }))
    if (shape.store_id && !shape.store_id.isOptional())
      return (await this.firstOf(stores.lst))
        .filter(one => one.on_sale_count > 0)
        .slice(0, 20)
        .map(({ id }) => ({ store_id: id }))
    const asks = ['mid', 'city_id'].filter(key => shape[key] && !shape[key].isOptional())
    return asks.length === 0
      ? [{}]
      : this.places.map(place => Object.fromEntries(asks.map(key => [key, place[key as 'mid']])))
  }
  private async *readAll(call: Call): AsyncGenerator<Row[]> {
    const around = await this.aroundOf(call)
    for (const input of inputsOf(call))
      for (const place of around) yield* this.pagesIn(call, { ...place, ...input })
  }
  /** The rows of a list, tab by tab. */
  private batchesOf(call: Call): AsyncGenerator<Row[]> {
    return this.again(call.path, () => this.readAll(call))
  }
  private async firstOf(call: Call): Promise<Row[]> {
    for await (const rows of this.batchesOf(call)) return rows
    return []
  }
  /** What the page of an order reads beside it. */
  private async besideOf(detail: Call, { id, group_id }: Row): Promise<Row> {
    if (detail.path.startsWith('order/goods/')) {
      const { data } = await this.ask(goodsDetail.progress, { id })
      return { waits: data.open_refund?.intervened }
    }
    if (!detail.path.startsWith('order/rollBuy/') || !group_id) return {}
    const { data } = await this.ask(rollBuy.seats, { group_id })
    return { mate_id: data.seats.find((seat: Row) => seat.id !== id)?.id }
  }
  /** Orders as their page has them, some of every tab of the list. */
  private async *openAll(list: Call, detail: Call): AsyncGenerator<Row[]> {
    const seen = new Set<number>()
    for await (const rows of this.batchesOf(list))
      for (const row of rows.filter(one => !seen.has(one.id)).slice(0, OPENED_EACH)) {
        seen.add(row.id)
        const { status, data } = await this.ask(detail, { id: row.id })
        if (status !== 200) continue
        const beside = await this.besideOf(detail, row)
        yield choicesOf(data).map(one => ({ ...one, ...beside }))
      }
  }
  /** Records as the page of their form reads them, some of every tab of the list that it stands under. */
  private async *readWhole(list: Call, whole: Call): AsyncGenerator<Row[]> {
    for await (const rows of this.batchesOf(list))
      for (const { id } of rows.slice(0, OPENED_EACH)) {
        const { status, data } = await this.ask(whole, { id })
        if (status === 200) yield [data]
      }
  }
  /** Records as the page of one reads them: the row of its answer. */
  private async *openRows(list: Call, detail: Call): AsyncGenerator<Row[]> {
    for await (const rows of this.batchesOf(list))
      for (const { id } of rows) {
        const { status, data } = await this.ask(detail, { id })
        if (status === 200) yield [data.row]
      }
  }
  /** The desk has no list: its codes are looked up. */
  private async *scanned(): AsyncGenerator<Row[]> {
    for (const secret_code of this.codes) {
      const { status, data } = await this.ask(codeDesk.lookup, { secret_code })
      if (status === 200) yield [data.code]
    }
  }
  private isFor({ on }: Action, row: Row): boolean {
    const known = this.fits.get(on) ?? new WeakMap<Row, boolean>()
    this.fits.set(on, known)
    const fit = known.get(row) ?? (on as z.ZodType).safeParse(row).success
    known.set(row, fit)
    return fit
  }
  /** The rows that an action may be done on, until no more is asked for. */
  async *rowsFor(action: Action): AsyncGenerator<Row[]> {
    const pages = pagesOf(action)
    const all = [...new Set(pages.flatMap(listsOf))]
    const own = all.filter(list => rowIn(list) === action.on)
    if (action.on === deskCode) yield* this.again(codeDesk.lookup.path, () => this.scanned())
    for (const list of own) yield* this.batchesOf(list)
    for (const list of own.length > 0 ? [] : all)
      for await (const rows of this.batchesOf(list))
        yield rows.filter(row => this.isFor(action, row))
    const detail = calls.find(
      call =>
        'codes' in shapeOf(call.output) &&
        'uses' in shapeOf(call.output) &&
        pages.some(page => isDetail(page.path) && isBelow(page.path)(call)),
    )
    const whole = calls.find(({ output }) => output === action.on)
    for (const list of whole ? pages.flatMap(listsAbove) : [])
      yield* this.again(`${list.path} ${whole!.path}`, () => this.readWhole(list, whole!))
    for (const [list, one] of sellersOpened)
      if (shapeOf(one.output).row === action.on)
        yield* this.again(`${list.path} ${one.path}`, () => this.openRows(list, one))
    for (const list of detail ? own : [])
      yield* this.again(`${list.path} ${detail!.path}`, () => this.openAll(list, detail!))
  }
}

it('has a row for every action on rows of a list, on which it can be done', async () => {
  const database = await openCopy()
  const app = await openApp(database)
  // A claim of the demo lasts minutes, which the tests before this one may have taken.
  for (const claimed of [audit_task, application, coupon_audit])
    await database.db
      .update(claimed)
      .set({ claim_until: unixNow() + 600 })
      .where(eq(claimed.state, 'claimed'))
  // The farm opens the demo's closed days again (tests/farm/setup.ts).
  const closed = (ago: number) => ({
    day: dateOf(unixNow() - ago * DAY),
    status: 'closed' as const,
  })
  await database.db
    .insert(settle_day)
    .values([closed(3), { ...closed(2), asked_by: 2, asked_at: unixNow() }])
  const token = await tokenOfAccount(database, 'admin')
  const staff = await database.db.select({ id: admin.id }).from(admin).orderBy(admin.id)
  const places = await database.db
    .select({ mid: store.mall_id, city_id: store.city_id })
    .from(store)
    .where(gt(store.mall_id, 0))
    .groupBy(store.mall_id, store.city_id)
    .orderBy(store.mall_id)
    .limit(3)
  const sealer = await sealerOf(app.install.codeKeys, database.db)
  const waiting = await database.db
    .select({ hash: redeem_code.code_hash, sealed: redeem_code.code_sealed })
    .from(redeem_log)
    .innerJoin(redeem_code, eq(redeem_code.id, redeem_log.code_id))
    .where(and(sql`${redeem_log.granted}->>'goods' is not null`, isNull(redeem_log.handed_at)))
    .limit(OPENED_EACH)
  const unused = await database.db
    .selectDistinctOn([redeem_code.batch_id], {
      hash: redeem_code.code_hash,
      sealed: redeem_code.code_sealed,
    })
    .from(redeem_code)
    .where(eq(redeem_code.state, 'unused'))
    .limit(OPENED_EACH)
  const scannable = [...waiting, ...unused].map(({ hash, sealed }) => sealer.open(sealed, hash))
  const demo = new Demo((call, input) => send(app, call, input, { token }), places, scannable)
  // Some is only for whoever claimed or owns the row, some for another than who began it.
  const canBeDone = (action: Action, row: Row) =>
    staff.some(({ id }) => action.when!(row, { id, can: () => true }) === true)
  const missing: string[] = []
  for (const action of onRows.filter(({ id }) => !(id in fleeting))) {
    let found = false
    for await (const rows of demo.rowsFor(action))
      if ((found = rows.some(row => canBeDone(action, row)))) break
    if (!found) missing.push(action.id)
  }
  expect(missing.sort()).toEqual(Object.keys(lacking).sort())
  expect(onRows.length).toBeGreaterThan(250)
}, 300_000)
