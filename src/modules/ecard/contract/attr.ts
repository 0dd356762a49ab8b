import { z } from 'zod'
import { CARD_MONEY_MOST } from '#src/areas/ecard/card.ts'
import { cardStates, cardTypes, type CardState, type CardType } from '#src/areas/ecard/ecard.ts'
import { priceModes, type PriceMode } from '#src/areas/ecard/face.ts'
import { FACES_MOST } from '#src/areas/ecard/faceLines.ts'
import { placed, type Call, type Write } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, id, keysOf, lines, open, unix, version } from '#src/contract/shapes.ts'

const supplied = 'What a supplier asks for a code, no product’s'
export const faceRow = z.object({
  id,
  card_id: id,
  /** Its name: `面值 100 元`. */
  name: z.string(),
  face_cents: cents,
  price_cents: cents,
  bonus_cents: cents,
  cost_cents: open(supplied, cents),
  margin_cents: cents,
  limit_n: z.int().nullable(),
  stock_alert: z.int(),
  status: z.enum(['on', 'off']),
  sort: z.int(),
  free_n: z.int(),
  held_n: z.int(),
  sold_n: z.int(),
  void_n: z.int(),
  loss_asked_by: z.int().nullable(),
  loss_by: z.int().nullable(),
  loss_reason: z.string(),
  asker_name: z.string(),
  approver_name: z.string(),
  /** The only face that is on, of a card on sale. */
  last_on: z.boolean(),
  changed_by: z.object({ name: z.string(), at: unix }).nullable(),
  version,
})
export type FaceRow = z.output<typeof faceRow>

const price = z.int().min(1).max(CARD_MONEY_MOST)
const amount = z.int().min(0).max(CARD_MONEY_MOST)
const count = z.int().min(0).max(1_000_000)
const limit = z.int().min(1).max(10_000).nullable()
const call = callsOf('ecard/list/attr', { touches: ['ecard_attr', 'ecard'], rows: 'ecard_attr' })
const edited = z.object({
  id,
  version,
  face_cents: price.optional(),
  price_cents: price.optional(),
  bonus_cents: amount.optional(),
  cost_cents: open(supplied, amount).optional(),
  limit_n: limit.optional(),
  stock_alert: count.optional(),
})
const results = z.array(
  z.object({
    id,
    result: z.enum(['saved', 'conflict', 'error']),
    text: z.string(),
    fields: z.record(z.string(), z.string()),
    by: z.object({ name: z.string(), at: unix }).optional(),
  }),
)
/** The result of each row, and the edits that take the saved ones back. */
const saved = z.object({ results, back: z.array(edited) })
type Parsed<C> = C extends Call<infer _, infer P, infer __> ? P : never
const UNDO_SECONDS = 600
const takenBack = {
  call: (): Write => cardFaces.saveGrid,
  input: (done: z.output<typeof saved>) =>
    done.back.length === 0 ? undefined : { rows: done.back, reason: '撤销修改' },
  seconds: UNDO_SECONDS,
}

/** The faces of one card: what each costs and earns, and how its codes stand. */
export const cardFaces = {
  lst: call.lists('lst', ['电子卡面值', 'Faces of an e-card'], {
    filters: { card_id: id },
    row: faceRow,
    answer: {
      list_version: z.int(),
      card: z.object({
        id,
        name: z.string(),
        type: keysOf<CardType>(cardTypes),
        named: z.boolean(),
        bonus: z.boolean(),
        state: keysOf<CardState>(cardStates),
      }),
    },
    scope: placed('ecard_attr', { card_id: 'ecard' }),
  }),
  add: call.creates('add', ['新增面值', 'New face value'], {
    fields: {
      card_id: id,
      face_cents: price,
      price_cents: price,
      bonus_cents: amount.default(0),
      cost_cents: open(supplied, amount).default(0),
      reason: lines(255, 0).default(''),
    },
    scope: placed('ecard_attr', { card_id: 'ecard' }),
  }),
  /** Saves what was edited in the grid, row by row: one that a rule forbids stays as it is. */
  saveGrid: call.write('edit', ['编辑面值', 'Edit faces'], {
    input: z.object({ rows: z.array(edited).min(1).max(FACES_MOST), reason }),
    output: saved,
    scope: placed('ecard_attr'),
    undo: takenBack,
  }),
  batchPrice: call.write('batchPrice', ['批量改价', 'Change prices'], {
    input: z.object({
      rows: z.array(z.object({ id, version })).min(1).max(FACES_MOST),
      mode: keysOf<PriceMode>(priceModes),
      value: z.int().min(1).max(CARD_MONEY_MOST),
      reason,
    }),
    output: saved,
    scope: placed('ecard_attr'),
    undo: takenBack,
  }),
  sort: call.sorts('sort', ['调整面值顺序', 'Arrange faces'], {
    fields: { card_id: id },
    scope: placed('ecard_attr', { card_id: 'ecard' }),
  }),
  enable: call.changes('enable', ['启用面值', 'Enable a face']),
  disable: call.changes('disable', ['停用面值', 'Disable a face'], {
    fields: { reason, takes_off: z.boolean() },
  }),
  approveLoss: call.changes('approveLoss', ['批准亏损', 'Approve a loss']),
  setStockAlert: call.changes('setStockAlert', ['设置库存预警', 'Set a stock alert'], {
    fields: { threshold: count },
  }),
  del: call.deletes('del', ['删除面值', 'Delete a face']),
}
/** A row of the grid as it is saved. */
export type FaceEdit = Parsed<typeof cardFaces.saveGrid>['rows'][number]
