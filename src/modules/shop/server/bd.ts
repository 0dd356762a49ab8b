import { and, asc, desc, eq, ilike, ne, or, sql, type SQL } from 'drizzle-orm'
import { storeStates } from '#src/areas/mall/mall.ts'
import { bdOf, giveStore, handDistrict, isBd, receiver } from '#src/areas/merchant/bd.server.ts'
import { bd_assignment, bd_target } from '#src/areas/merchant/bd.table.ts'
import { bdStates, monthFault, type BdState } from '#src/areas/merchant/bd.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { staffInScope } from '#src/areas/people/staff.server.ts'
import { say, type Text } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { exporting, faultless, holding, listing, record } from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { paged } from '#src/server/call/tree.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { shopBd as contract } from '../contract/bd.ts'
import { peopleOf, seenMerchants, seenStores } from './bdPeople.ts'

/** A store whose BD is at work. */
const isOwned = sql`exists (select 1 from ${bd_assignment} b join ${admin} a on a.id = b.admin_id and a.status = 'active' where b.store_id = ${store.id} and b.end_at is null)`
const isOf = (admin_id: number) =>
  sql`exists (select 1 from ${bd_assignment} b where b.store_id = ${store.id} and b.end_at is null and b.admin_id = ${admin_id})`
type StoreFilters = {
  keyword?: string | undefined
  bd_state?: 'owned' | 'orphan' | undefined
  city_id?: number | undefined
  admin_id?: number | undefined
}
const stores = record(store, {
  object: 'store',
  label: row => row.name,
  keys: [],
  places: seenStores,
})
const storeList = listing(stores, {
  by: store.id,
  where: ({ keyword, bd_state, city_id, admin_id }: StoreFilters) =>
    and(
      // What is closed for good has nobody to look after it.
      sql`${store.status} not in ('draft', 'closed')`,
      holding(keyword, [store.name], store.id),
      bd_state && (bd_state === 'owned' ? isOwned : sql`not ${isOwned}`),
      city_id === undefined ? undefined : eq(store.city_id, city_id),
      admin_id === undefined ? undefined : isOf(admin_id),
    ),
  shown: async (db, rows) => {
    if (rows.length === 0) return []
    const { rows: found } = await db.execute<{
      id: number
      merchant_name: string
      city_name: string
      mall_name: string
      bd_name: string
      since_at: string | null
      bd_state: BdState
    }>(sql`
      select s.id, m.name merchant_name, c.city_name, coalesce(l.name, '') mall_name, coalesce(a.name, '') bd_name, b.start_at since_at, case when a.id is null then 'none' when a.status = 'active' then 'owned' else 'left' end bd_state
      from store s join merchant m on m.id = s.merchant_id join city c on c.id = s.city_id left join mall l on l.id = s.mall_id left join bd_assignment b on b.store_id = s.id and b.end_at is null left join admin a on a.id = b.admin_id
      where s.id in ${rows.map(row => row.id)}`)
    const beside = new Map(found.map(row => [row.id, row]))
    return rows.map(row => {
      const of = beside.get(row.id)!
      return { ...row, ...of, since_at: of.since_at === null ? null : Number(of.since_at) }
    })
  },
})

const elsewhere: Text = ['该 BD 的数据范围不含这家门店所在的城市', 'Their data has not this city']
const noBd: Text = ['请选择在职的 BD', 'Choose a BD who is at work']
/** Whoever may have stores, or the fault at its field. */
const needReceiver = async ({ tx, staff }: WriteContext, field: string, admin_id: number) => {
  const found = await receiver(tx, admin_id)
  faultless(staff, { [field]: 'fault' in found ? found.fault : undefined })
  if ('fault' in found) throw missing()
  return found
}
type Row = Pick<typeof store.$inferSelect, 'id' | 'name' | 'city_id' | 'mall_id' | 'status'>
/** The store, held, where somebody may look after it. */
const heldStore = async (context: WriteContext, id: number): Promise<Row> => {
  const row = await stores.lock(context, id)
  if (row.status === 'draft' || row.status === 'closed')
    throw ruled('wrong_state', ['草稿或已关闭的门店没有 BD', 'A draft or closed store has no BD'])
  return row
}
const given = (
  { log }: WriteContext,
  row: Row,
  of: { from: number | undefined; to: number; reason?: string },
) =>
  log({
    object_type: 'store',
    object_id: row.id,
    object_label: row.name,
    before: { bd_admin_id: of.from ?? null },
    after: { bd_admin_id: of.to },
    ...(of.reason && { reason: of.reason }),
  })

const handlers = {
  lst: async ({ page, pageSize, keyword }, { db, staff, now }) => ({
    ...paged(await peopleOf(db, staff, { keyword, now }), { page, pageSize }),
    orphans: await db.$count(store, storeList.where({ bd_state: 'orphan' }, { staff, now })),
  }),
  stores: storeList.page,
  bds: async ({ page, pageSize, keyword, but }, { db, staff }) => {
    const where = and(
      staffInScope(staff),
      await isBd(db),
      but === undefined ? undefined : ne(admin.id, but),
      keyword
        ? or(ilike(admin.name, like(keyword)), ilike(admin.account, like(keyword)))
        : undefined,
    )
    const list = await db
      .select({ id: admin.id, name: admin.name, account: admin.account })
      .from(admin)
      .where(where)
      .orderBy(asc(admin.name), asc(admin.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, admin, where)) }
  },
  history: async ({ page, pageSize, store_id, admin_id }, { db, staff }) => {
    const where = and(
      store_id === undefined ? undefined : eq(bd_assignment.store_id, store_id),
      admin_id === undefined ? undefined : eq(bd_assignment.admin_id, admin_id),
      sql`${bd_assignment.store_id} in (select ${store.id} from ${store} where ${seenStores(staff) ?? sql`true`})`,
    )
    const list = await db
      .select({
        id: bd_assignment.id,
        store_id: bd_assignment.store_id,
        store_name: store.name,
        bd_name: admin.name,
        start_at: bd_assignment.start_at,
        end_at: bd_assignment.end_at,
        reason: bd_assignment.reason,
        by_name: sql<string>`coalesce((select giver.name from ${admin} giver where giver.id = ${bd_assignment.by_id}), '')`,
      })
      .from(bd_assignment)
      .innerJoin(store, eq(store.id, bd_assignment.store_id))
      .innerJoin(admin, eq(admin.id, bd_assignment.admin_id))
      .where(where)
      .orderBy(desc(bd_assignment.start_at), desc(bd_assignment.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list, ...(await countOf(db, bd_assignment, where)) }
  },
  assign: async ({ store_ids, admin_id, reason }, context) => {
    const to = await needReceiver(context, 'admin_id', admin_id)
    return eachRow(context, store_ids, async (inner, id) => {
      const row = await heldStore(inner, id)
      const from = await bdOf(inner.tx, id)
      if (from === admin_id) throw ruled('same_bd', ['已是该门店的 BD', 'They are its BD'])
      if (!to.has(row)) throw ruled('other_city', elsewhere)
      await giveStore(inner.tx, id, { to: admin_id, by: inner.staff.id, reason, now: inner.now })
      given(inner, row, { from, to: admin_id, reason })
    })
  },
  handover: async ({ from_admin_id: from, to_admin_id, city_id, reason }, context) => {
    const { tx, staff, now, log } = context
    faultless(staff, { to_admin_id: from === to_admin_id ? noBd : undefined })
    const to = await needReceiver(context, 'to_admin_id', to_admin_id)
    const inCity = (column: SQL.Aliased | typeof store.city_id | typeof merchant.city_id) =>
      city_id === undefined ? undefined : sql`${column} = ${city_id}`
    const places = await tx
      .selectDistinct({ city_id: store.city_id, mall_id: store.mall_id })
      .from(store)
      .where(and(isOf(from), seenStores(staff), inCity(store.city_id)))
    const merchantCities = await tx
      .selectDistinct({ city_id: merchant.city_id })
      .from(merchant)
      .where(
        and(
          eq(merchant.bd_admin_id, from),
          ne(merchant.status, 'terminated'),
          seenMerchants(staff),
          inCity(merchant.city_id),
        ),
      )
    const all = [...places, ...merchantCities.map(one => ({ ...one, mall_id: 0 }))]
    if (all.length === 0)
      throw ruled('nothing', ['没有可移交的门店或商户', 'There is nothing to hand over'])
    faultless(staff, {
      to_admin_id: all.every(place => to.has(place))
        ? undefined
        : [
            '该 BD 的数据范围不含全部所在城市，请按城市移交',
            'Their data has not all of the cities',
          ],
    })
    const done = await handDistrict(tx, {
      from,
      to: to_admin_id,
      by: staff.id,
      reason,
      now,
      stores: and(seenStores(staff), inCity(store.city_id)),
      merchants: and(seenMerchants(staff), inCity(merchant.city_id)),
    })
    log({
      object_type: 'bd',
      object_id: from,
      object_label: to.name,
      before: { bd_admin_id: from },
      after: { bd_admin_id: to_admin_id, ...done },
      reason,
    })
    return done
  },
  claimOrphan: async ({ store_ids }, context) => {
    const { staff } = context
    const to = await needReceiver(context, 'store_ids', staff.id)
    return eachRow(context, store_ids, async (inner, id) => {
      const row = await heldStore(inner, id)
      const from = await bdOf(inner.tx, id)
      const [at] = await inner.tx
        .select({ name: admin.name })
        .from(admin)
        .where(and(eq(admin.id, from ?? 0), eq(admin.status, 'active')))
      if (at) throw ruled('has_bd', ['已有 BD：{name}', 'It has a BD: {name}'], { name: at.name })
      if (!to.has(row)) throw ruled('other_city', elsewhere)
      await giveStore(inner.tx, id, { to: staff.id, by: staff.id, reason: '', now: inner.now })
      given(inner, row, { from, to: staff.id })
    })
  },
  setTarget: async ({ admin_id, month, ...values }, context) => {
    const { tx, staff, now, log } = context
    const [person] = await tx
      .select({ name: admin.name, status: admin.status })
      .from(admin)
      .where(eq(admin.id, admin_id))
    faultless(staff, {
      month: monthFault(month, now),
      admin_id: person?.status === 'active' ? undefined : noBd,
    })
    const [was] = await tx
      .select()
      .from(bd_target)
      .where(and(eq(bd_target.admin_id, admin_id), eq(bd_target.month, month)))
    const [row] = await tx
      .insert(bd_target)
      .values({ admin_id, month, ...values })
      .onConflictDoUpdate({
        target: [bd_target.admin_id, bd_target.month],
        set: { ...values, version: sql`${bd_target.version} + 1` },
      })
      .returning()
    log({
      object_type: 'bd_target',
      object_id: row!.id,
      object_label: `${person!.name} ${month}`,
      before: was
        ? { gmv_target_cents: was.gmv_target_cents, new_store_target: was.new_store_target }
        : null,
      after: values,
    })
    return { id: row!.id }
  },
  export: exporting(storeList, {
    page: 'shop.bd',
    title: ['BD 管辖', 'BD assignments'],
    permit: contract.export.permit,
    columns: [
      { key: 'store_no', title: ['门店号', 'Number'] },
      { key: 'name', title: ['门店', 'Store'] },
      { key: 'merchant', title: ['商户', 'Merchant'] },
      { key: 'city', title: ['城市', 'City'] },
      { key: 'mall', title: ['商场', 'Mall'] },
      { key: 'status', title: ['门店状态', 'State'] },
      { key: 'bd', title: ['BD', 'BD'] },
      { key: 'bd_state', title: ['归属', 'BD status'] },
      { key: 'since', title: ['起始时间', 'Since'], kind: 'time' },
    ],
    words: ({ keyword, bd_state }, lang) => [
      keyword,
      bd_state && say(bd_state === 'owned' ? bdStates.owned : bdStates.none, lang),
    ],
    cells: (row, { lang }) => ({
      store_no: row.store_no,
      name: row.name,
      merchant: row.merchant_name,
      city: row.city_name,
      mall: row.mall_name,
      status: say(storeStates[row.status], lang),
      bd: row.bd_name,
      bd_state: say(bdStates[row.bd_state], lang),
      since: row.since_at,
    }),
  }),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const shopBdServer = implement(contract, handlers)
