import { and, asc, eq, sql } from 'drizzle-orm'
import { yuan } from '#src/domain/money.ts'
import { say } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { faultless, record, unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { faceFaults, marginOf } from './card.ts'
import { cards, draftOf, isOffered, takeOff, type Card, type CardFaceRow } from './cards.server.ts'
import { ecard, ecard_attr } from './ecard.table.ts'
import { faceCan, type FaceVerb } from './face.ts'

export const faces = record(ecard_attr, {
  object: 'ecard_attr',
  label: row => `¥${yuan(row.face_cents)}`,
  keys: [
    'face_cents',
    'price_cents',
    'bonus_cents',
    'cost_cents',
    'limit_n',
    'stock_alert',
    'status',
    'loss_asked_by',
    'loss_by',
    'loss_reason',
  ],
  // Faces that buyers chose are nobody's to edit.
  places: staff => {
    const seen = cards.seen(staff)
    return and(
      isOffered,
      seen && sql`${ecard_attr.card_id} in (select ${ecard.id} from ${ecard} where ${seen})`,
    )
  },
})
/** Refuses a face that the card has already. */
export const onceFaced = <T>({ staff }: WriteContext, run: Promise<T>): Promise<T> =>
  unlessTaken(run, () =>
    ruled(
      'face_taken',
      ['该卡已有这个面值', 'The card has that face already'],
      {},
      { fields: { face_cents: say(['面值已存在', 'The face is there'], staff.lang) } },
    ),
  )
/** A face as the person holds it, with its card: both locked, the card first, as everybody does. */
export const faceHeld = async (
  context: WriteContext,
  one: { id: number; version: number },
): Promise<{ card: Card; was: CardFaceRow }> => {
  const { card_id } = await faces.read(context.tx, context.staff, one.id)
  const card = await cards.lock(context, card_id)
  return { card, was: await faces.heldFast(context, one) }
}
/** The same, or 422 where it can't have that now. */
export const faceFor = async (
  context: WriteContext,
  verb: FaceVerb,
  one: { id: number; version: number },
) => {
  const held = await faceHeld(context, one)
  const may = faceCan(verb, held.was, context.staff.id)
  if (may !== true) throw ruled(`face_${verb}`, may)
  return held
}

export type FaceSet = Partial<
  Pick<
    CardFaceRow,
    'face_cents' | 'price_cents' | 'bonus_cents' | 'cost_cents' | 'limit_n' | 'stock_alert' | 'sort'
  >
>
/** Keeps the person who asked for a loss, and why: another one agrees before the face is sold. */
export const lossOf = (
  next: Pick<CardFaceRow, 'price_cents' | 'cost_cents'>,
  by: { id: number; reason: string },
) => ({
  loss_by: null,
  loss_asked_by: marginOf(next) < 0 ? by.id : null,
  loss_reason: marginOf(next) < 0 ? by.reason : null,
})
/** Changes a face by what was edited of it, within the rules of its card. */
export const saveFace = async (
  context: WriteContext,
  one: { id: number; version: number },
  { set, reason }: { set: FaceSet; reason: string },
): Promise<{ was: CardFaceRow; after: CardFaceRow }> => {
  const { staff } = context
  const { card, was } = await faceHeld(context, one)
  const next = { ...was, ...set }
  if (next.face_cents !== was.face_cents) {
    const may = faceCan('editFace', was, staff.id)
    if (may !== true) faultless(staff, { face_cents: may })
  }
  faultless(staff, faceFaults(next, draftOf(card)))
  const isPriced = next.price_cents !== was.price_cents || next.cost_cents !== was.cost_cents
  if (isPriced && marginOf(next) < 0 && was.status === 'on')
    faultless(staff, {
      [next.price_cents === was.price_cents ? 'cost_cents' : 'price_cents']: [
        '低于成本：请先停用该面值，改后由另一人批准再启用',
        'Below cost: disable it first, and enable it once another person agrees',
      ],
    })
  const after = await onceFaced(
    context,
    faces.save(
      context,
      was,
      { ...set, ...(isPriced && lossOf(next, { id: staff.id, reason })) },
      reason,
    ),
  )
  return { was, after }
}
/** Disables a face; the last one that was on takes its card off the shelf, if the person meant that. */
export const disableFace = async (
  context: WriteContext,
  one: { id: number; version: number },
  { reason, takes_off }: { reason: string; takes_off: boolean },
): Promise<CardFaceRow> => {
  const { card, was } = await faceFor(context, 'disable', one)
  const others = await context.tx.$count(
    ecard_attr,
    and(
      eq(ecard_attr.card_id, card.id),
      eq(ecard_attr.status, 'on'),
      sql`${ecard_attr.id} <> ${was.id}`,
    ),
  )
  const isLast = card.state === 'on' && others === 0
  if (isLast && !takes_off)
    throw ruled('last_face', [
      '这是最后一个启用的面值，停用会下架该卡；请刷新后确认',
      'It is the last face that is on: disabling it takes the card off sale. Read it again and confirm',
    ])
  const after = await faces.save(context, was, { status: 'off' }, reason)
  if (isLast) await takeOff(context, card, reason)
  return after
}
/** The faces of a card by their order, for whoever arranges them. */
export const facesInOrder = (context: Pick<WriteContext, 'tx'>, card_id: number) =>
  context.tx
    .select({ id: ecard_attr.id })
    .from(ecard_attr)
    .where(and(eq(ecard_attr.card_id, card_id), isOffered))
    .orderBy(asc(ecard_attr.sort), asc(ecard_attr.id))
