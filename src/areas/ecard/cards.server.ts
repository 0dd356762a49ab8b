import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { say } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record, unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { sameContent } from '#src/server/call/versions.ts'
import { cardCan, copiedName, shelfFaults, type CardDraft, type CardVerb } from './card.ts'
import { ecard, ecard_attr, ecard_code } from './ecard.table.ts'
import type { Supplier } from './suppliers.ts'

export type Card = typeof ecard.$inferSelect
export type CardFaceRow = typeof ecard_attr.$inferSelect

export const cards = record(ecard, {
  object: 'ecard',
  label: row => row.name,
  keys: ['name', 'state'],
  places: { city: ecard.city_id, mall: ecard.mall_id },
})
/** The columns of a card that its form writes, as rules read them. */
export const draftOf = (row: Card): CardDraft => ({
  ...row,
  supplier: row.supplier as Supplier | '',
})
const written = [
  'name',
  'type',
  'named',
  'merchant_id',
  'store_id',
  'cover',
  'arts',
  'supplier',
  'source',
  'custom_min_cents',
  'custom_max_cents',
  'custom_step_cents',
  'valid_type',
  'valid_until',
  'valid_days',
  'gift',
  'greetings',
  'refund_rule',
  'bonus',
  'notice',
  'agreement',
  'stock_alert',
  'state',
  'off_reason',
  'recommended',
] as const satisfies readonly (keyof Card)[]
/** A card as the log tells of it: its scope and limits field by field. */
const told = (row: Card): Record<string, unknown> => ({
  ...Object.fromEntries(written.map(key => [key, row[key]])),
  ...row.scope,
  limit_order: row.limits.order,
  limit_day: row.limits.day,
  limit_person: row.limits.person,
})
/** Changes a card as it was read, with the fields that differ in the log. */
export const saveCard = async (
  context: WriteContext,
  was: Card,
  values: Partial<typeof ecard.$inferInsert>,
  reason?: string,
): Promise<Card> => {
  const after = await onceNamed(context, cards.set(context, was, values))
  const [before, now] = [told(was), told(after)]
  const changed = Object.keys(now).filter(key => !sameContent(before[key], now[key]))
  const of = (row: Record<string, unknown>) =>
    Object.fromEntries(changed.map(key => [key, row[key] ?? null]))
  cards.log(context, after, { before: of(before), after: of(now), ...(reason && { reason }) })
  return after
}
/** Refuses a name that another card of the supplier and the type has. */
const onceNamed = <T>({ staff }: WriteContext, run: Promise<T>): Promise<T> =>
  unlessTaken(run, () =>
    ruled(
      'name_taken',
      [
        '同一供应商已有同名同类型的电子卡，请换一个名称',
        'The supplier has a card of that name and type: choose another name',
      ],
      {},
      { fields: { name: say(['名称已被使用', 'The name is taken'], staff.lang) } },
    ),
  )
/** Makes a card, with all that was written of it in the log. */
export const addCard = async (
  context: WriteContext,
  values: typeof ecard.$inferInsert,
): Promise<Card> => {
  const [made] = await onceNamed(context, context.tx.insert(ecard).values(values).returning())
  cards.log(context, made!, { before: null, after: told(made!) })
  return made!
}

/** True of a face that staff offer, and that no buyer chose. */
export const isOffered = eq(ecard_attr.chosen, false)
/** The faces of cards that staff offer, those of each in their order. */
export const facesOf = (db: Db, ids: readonly number[]): Promise<CardFaceRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(ecard_attr)
        .where(and(inArray(ecard_attr.card_id, [...ids]), isOffered))
        .orderBy(asc(ecard_attr.card_id), asc(ecard_attr.sort), asc(ecard_attr.id))

/** The card as the person holds it, locked; 422 where it can't have that now. */
export const cardFor = async (
  context: WriteContext,
  verb: CardVerb,
  one: { id: number; version: number },
): Promise<Card> => {
  const row = await cards.heldFast(context, one)
  const may = cardCan(verb, row)
  if (may !== true) throw ruled(`card_${verb}`, may)
  return row
}
/** Refuses a card that may not be sold, and says what it lacks. */
const needShelf = async ({ tx, now }: WriteContext, row: Card): Promise<void> => {
  const faults = Object.entries(shelfFaults(draftOf(row), await facesOf(tx, [row.id]), now))
  const [first] = faults.flatMap(([, fault]) => (fault ? [fault] : []))
  if (first)
    throw ruled(
      'card_not_ready',
      [`不能上架：${first[0]}`, `Not to be put on sale: ${first[1]}`],
      {},
      { fields: Object.fromEntries(faults.filter(([, fault]) => fault)) },
    )
}
/** Puts a card on the shelf, once nothing keeps it from there. */
export const putOn = async (context: WriteContext, was: Card): Promise<Card> => {
  await needShelf(context, was)
  return saveCard(context, was, { state: 'on', off_reason: null })
}
/** Takes a card off the shelf; cards that are sold stay good. */
export const takeOff = (context: WriteContext, was: Card, reason: string): Promise<Card> =>
  saveCard(context, was, { state: 'off', off_reason: reason, recommended: false }, reason)

const COPIES_MOST = 50
const freeName = async (db: Db, of: Card): Promise<string> => {
  const same = await db
    .select({ name: ecard.name })
    .from(ecard)
    .where(and(eq(ecard.supplier, of.supplier), eq(ecard.type, of.type)))
  const taken = new Set(same.map(one => one.name))
  for (let at = 1; at <= COPIES_MOST; at++) {
    const name = copiedName(of.name, at)
    if (!taken.has(name)) return name
  }
  throw ruled('copies_many', [
    '副本过多，请先给已有副本改名',
    'There are too many copies: give those another name first',
  ])
}
/** A draft with the terms and faces of a card, and none of its codes or sales. */
export const copyCard = async (context: WriteContext, of: Card): Promise<Card> => {
  const { id: _, created_at: __, updated_at: ___, version: ____, ...terms } = of
  const made = await addCard(context, {
    ...terms,
    name: await freeName(context.tx, of),
    state: 'draft',
    off_reason: null,
    alerted_at: null,
    recommended: false,
    sold: 0,
    copy_from_id: of.id,
  })
  const faces = await facesOf(context.tx, [of.id])
  if (faces.length > 0)
    await context.tx.insert(ecard_attr).values(
      faces.map(face => ({
        card_id: made.id,
        face_cents: face.face_cents,
        price_cents: face.price_cents,
        bonus_cents: face.bonus_cents,
        cost_cents: face.cost_cents,
        limit_n: face.limit_n,
        stock_alert: face.stock_alert,
        sort: face.sort,
        // A loss is agreed to card by card.
        status: face.price_cents < face.cost_cents ? ('off' as const) : face.status,
      })),
    )
  return made
}

/**
 * The figures that stay of a card's sales: a code keeps when it was sold, though it was refunded
 * since.
 */
type Used = { activated: number; outstanding_cents: number; was_sold: boolean }
/** Reads whether codes were sold and activated, and how much is left on them in cents. */
export const usedOf = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Used>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({
      card_id: ecard_code.card_id,
      activated: sql<number>`count(*) filter (where ${ecard_code.activated_at} is not null)::int`,
      was_sold: sql<boolean>`bool_or(${ecard_code.sold_at} is not null)`,
      cents: sql<string>`coalesce(sum(${ecard_code.balance_cents}) filter (where ${ecard_code.state} = 'active'), 0)`,
    })
    .from(ecard_code)
    .where(inArray(ecard_code.card_id, [...ids]))
    .groupBy(ecard_code.card_id)
  return new Map(
    rows.map(row => [
      row.card_id,
      {
        activated: row.activated,
        outstanding_cents: Number(row.cents),
        was_sold: row.was_sold,
      },
    ]),
  )
}
