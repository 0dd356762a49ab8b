import { and, asc, desc, eq, gt, ilike, inArray, sql } from 'drizzle-orm'
import {
  cardFaults,
  faceFaults,
  isScoped,
  marginOf,
  soldFaults,
  type CardDraft,
  type CardTemplate,
} from '#src/areas/ecard/card.ts'
import {
  addCard,
  cardFor,
  cards,
  copyCard,
  draftOf,
  facesOf,
  putOn,
  saveCard,
  takeOff,
  usedOf,
  type Card,
} from '#src/areas/ecard/cards.server.ts'
import { cardPays } from '#src/areas/ecard/cardSentence.ts'
import { ecard, ecard_attr, ecard_template } from '#src/areas/ecard/ecard.table.ts'
import type { CardScope } from '#src/areas/ecard/ecard.ts'
import { faceLinesFault, type FaceLine } from '#src/areas/ecard/faceLines.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { DAY } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { isNamed } from '#src/server/db/names.ts'
import { lockSequence } from '#src/server/db/sequence.ts'
import { cardAdd, cardEdit } from '../contract/form.ts'

/** A form as it is kept: a validity holds only what its kind counts by. */
const tidied = <T extends CardDraft>(of: T): T => ({
  ...of,
  named: of.type === 'stored' && of.named,
  supplier: of.source === 'generate' ? '' : of.supplier,
  valid_until: of.valid_type === 'fixed' ? of.valid_until : null,
  valid_days: of.valid_type === 'days' ? of.valid_days : null,
  greetings: of.gift ? of.greetings : [],
})
/** A card stands where its issuing store does, and its orders are that store's merchant's. */
const issuerOf = async ({ tx, staff }: WriteContext, id: number) => {
  const [row] = await tx
    .select()
    .from(store)
    .where(and(eq(store.id, id), within(staff.scope, { city: store.city_id, mall: store.mall_id })))
  if (!row) throw missing()
  if (row.status !== 'open' && row.status !== 'resting')
    faultless(staff, { store_id: ['该门店未在营业，不能发卡', 'The store does not trade'] })
  return { merchant_id: row.merchant_id, city_id: row.city_id, mall_id: row.mall_id }
}
const columns = (of: CardDraft) => ({ ...of, arts: [...of.arts], greetings: [...of.greetings] })
/** A new card stands before the others, so that it is seen. */
const firstSort = async ({ tx }: WriteContext): Promise<number> => {
  const [row] = await tx
    .select({ least: sql<number>`coalesce(min(${ecard.sort}), 1)::int` })
    .from(ecard)
  return row!.least - 1
}
const make = async (
  context: WriteContext,
  { faces, ...sent }: CardDraft & { faces: readonly FaceLine[] },
): Promise<Card> => {
  const of = tidied(sent)
  faultless(context.staff, { ...cardFaults(of, context.now), faces: faceLinesFault(faces, of) })
  const made = await addCard(context, {
    ...columns(of),
    ...(await issuerOf(context, of.store_id)),
    state: 'draft',
    sort: await firstSort(context),
  })
  if (faces.length > 0)
    await context.tx.insert(ecard_attr).values(
      faces.map((face, at) => ({
        card_id: made.id,
        ...face,
        sort: at + 1,
        // A face below its cost waits for another person's word.
        status: marginOf(face) < 0 ? ('off' as const) : ('on' as const),
      })),
    )
  return made
}
/**
 * A card that was sold at least once: what was promised to its buyers binds it. Counts of sales fall
 * with refunds; that a code was sold stays.
 */
const wasSold = async (tx: Db, row: Card, faces: readonly { sold_n: number }[]): Promise<boolean> =>
  row.sold > 0 ||
  faces.some(face => face.sold_n > 0) ||
  (await usedOf(tx, [row.id])).get(row.id)?.was_sold === true
type Sent = CardDraft & { id: number; version: number }
const change = async (
  context: WriteContext,
  { id, version, ...sent }: Sent,
  reason: string,
): Promise<Card> => {
  const { tx, staff, now } = context
  const was = await cards.heldFast(context, { id, version })
  const faces = await facesOf(tx, [id])
  const of = tidied(sent)
  if (was.state === 'on' && reason.trim().length < 2)
    faultless(staff, {
      reason: ['已上架的卡须写明修改原因', 'Say why a card on sale is changed'],
    })
  if (await wasSold(tx, was, faces)) faultless(staff, soldFaults(draftOf(was), of))
  const wrong = faces.flatMap(face =>
    Object.values(faceFaults(face, of)).filter(fault => fault !== undefined),
  )
  faultless(staff, { ...cardFaults(of, now), ...(wrong[0] && { type: wrong[0] }) })
  const issuer = of.store_id === was.store_id ? {} : await issuerOf(context, of.store_id)
  const after = await saveCard(context, was, { ...columns(of), ...issuer }, reason.trim())
  // A card on the shelf still has all that it needs there.
  if (after.state === 'on') needTerms(context, after)
  return after
}
const needTerms = ({ staff }: WriteContext, row: Card): void =>
  faultless(staff, {
    scope: isScoped(row.scope) ? undefined : ['适用范围不能为空', 'It is good somewhere'],
    agreement: row.agreement.trim() ? undefined : ['购卡协议不能为空', 'The agreement is missing'],
  })

/** Orders that a card of the scope could pay a part of; a category is asked of what was bought. */
const payable = ({ mall_ids, store_ids, category_ids }: CardScope) =>
  and(
    mall_ids.length > 0 ? inArray(order.mall_id, mall_ids) : undefined,
    store_ids.length > 0 ? inArray(order.store_id, store_ids) : undefined,
    category_ids.length > 0
      ? sql`exists (select 1 from order_item i join product p on p.id = i.product_id where i.order_id = ${order.id} and p.category_id = any(${sql.param(category_ids)}::int[]))`
      : undefined,
  )
/** An example is of this month: older orders are not looked through. */
const EXAMPLE_DAYS = 30
const NONE = {
  order_id: 0,
  order_no: '',
  store_name: '',
  pay_cents: 0,
  card_cents: 0,
  rest_cents: 0,
  left_cents: 0,
}

export const cardAddServer = implement(cardAdd, {
  save: (sent, context) => make(context, sent),
  submit: async (sent, context) => putOn(context, await make(context, sent)),
  saveAsTemplate: async ({ name, body }, { tx, staff, log }) => {
    const kept = body as CardTemplate
    // Two people who keep the same name at once replace one template, one after the other.
    await lockSequence(tx, 'ecard_template')
    const [again] = await tx
      .update(ecard_template)
      .set({ body: kept, admin_id: staff.id, version: sql`${ecard_template.version} + 1` })
      .where(isNamed(ecard_template.name, name))
      .returning()
    const [made] = again
      ? [again]
      : await tx.insert(ecard_template).values({ name, body: kept, admin_id: staff.id }).returning()
    log({
      object_type: 'ecard_template',
      object_id: made!.id,
      object_label: name,
      before: null,
      after: { body: kept.type },
    })
    return made!
  },
  templates: async ({ page, pageSize, keyword }, { db }) => {
    const where = keyword ? ilike(ecard_template.name, like(keyword)) : undefined
    const list = await db
      .select()
      .from(ecard_template)
      .where(where)
      .orderBy(asc(ecard_template.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: list as never, total: await db.$count(ecard_template, where) }
  },
  example: async ({ scope, held_cents }, { db, staff, now }) => {
    const [found] = await db
      .select({
        order_id: order.id,
        order_no: order.order_no,
        store_name: store.name,
        pay_cents: order.pay_cents,
      })
      .from(order)
      .innerJoin(store, eq(store.id, order.store_id))
      .where(
        and(
          payable(scope),
          eq(order.pay_state, 'paid'),
          gt(order.pay_cents, 0),
          gt(order.created_at, now - EXAMPLE_DAYS * DAY),
          within(staff.scope, { city: order.city_id, mall: order.mall_id }),
        ),
      )
      .orderBy(desc(order.id))
      .limit(1)
    return found ? { ...found, ...cardPays(held_cents, found.pay_cents) } : NONE
  },
} satisfies { [K in keyof typeof cardAdd]: Handler<(typeof cardAdd)[K]> })

export const cardEditServer = implement(cardEdit, {
  save: ({ reason, ...sent }, context) => change(context, sent, reason),
  submit: async (sent, context) => {
    await cardFor(context, 'online', sent)
    return putOn(context, await change(context, sent, ''))
  },
  newVersion: async (one, context) => copyCard(context, await cards.held(context, one)),
  offline: async ({ reason, ...one }, context) =>
    takeOff(context, await cardFor(context, 'offline', one), reason),
} satisfies { [K in keyof typeof cardEdit]: Handler<(typeof cardEdit)[K]> })
