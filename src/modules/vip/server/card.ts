import { and, count, inArray } from 'drizzle-orm'
import { offeredCoupons } from '#src/areas/coupon/offered.server.ts'
import {
  giftsOf,
  lastPlace,
  lockPlans,
  needAnother,
  needGifts,
  planFigures,
  planFor,
  planRecord,
  plansInOrder,
  writtenOfPlan,
} from '#src/areas/vipCard/plans.server.ts'
import { vip_card } from '#src/areas/vipCard/vipCard.table.ts'
import { planFaults, type PlanKind, type PlanState } from '#src/areas/vipCard/vipCard.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { joined, say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import {
  arrange,
  equal,
  faultless,
  holding,
  listing,
  reverting,
  unlessTaken,
} from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { plans as contract } from '../contract/card.ts'

type Filters = { keyword?: string; status?: PlanState; kind?: PlanKind }
const NAME_MOST = 16
const list = listing(planRecord, {
  by: vip_card.sort,
  where: ({ keyword, ...of }: Filters) =>
    and(holding(keyword, [vip_card.name], vip_card.id), equal(vip_card, of)),
  shown: async (_, rows) => rows,
})
const once = <T>({ staff }: WriteContext, run: Promise<T>): Promise<T> =>
  unlessTaken(run, () =>
    ruled(
      'name_taken',
      ['已有同名卡种', 'A plan has that name'],
      {},
      { fields: { name: say(['已有同名卡种，请换一个', 'Taken: choose another'], staff.lang) } },
    ),
  )
/** A name for a copy that is not too long, and of no other plan. */
const copyName = (name: string, taken: ReadonlySet<string>): string => {
  for (let n = 1; ; n++) {
    const end = n === 1 ? '副本' : `副本${n}`
    const tried = `${[...name].slice(0, NAME_MOST - end.length).join('')}${end}`
    if (!taken.has(tried)) return tried
  }
}

const handlers = {
  lst: async (asked, context) => {
    const { db, staff, now } = context
    const { page: _, pageSize: __, status: ___, ...others } = asked
    const stat = await db
      .select({ status: vip_card.status, n: count() })
      .from(vip_card)
      .where(list.where(others as Filters, { staff, now }))
      .groupBy(vip_card.status)
    return {
      ...(await list.page(asked as never, context)),
      stat: Object.fromEntries(stat.map(one => [one.status, one.n])),
    }
  },
  figures: async ({ ids }, { db, now }) => {
    const rows = await db.select().from(vip_card).where(inArray(vip_card.id, ids))
    if (rows.length < new Set(ids).size) throw missing()
    const sold = await planFigures(db, ids, { now, since: now - 30 * DAY })
    const gifts = await giftsOf(
      db,
      rows.flatMap(row => row.gift_coupon_ids),
      now,
    )
    return {
      list: ids.map(id => ({
        ...sold.find(one => one.id === id)!,
        gifts: rows
          .find(row => row.id === id)!
          .gift_coupon_ids.flatMap(gift => gifts.get(gift) ?? [])
          .map(gift => ({ ...gift, left: Math.max(0, gift.left) })),
      })),
    }
  },
  coupons: offeredCoupons,
  arranged: async (_, { db }) => {
    const found = await plansInOrder(db)
    return { list: found, list_version: sequenceVersion(found.map(one => one.id)) }
  },
  create: async (fields, context) => {
    faultless(context.staff, planFaults({ ...fields, benefits: [], gift_coupon_ids: [] }))
    await lockPlans(context.tx)
    const sort = await lastPlace(context.tx)
    return once(context, planRecord.add(context, { ...fields, sort }))
  },
  edit: async ({ id, version, ...fields }, context) => {
    const was = await planFor(context, 'edit', { id, version })
    const next = { ...was, ...fields }
    faultless(context.staff, planFaults(next))
    if (was.status === 'on') await needGifts(context.tx, next, context.now)
    return once(context, planRecord.save(context, was, fields))
  },
  copy: async (one, context) => {
    await lockPlans(context.tx)
    const {
      id: _,
      version: __,
      created_at: ___,
      updated_at: ____,
      ...was
    } = await planRecord.held(context, one)
    const names = (await plansInOrder(context.tx)).map(row => row.name)
    return planRecord.add(context, {
      ...was,
      name: copyName(was.name, new Set(names)),
      sold_count: 0,
      sort: await lastPlace(context.tx),
      status: 'draft',
      off_reason: '',
    })
  },
  onShelf: async (one, context) => {
    const was = await planFor(context, 'onShelf', one)
    await needGifts(context.tx, was, context.now)
    return planRecord.save(context, was, { status: 'on', off_reason: '' })
  },
  offShelf: async ({ reason, ...one }, context) => {
    const was = await planFor(context, 'offShelf', one)
    await needAnother(context.tx, was.id)
    return planRecord.save(context, was, { status: 'off', off_reason: reason }, reason)
  },
  setBenefits: async ({ id, version, ...given }, context) => {
    const was = await planFor(context, 'setBenefits', { id, version })
    const next = {
      benefits: [...new Set(given.benefits)],
      gift_coupon_ids: [...new Set(given.gift_coupon_ids)],
    }
    if (was.status === 'on' && next.benefits.length === 0)
      throw ruled('no_benefits', [
        '在售卡种至少保留一项权益',
        'A plan on sale keeps one benefit at least',
      ])
    const known = await giftsOf(context.tx, next.gift_coupon_ids, context.now)
    if (known.size < next.gift_coupon_ids.length) throw missing()
    if (was.status === 'on') await needGifts(context.tx, { ...was, ...next }, context.now)
    return planRecord.save(context, was, next)
  },
  sort: async (asked, { tx, log }) => {
    await lockPlans(tx)
    const before = (await plansInOrder(tx)).map(one => one.id)
    const { order, list_version } = await arrange(tx, asked, before, {
      sets: vip_card.sort,
      by: vip_card.id,
    })
    log({
      object_type: 'vip_card',
      object_id: 0,
      object_label: joined(['卡种顺序', 'Order of plans']),
      before: { order: before },
      after: { order },
    })
    return { list_version }
  },
  del: async (one, context) => {
    const was = await planFor(context, 'del', one)
    return planRecord.remove(context, was)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(planRecord, [way(contract.edit, handlers.edit, writtenOfPlan)])

export const planServer = implement(contract, handlers)
