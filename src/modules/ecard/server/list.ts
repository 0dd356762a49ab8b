import { and, asc, count, eq, ilike, inArray, isNull, sql } from 'drizzle-orm'
import { tellLowCards } from '#src/areas/ecard/cardAlerts.server.ts'
import {
  cardFor,
  cards,
  copyCard,
  putOn,
  saveCard,
  takeOff,
} from '#src/areas/ecard/cards.server.ts'
import { ecard, ecard_attr, ecard_channel_card, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import {
  cardStates,
  cardTypes,
  codeSources,
  type CardState,
  type CardType,
} from '#src/areas/ecard/ecard.ts'
import { suppliers } from '#src/areas/ecard/suppliers.ts'
import { e_category, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { joined, say } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type Staff } from '#src/server/call/implement.ts'
import { arrange, equal, exporting, holding, listing } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { defineTimer } from '#src/server/jobs/timers.ts'
import { cards as contract } from '../contract/list.ts'
import { isLowCard, shownCards, wholeCard } from './rows.ts'

type Filters = {
  keyword?: string
  status?: CardState
  type?: CardType
  mid?: number
  low?: boolean
  recommended?: boolean
}
const list = listing(cards, {
  by: ecard.sort,
  where: ({ keyword, status, mid, low, recommended, type }: Filters) =>
    and(
      holding(keyword, [ecard.name], ecard.id),
      equal(ecard, { state: status, mall_id: mid, type, recommended: recommended || undefined }),
      low ? isLowCard : undefined,
    ),
  shown: (db, found) => shownCards(db, found),
})
const orderOf = (db: Db, staff: Pick<Staff, 'scope'>) =>
  db
    .select({ id: ecard.id, name: ecard.name })
    .from(ecard)
    .where(cards.seen(staff))
    .orderBy(asc(ecard.sort), asc(ecard.id))
    .limit(1000)
/** Refuses to delete a card that has codes, or that a channel may sell. */
const needUnused = async (db: Db, id: number): Promise<void> => {
  const codes = await db.$count(ecard_code, eq(ecard_code.card_id, id))
  if (codes > 0)
    throw ruled(
      'card_has_codes',
      ['已有 {n} 个卡密，不能删除，请下架', 'It has {n} codes: take it off sale instead'],
      { n: codes },
    )
  const [given] = await db
    .select({ n: count() })
    .from(ecard_channel_card)
    .innerJoin(ecard_attr, eq(ecard_attr.id, ecard_channel_card.attr_id))
    .where(eq(ecard_attr.card_id, id))
  if (given!.n > 0)
    throw ruled('card_in_channel', [
      '渠道正在分销该卡，请先在渠道中移除',
      'A channel sells it on: take it out there first',
    ])
}

const handlers = {
  lst: async (asked, context) => {
    const { db, staff, now } = context
    const { page: _, pageSize: __, status: ___, ...others } = asked
    const where = list.where(others as Filters, { staff, now })
    const stat = await db
      .select({ state: ecard.state, n: count() })
      .from(ecard)
      .where(where)
      .groupBy(ecard.state)
    const [left] = await db
      .select({ cents: sql<string>`coalesce(sum(${ecard_code.balance_cents}), 0)` })
      .from(ecard_code)
      .innerJoin(ecard, eq(ecard.id, ecard_code.card_id))
      .where(and(eq(ecard_code.state, 'active'), cards.seen(staff)))
    return {
      ...(await list.page(asked as never, context)),
      stat: Object.fromEntries(stat.map(one => [one.state, one.n])),
      outstanding_cents: Number(left!.cents),
    }
  },
  detail: async ({ id }, { db, staff }) => wholeCard(db, await cards.read(db, staff, id)),
  stores: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      inArray(store.status, ['open', 'resting']),
      within(staff.scope, { city: store.city_id, mall: store.mall_id }),
      keyword ? ilike(store.name, like(keyword)) : undefined,
    )
    const found = await db
      .select({ id: store.id, name: store.name })
      .from(store)
      .where(where)
      .orderBy(asc(store.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: found, total: await db.$count(store, where) }
  },
  categories: async ({ page, pageSize, keyword }, { db }) => {
    const of = (table: typeof shop_category | typeof e_category) =>
      db
        .select({ id: table.id, name: table.name })
        .from(table)
        .where(
          and(
            eq(table.status, 'on'),
            isNull(table.merged_into),
            keyword ? ilike(table.name, like(keyword)) : undefined,
          ),
        )
        .orderBy(asc(table.level), asc(table.sort), asc(table.id))
    const found = [...(await of(shop_category)), ...(await of(e_category))]
    return { list: found.slice((page - 1) * pageSize, page * pageSize), total: found.length }
  },
  arranged: async (_, { db, staff }) => {
    const found = await orderOf(db, staff)
    return { list: found, list_version: sequenceVersion(found.map(one => one.id)) }
  },
  online: async (one, context) => putOn(context, await cardFor(context, 'online', one)),
  offline: async ({ reason, ...one }, context) =>
    takeOff(context, await cardFor(context, 'offline', one), reason),
  copy: async (one, context) => copyCard(context, await cards.held(context, one)),
  setRecommend: async (one, context) => {
    const was = await cardFor(context, 'recommend', one)
    if (was.recommended) throw ruled('wrong_state', ['已是推荐', 'Already recommended'])
    return saveCard(context, was, { recommended: true })
  },
  cancelRecommend: async (one, context) => {
    const was = await cards.heldFast(context, one)
    if (!was.recommended) throw ruled('wrong_state', ['不是推荐', 'Not recommended'])
    return saveCard(context, was, { recommended: false })
  },
  sort: async (asked, { tx, staff, log }) => {
    await lockSequence(tx, 'ecard')
    const before = (await orderOf(tx, staff)).map(one => one.id)
    const { order, list_version } = await arrange(tx, asked, before, {
      sets: ecard.sort,
      by: ecard.id,
    })
    log({
      object_type: 'ecard',
      object_id: 0,
      object_label: joined(['电子卡顺序', 'Order of e-cards']),
      before: { order: before },
      after: { order },
    })
    return { list_version }
  },
  batchOffline: ({ ids, reason }, context) =>
    eachRow(context, ids, async (inside, id) => {
      const row = await cards.lock(inside, id)
      return takeOff(inside, await cardFor(inside, 'offline', row), reason)
    }),
  del: async (one, context) => {
    const was = await cardFor(context, 'delete', one)
    await needUnused(context.tx, was.id)
    await context.tx.delete(ecard_attr).where(eq(ecard_attr.card_id, was.id))
    return cards.remove(context, was)
  },
  export: exporting(list, {
    page: 'ecard.list',
    title: contract.lst.title,
    permit: contract.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'ID'], kind: 'number' },
      { key: 'name', title: ['名称', 'Name'] },
      { key: 'type', title: ['类型', 'Type'] },
      { key: 'state', title: ['状态', 'State'] },
      { key: 'source', title: ['卡密来源', 'Source of codes'] },
      { key: 'supplier', title: ['供应商', 'Supplier'] },
      { key: 'merchant_name', title: ['发卡商户', 'Issuer'] },
      { key: 'face_min_cents', title: ['最低面值', 'Least face'], kind: 'money' },
      { key: 'face_max_cents', title: ['最高面值', 'Largest face'], kind: 'money' },
      { key: 'free_n', title: ['未售卡密', 'Unsold codes'], kind: 'number' },
      { key: 'sold', title: ['已售', 'Sold'], kind: 'number' },
      { key: 'activated', title: ['已激活', 'Activated'], kind: 'number' },
      { key: 'outstanding_cents', title: ['未消费余额', 'Outstanding'], kind: 'money' },
    ],
    words: ({ status, type, low, recommended, keyword }, lang) => [
      status && say(cardStates[status], lang),
      type && say(cardTypes[type], lang),
      low && say(['库存不足', 'Low on codes'], lang),
      recommended && say(['推荐', 'Recommended'], lang),
      keyword,
    ],
    cells: (row, { lang }) => ({
      ...row,
      type: say(cardTypes[row.type], lang),
      state: say(cardStates[row.state], lang),
      source: say(codeSources[row.source], lang),
      supplier: row.supplier ? say(suppliers[row.supplier], lang) : '',
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const cardsServer = implement(contract, handlers)

defineTimer('ecard.low', '*/10 * * * *', async ({ database, now }) =>
  (await database.transaction(tx => tellLowCards(tx, isLowCard, now))) > 0 ? ['message'] : [],
)
