import { and, eq } from 'drizzle-orm'
import {
  facilities,
  facilitiesInOrder,
  iconFault,
  mallsMarked,
  markCounts,
  markFault,
  marks,
  moveMarks,
  storesMarked,
  type Facility,
} from '#src/areas/merchant/facilities.server.ts'
import { facility } from '#src/areas/merchant/facility.table.ts'
import {
  mayHave,
  scopeFault,
  type FacilityHolder,
  type FacilityScope,
} from '#src/areas/merchant/facility.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { joined, type Text } from '#src/domain/text.ts'
import { eachRow } from '#src/server/call/batch.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { arrange, faultless, reverting, turning, unlessTaken } from '#src/server/call/record.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { paged } from '#src/server/call/tree.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { shopFacility as contract } from '../contract/facility.ts'

const lock = ({ tx }: WriteContext) => lockSequence(tx, 'facility')
const sound = async (
  { tx, staff }: WriteContext,
  of: { icon: string; scope: FacilityScope },
  was?: Facility,
): Promise<void> =>
  faultless(staff, {
    icon: was?.icon === of.icon ? undefined : await iconFault(tx, of.icon),
    scope: was && scopeFault(of.scope, (await markCounts(tx))(was.id)),
  })
const once = <R>(run: Promise<R>) =>
  unlessTaken(run, () => invalid({ name: ['已有同名设施', 'There is a facility of this name'] }))
const shownNow = {
  rule: 'wrong_state',
  on: ['已展示', 'Already shown'],
  off: ['已隐藏', 'Already hidden'],
} as const
/** The facility, held until the transaction ends; 404 where another took it over. */
const standing = async (context: WriteContext, id: number): Promise<Facility> => {
  const row = await facilities.lock(context, id)
  if (row.merged_into !== null) throw missing()
  return row
}
const held = async (context: WriteContext, one: { id: number; version: number }) => {
  await lock(context)
  await standing(context, one.id)
  return facilities.held(context, one)
}
const notIts = {
  store: ['该设施不适用于门店', 'It is not for stores'],
  mall: ['该设施不适用于商场', 'It is not for malls'],
} as const satisfies Record<string, Text>

type Marked = { row: Facility; of: FacilityHolder; ids: readonly number[]; on: boolean }
/** Marks stores, or malls, or takes their marks off; each row says what became of it. */
const markEach = async (context: WriteContext, { row, of, ids, on }: Marked) => {
  if (ids.length === 0) return { ok: [], failed: [] }
  const { table, by } = marks[of]
  const result = await eachRow(context, ids, async ({ tx, staff }, id) => {
    const fault = await markFault(tx, staff, { of, id, on })
    if (fault) throw ruled('not_marked', fault)
    if (on && !mayHave(row.scope, of)) throw ruled('wrong_scope', notIts[of])
    if (on)
      await tx
        .insert(table)
        .values({ facility_id: row.id, [by.name]: id } as never)
        .onConflictDoNothing()
    else await tx.delete(table).where(and(eq(table.facility_id, row.id), eq(by, id)))
  })
  const key = `${on ? 'marked' : 'unmarked'}_${of}s`
  if (result.ok.length > 0)
    facilities.log(context, row, { before: null, after: { [key]: result.ok } })
  return result
}
type Marks = { facility_id: number; store_ids: number[]; mall_ids: number[] }
const marking =
  (on: boolean) =>
  async ({ facility_id, store_ids, mall_ids }: Marks, context: WriteContext) => {
    if (store_ids.length + mall_ids.length === 0)
      throw invalid({ store_ids: ['请选择门店或商场', 'Choose stores or malls'] })
    const row = await standing(context, facility_id)
    const stores = await markEach(context, { row, of: 'store', ids: store_ids, on })
    const malls = await markEach(context, { row, of: 'mall', ids: mall_ids, on })
    return { ok: [...stores.ok, ...malls.ok], failed: [...stores.failed, ...malls.failed] }
  }

const handlers = {
  lst: async (_, { db, staff }) => {
    const [all, countOf] = [await facilitiesInOrder(db), await markCounts(db, staff)]
    return {
      list: all.map(row => ({ ...row, ...countOf(row.id) })),
      list_version: sequenceVersion(all.map(row => row.id)),
    }
  },
  holders: async ({ of, ...asked }, { db, staff }) => {
    const { list, ...total } = await (of === 'store' ? storesMarked : mallsMarked)(db, staff, asked)
    const beside = { facility_id: asked.facility_id, of, marked: asked.marked }
    return { list: list.map(row => ({ ...row, ...beside })), ...total }
  },
  targets: async ({ id, keyword = '', ...page }, { db }) => {
    const all = await facilitiesInOrder(db)
    return paged(
      all.filter(row => row.id !== id && row.name.toLowerCase().includes(keyword.toLowerCase())),
      page,
    )
  },
  create: async (fields, context) => {
    await lock(context)
    await sound(context, fields)
    const last = (await facilitiesInOrder(context.tx)).at(-1)
    return once(facilities.add(context, { ...fields, sort: (last?.sort ?? -1) + 1 }))
  },
  edit: async ({ id, version, ...fields }, context) => {
    const was = await held(context, { id, version })
    await sound(context, fields, was)
    return once(facilities.save(context, was, fields))
  },
  del: async (one, context) => {
    const was = await held(context, one)
    const { store_count, mall_count } = (await markCounts(context.tx))(was.id)
    if (store_count + mall_count > 0)
      throw ruled(
        'in_use',
        [
          '还有 {n} 家门店、{m} 个商场使用它，只能合并或隐藏',
          '{n} stores and {m} malls have it: merge or hide it',
        ],
        { n: store_count, m: mall_count },
      )
    if ((await context.tx.$count(facility, eq(facility.merged_into, was.id))) > 0)
      throw ruled('took_over', [
        '有设施并入过它，旧编号仍指向这里，只能合并或隐藏',
        'Others were merged into it: merge or hide it',
      ])
    return facilities.remove(context, was)
  },
  sort: async (asked, context) => {
    const { tx, log } = context
    await lock(context)
    const before = (await facilitiesInOrder(tx)).map(row => row.id)
    const { order, list_version } = await arrange(tx, asked, before, {
      sets: facility.sort,
      by: facility.id,
    })
    log({
      object_type: 'facility',
      object_id: 0,
      object_label: joined(['设施顺序', 'Order of facilities']),
      before: { order: before },
      after: { order },
    })
    return { list_version }
  },
  show: async (one, context) =>
    facilities.save(context, await turning(held(context, one), 'on', shownNow), { status: 'on' }),
  hide: async (one, context) =>
    facilities.save(context, await turning(held(context, one), 'off', shownNow), { status: 'off' }),
  merge: async ({ target_id, reason, ...one }, context) => {
    const { tx } = context
    const was = await held(context, one)
    const gone: Text = ['请选择另一个设施', 'Choose another facility']
    const [target] = await tx
      .select()
      .from(facility)
      .where(eq(facility.id, target_id))
      .for('update')
    if (!target || target.merged_into !== null || target.id === was.id)
      throw invalid({ target_id: gone })
    faultless(context.staff, {
      target_id: scopeFault(target.scope, (await markCounts(tx))(was.id)),
    })
    const after = await facilities.set(context, was, { status: 'off', merged_into: target_id })
    await tx
      .update(facility)
      .set({ merged_into: target_id })
      .where(eq(facility.merged_into, was.id))
    const { moved, had } = await moveMarks(tx, was.id, target_id)
    facilities.log(context, after, {
      before: { merged_into: null },
      after: { merged_into: target_id, moved },
      reason,
    })
    return { id: was.id, version: after.version, moved, had }
  },
  batchTagStores: marking(true),
  batchUntagStores: marking(false),
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(facilities, [way(contract.edit, handlers.edit, ['name', 'icon', 'group', 'scope'])])

export const shopFacilityServer = implement(contract, handlers)
