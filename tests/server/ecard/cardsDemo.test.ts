import { count, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { ecard, ecard_attr } from '#src/areas/ecard/ecard.table.ts'
import {
  cardStates,
  cardTypes,
  codeSources,
  FACE_MOST_NAMED,
  FACE_MOST_UNNAMED,
} from '#src/areas/ecard/ecard.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { aCard, aFace } from '../../help/ecard.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy()
})
it('has 24 cards of every type, source and state, and some 90 faces', async () => {
  const cards = await database.db.select().from(ecard)
  expect(cards).toHaveLength(24)
  const kinds = (of: 'type' | 'source' | 'state') => new Set(cards.map(card => card[of]))
  expect(kinds('type')).toEqual(new Set(Object.keys(cardTypes)))
  expect(kinds('source')).toEqual(new Set(Object.keys(codeSources)))
  expect(kinds('state')).toEqual(new Set(Object.keys(cardStates)))
  const [faces] = await database.db.select({ n: count() }).from(ecard_attr)
  expect(faces!.n).toBeGreaterThanOrEqual(85)
  expect(faces!.n).toBeLessThanOrEqual(95)
})
it('keeps the law’s caps, and an approver beside every loss', async () => {
  const rows = await database.db
    .select({ face: ecard_attr, named: ecard.named, type: ecard.type })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
  for (const { face, named, type } of rows) {
    const most = named ? FACE_MOST_NAMED : FACE_MOST_UNNAMED
    if (type === 'stored') expect(face.face_cents + face.bonus_cents).toBeLessThanOrEqual(most)
    if (face.price_cents < face.cost_cents && face.status === 'on')
      expect(face.loss_by).not.toBeNull()
  }
})
it('makes a card and a face of a test’s own', async () => {
  const card = await aCard(database)
  const face = await aFace(database, { card_id: card.id })
  const rows = await database.db
    .select({ face_cents: ecard_attr.face_cents })
    .from(ecard_attr)
    .where(eq(ecard_attr.card_id, card.id))
  expect(rows).toEqual([{ face_cents: face.face_cents }])
})
