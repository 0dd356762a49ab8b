import { z } from 'zod'
import { CARD_MONEY_MOST } from '#src/areas/ecard/card.ts'
import { FACES_MOST } from '#src/areas/ecard/faceLines.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, id, lines, listOf, page, searched, version } from '#src/contract/shapes.ts'
import { templateName } from './list.ts'
import { cardFields } from './written.ts'

const touches = ['ecard', 'ecard_attr']
const add = callsOf('ecard/list/add', { touches, rows: 'ecard' })
const edit = callsOf('ecard/list/edit', { touches, rows: 'ecard' })
const done = z.object({ id, version })
const price = z.int().min(1).max(CARD_MONEY_MOST)
const face = z.object({
  face_cents: price,
  price_cents: price,
  cost_cents: z.int().min(0).max(CARD_MONEY_MOST),
})
const made = z.object({ ...cardFields, faces: z.array(face).max(FACES_MOST) })
const own = placed('ecard', { store_id: 'store' })
const { name: _, store_id: __, ...body } = cardFields
const template = z.object({ id, name: z.string(), body: z.object(body) })
const view = 'ecard.list.view'

/** A new card with its faces. */
export const cardAdd = {
  save: add.write('save', ['保存电子卡草稿', 'Save a new e-card'], {
    input: made,
    output: done,
    scope: own,
  }),
  submit: add.write('submit', ['提交并上架电子卡', 'Put a new e-card on sale'], {
    input: made,
    output: done,
    scope: own,
  }),
  /** Keeps what the form holds under a name; the same name again replaces it. */
  saveAsTemplate: add.write('saveAsTemplate', ['存为电子卡模板', 'Save as template'], {
    input: z.object({ name: templateName, body: z.object(body) }),
    output: z.object({ id, name: z.string() }),
    touches: ['ecard_template'],
    scope: 'all',
  }),
  templates: add.read('templates', ['电子卡模板', 'Templates of e-cards'], {
    input: z.object({ ...page, keyword: searched(40).optional() }),
    output: listOf(template),
    touches: ['ecard_template'],
    scope: 'all',
    permit: 'ecard.list.add.view',
  }),
  /** What a card of so much would take of the latest paid order where it may be spent. */
  example: add.read('example', ['真实订单试算', 'Real order trial'], {
    method: 'POST',
    input: z.object({ scope: cardFields.scope, held_cents: z.int().min(0).max(CARD_MONEY_MOST) }),
    output: z.object({
      order_id: z.int(),
      order_no: z.string(),
      store_name: z.string(),
      pay_cents: cents,
      card_cents: cents,
      rest_cents: cents,
      left_cents: cents,
    }),
    touches: ['order'],
    scope: placed('order'),
    permit: view,
  }),
}
const held = { id, version, ...cardFields }
const ownHeld = placed('ecard', { id: 'ecard', store_id: 'store' })
/** A card that stands: a draft as one likes, one that was sold within what was promised. */
export const cardEdit = {
  save: edit.write('save', ['保存电子卡修改', 'Save an e-card'], {
    input: z.object({ ...held, reason: lines(255, 0).default('') }),
    output: done,
    scope: ownHeld,
  }),
  submit: edit.write('submit', ['提交并上架', 'Save and put on sale'], {
    input: z.object(held),
    output: done,
    scope: ownHeld,
  }),
  newVersion: edit.changes('newVersion', ['另存为新卡', 'Save as a new e-card']),
  offline: edit.changes('offline', ['下架电子卡', 'Take an e-card off sale'], {
    fields: { reason },
  }),
}
