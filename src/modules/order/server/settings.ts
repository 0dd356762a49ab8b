import { and, asc, eq, isNull, ne, or, sql } from 'drizzle-orm'
import { freight_template, merchant } from '#src/areas/merchant/merchant.table.ts'
import { rulesFor, shopScopes, type OrderRules, type Sender } from '#src/areas/order/orderRules.ts'
import { freightBy } from '#src/areas/shipping/freight.server.ts'
import {
  areasBeside,
  deliversTo,
  freightFaults,
  type FreightTemplate,
} from '#src/areas/shipping/freight.ts'
import { courier } from '#src/areas/shipping/ship.table.ts'
import { comma, say } from '#src/domain/text.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { equal, faultless, holding, record, reverting } from '#src/server/call/record.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { settings as contract } from '../contract/settings.ts'
import {
  currentRules,
  goBack,
  listRules,
  needsAll,
  saveVersion,
  simulateRules,
  someOf,
  versionsOf,
} from './configRules.ts'

type Row = typeof freight_template.$inferSelect
/** The senders once one is added, changed at its place, or taken out; only one is the default. */
const sendersAfter = (
  was: readonly Sender[],
  at: number | null,
  sender: Sender | null,
): Sender[] => {
  const settled = was.map(one => ({ ...one, ...(sender?.is_default && { is_default: false }) }))
  if (sender === null) return settled.filter((_, n) => n !== at)
  return at === null ? [...settled, sender] : settled.with(at, sender)
}
const keys = ['name', 'mode', 'regions', 'free_rules', 'no_delivery'] as const
const templates = record(freight_template, {
  object: 'freight_template',
  label: row => row.name,
  keys: [...keys, 'status'],
  // The platform's own, and those of merchants that the person sees; none that was deleted.
  places: ({ scope }) => {
    const theirs = within(scope, { city: merchant.city_id, owner: merchant.bd_admin_id })
    return and(
      eq(freight_template.status, 'on'),
      theirs &&
        or(
          isNull(freight_template.merchant_id),
          sql`exists (select 1 from ${merchant} where ${merchant.id} = ${freight_template.merchant_id} and ${theirs})`,
        ),
    )
  },
})
const held = async (context: WriteContext, one: { id: number; version: number }): Promise<Row> => {
  const row = await templates.held(context, one)
  needsAll(context.staff)
  return row
}
type Written = FreightTemplate & { name: string }
/** The first fault of each field is told. */
const needSound = ({ staff }: WriteContext, of: FreightTemplate): void =>
  faultless(
    staff,
    Object.fromEntries(
      freightFaults(of)
        .reverse()
        .map(({ at, text }) => [at, text]),
    ),
  )
/** Called like no other of its owner. */
const needName = async (
  { tx, staff }: WriteContext,
  name: string,
  { id = 0, merchant_id }: { id?: number; merchant_id: number | null },
): Promise<void> => {
  const [same] = await tx
    .select({ id: freight_template.id })
    .from(freight_template)
    .where(
      and(
        equal(freight_template, {
          name,
          status: 'on',
          ...(merchant_id !== null && { merchant_id }),
        }),
        merchant_id === null ? isNull(freight_template.merchant_id) : undefined,
        ne(freight_template.id, id),
      ),
    )
    .limit(1)
  faultless(staff, {
    name: same && ['已有同名模板，请换一个名称', 'Another template has this name'],
  })
}
/** The platform's own template, to which everybody's data must reach who writes it. */
const insert = async (
  context: WriteContext,
  { name, mode, regions, free_rules, no_delivery }: Written,
): Promise<Row> => {
  needsAll(context.staff)
  return templates.add(context, {
    name,
    mode,
    regions: [...regions],
    free_rules: [...free_rules],
    no_delivery,
    merchant_id: null,
  })
}
/**
 * How many products on sale are sent by each template: counted at once, so that a list asks once.
 */
const usedOf = async (db: Db): Promise<Map<number, number>> =>
  new Map(
    (
      await db.execute<{ id: number; n: number }>(
        sql`select (v.body->>'freight_template_id')::int id, count(*)::int n from product p join product_version v on v.product_id = p.id and v.state = 'live' where p.kind in ('elist', 'goods') and p.state = 'on_sale' and v.body ? 'freight_template_id' group by 1`,
      )
    ).rows.map(row => [row.id, row.n]),
  )
/** Changes of one rule whose page asks for it by itself. */
const setRule = (
  context: WriteContext,
  of: { kind: (typeof shopScopes)[number]; version_no: number; reason: string; confirm?: boolean },
  change: (was: OrderRules) => OrderRules,
) =>
  saveVersion(context, {
    scope: of.kind,
    version_no: of.version_no,
    reason: of.reason,
    confirm: of.confirm ?? false,
    change,
  })

const handlers = {
  lst: (_, context) => listRules(shopScopes, context),
  save: ({ kind, fields, ...of }, context) =>
    saveVersion(context, { ...of, scope: kind, change: someOf(kind, fields, context.staff) }),
  rollback: ({ kind, ...of }, context) => goBack(context, { ...of, scope: kind }),
  history: ({ kind, ...paging }, context) => versionsOf(kind, paging, context),
  simulate: ({ kind, fields }, context) => simulateRules(kind, fields, context),
  templates: async ({ keyword, page, pageSize }, { db, staff }) => {
    const where = and(templates.seen(staff), holding(keyword, [freight_template.name]))
    const rows = await db
      .select({
        row: freight_template,
        merchant_name: merchant.name,
        total: sql<number>`count(*) over ()::int`,
      })
      .from(freight_template)
      .leftJoin(merchant, eq(merchant.id, freight_template.merchant_id))
      .where(where)
      .orderBy(sql`${freight_template.merchant_id} is not null`, asc(freight_template.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    const used = await usedOf(db)
    return {
      list: rows.map(({ row: { created_at: _, status: __, ...row }, merchant_name }) => ({
        ...row,
        merchant_name: merchant_name ?? '',
        used: used.get(row.id) ?? 0,
        faults: freightFaults(row),
      })),
      total: rows[0]?.total ?? 0,
    }
  },
  addTemplate: async (of, context) => {
    needSound(context, of)
    await needName(context, of.name, { merchant_id: null })
    return insert(context, of)
  },
  editTemplate: async ({ id, version, ...of }, context) => {
    const was = await held(context, { id, version })
    needSound(context, of)
    await needName(context, of.name, was)
    return templates.save(context, was, of)
  },
  // A copy is made to be changed: it may begin with the faults of its original, and is listed with
  // them.
  copyTemplate: async ({ id, name }, context) => {
    const row = await templates.read(context.tx, context.staff, id)
    await needName(context, name, { merchant_id: null })
    return insert(context, { ...row, name })
  },
  delTemplate: async (one, context) => {
    const was = await held(context, one)
    const n = (await usedOf(context.tx)).get(was.id) ?? 0
    if (n > 0)
      throw ruled(
        'in_use',
        [
          '{n} 个在售商品正在使用，不能删除；请先为它们换模板',
          '{n} products on sale use it: give them another first',
        ],
        { n },
      )
    return templates.save(context, was, { status: 'off' })
  },
  calcFreight: async ({ template_id, kind, area, items }, { db, staff }) => {
    const said = freightBy(
      await templates.read(db, staff, template_id),
      await currentRules(db, kind),
      area,
      items.map(({ weight_g, volume_cm3, ...line }) => ({
        ...line,
        ...(weight_g !== undefined && { weight_g }),
        ...(volume_cm3 !== undefined && { volume_cm3 }),
      })),
    )
    return said.ok
      ? { ok: true, cents: said.cents, units: said.units, how: said.how }
      : { ok: false, cents: null, units: null, how: said.text }
  },
  setNoDelivery: async ({ areas, ...of }, context) => {
    const { tx, staff } = context
    const before = (await currentRules(tx, of.kind)).no_delivery
    const saved = await setRule(context, of, was => ({ ...was, no_delivery: [...new Set(areas)] }))
    const closed = areasBeside(areas, before)
    const reached =
      closed.length === 0
        ? []
        : await tx
            .select()
            .from(freight_template)
            .where(templates.seen(staff))
            .orderBy(asc(freight_template.id))
    return {
      ...saved,
      still: reached.flatMap(row => {
        const there = deliversTo(row, closed)
        return there ? [{ id: row.id, name: row.name, ...there }] : []
      }),
    }
  },
  setSender: async ({ at, sender, ...of }, context) => {
    const { tx, staff } = context
    faultless(staff, {
      kind: rulesFor(of.kind).includes('senders')
        ? undefined
        : ['寄件人只用于电商订单的面单', 'Senders stand on the labels of e-commerce orders only'],
    })
    const couriers = sender?.courier
      ? (await tx.select({ name: courier.name }).from(courier)).map(one => one.name)
      : []
    if (sender?.courier && !couriers.includes(sender.courier))
      throw invalid({
        'sender.courier': say(
          ['没有这家快递公司，可填：{names}', 'No such courier; there are {names}'],
          staff.lang,
          { names: couriers.slice(0, 12).join(say(comma, staff.lang)) },
        ),
      })
    return setRule(context, of, was => {
      if (at !== null && at >= was.senders.length) throw missing()
      if (sender === null && at === null)
        throw invalid({ sender: say(['请填写寄件人', 'Name the sender'], staff.lang) })
      const senders = sendersAfter(was.senders, at, sender)
      // There is a default one as long as there is one.
      return {
        ...was,
        senders:
          senders.length > 0 && !senders.some(one => one.is_default)
            ? senders.map((one, n) => ({ ...one, is_default: n === 0 }))
            : senders,
      }
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

reverting(templates, [way(contract.editTemplate, handlers.editTemplate, keys)])

export const settingsServer = implement(contract, handlers)
