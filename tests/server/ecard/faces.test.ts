import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ecard, ecard_attr } from '#src/areas/ecard/ecard.table.ts'
import { faceCan, priceBy, waitsForLoss } from '#src/areas/ecard/face.ts'
import { cardFaces as calls } from '#src/modules/ecard/contract/attr.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aCard, aFace, type CardFace } from '../../help/ecard.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
type What = Parameters<typeof send>[1]
let database: Database
let app: App
let clerk: Person
let other: Person
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  ;[clerk, other] = (await Promise.all(
    [1, 2].map(() => addStaff(database, { perms: ['ecard.*'] })),
  )) as [Person, Person]
})
const call = (what: What, input: object, by = clerk) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = clerk) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, by = clerk) => {
  const said = await call(what, input, by)
  expect(said.status, said.message).toBe(422)
  return said.data.rule
}
const faceOf = async (id: number): Promise<CardFace> =>
  (await database.db.select().from(ecard_attr).where(eq(ecard_attr.id, id)))[0]!
const stateOf = async (id: number) =>
  (await database.db.select().from(ecard).where(eq(ecard.id, id)))[0]!.state
const held = async (id: number) => ({ id, version: (await faceOf(id)).version })
const save = async (id: number, set: object, by = clerk) =>
  (await done(calls.saveGrid, { rows: [{ ...(await held(id)), ...set }], reason: '调整价格' }, by))
    .results[0]

describe('a grid of faces', () => {
  it('saves its cells, and puts them back as they were', async () => {
    const card = await aCard(database)
    const face = await aFace(database, { card_id: card.id })
    const said = await done(calls.saveGrid, {
      rows: [{ id: face.id, version: face.version, price_cents: 95_00, limit_n: 3 }],
      reason: '促销',
    })
    expect(said.results[0].result).toBe('saved')
    expect(await faceOf(face.id)).toMatchObject({ price_cents: 95_00, limit_n: 3 })
    await done(calls.saveGrid, { rows: said.back, reason: '撤销修改' })
    expect(await faceOf(face.id)).toMatchObject({ price_cents: 100_00, limit_n: null })
  })
  it('tells at which cell a rule is broken, and saves the other rows', async () => {
    const card = await aCard(database)
    const [one, two] = [
      await aFace(database, { card_id: card.id }),
      await aFace(database, { card_id: card.id, face_cents: 200_00 }),
    ]
    const { results } = await done(calls.saveGrid, {
      rows: [
        { id: one.id, version: one.version, price_cents: 100_01 },
        { id: two.id, version: two.version, price_cents: 199_00 },
      ],
      reason: '调价',
    })
    expect(results.map((row: { result: string }) => row.result)).toEqual(['error', 'saved'])
    expect(Object.keys(results[0].fields)).toEqual(['price_cents'])
    expect((await faceOf(one.id)).price_cents).toBe(100_00)
  })
  it('keeps to the cap of the law with what is given on top', async () => {
    const card = await aCard(database)
    const face = await aFace(database, { card_id: card.id, face_cents: 1000_00 })
    expect(Object.keys((await save(face.id, { bonus_cents: 1 })).fields)).toEqual(['face_cents'])
  })
  it('holds each face once, and none that has codes is another', async () => {
    const card = await aCard(database)
    await aFace(database, { card_id: card.id })
    const two = await aFace(database, { card_id: card.id, face_cents: 200_00 })
    expect(
      Object.keys((await save(two.id, { face_cents: 100_00, price_cents: 1 })).fields),
    ).toEqual(['face_cents'])
    const sold = await aFace(database, { card_id: card.id, face_cents: 300_00, sold_n: 1 })
    const said = await save(sold.id, { face_cents: 301_00 })
    expect([said.result, Object.keys(said.fields)]).toEqual(['error', ['face_cents']])
  })
  it('tells of two at once who was quicker', async () => {
    const card = await aCard(database)
    const face = await aFace(database, { card_id: card.id })
    const rows = [{ id: face.id, version: face.version, stock_alert: 5 }]
    const both = await Promise.all(
      [clerk, other].map(by => done(calls.saveGrid, { rows, reason: '两人同时改' }, by)),
    )
    const results = both.map(one => one.results[0])
    expect(results.map(one => one.result).sort()).toEqual(['conflict', 'saved'])
    expect(results.find(one => one.result === 'conflict').by).toBeDefined()
  })
})
describe('a loss', () => {
  it('is agreed to by another person before the face is sold', async () => {
    const card = await aCard(database)
    await aFace(database, { card_id: card.id, face_cents: 50_00 })
    const face = await aFace(database, { card_id: card.id })
    expect(Object.keys((await save(face.id, { cost_cents: 101_00 })).fields)).toEqual([
      'cost_cents',
    ])
    await done(calls.disable, {
      ...(await held(face.id)),
      reason: '改为亏损促销',
      takes_off: false,
    })
    expect((await save(face.id, { cost_cents: 101_00 })).result).toBe('saved')
    expect(await faceOf(face.id)).toMatchObject({ loss_asked_by: clerk.id, loss_by: null })
    expect(await rule(calls.enable, await held(face.id))).toBe('face_enable')
    expect(await rule(calls.approveLoss, await held(face.id))).toBe('face_approveLoss')
    await done(calls.approveLoss, await held(face.id), other)
    await done(calls.enable, await held(face.id))
    expect(await faceOf(face.id)).toMatchObject({ status: 'on', loss_by: other.id })
  })
  it('that is changed is agreed to anew, and forgotten once there is none', async () => {
    const card = await aCard(database)
    const face = await aFace(database, {
      card_id: card.id,
      status: 'off',
      cost_cents: 120_00,
      loss_by: other.id,
      loss_asked_by: clerk.id,
      loss_reason: '促销',
    })
    await save(face.id, { price_cents: 90_00 })
    expect((await faceOf(face.id)).loss_by).toBeNull()
    await save(face.id, { cost_cents: 80_00 })
    expect(await faceOf(face.id)).toMatchObject({ loss_asked_by: null, loss_reason: null })
  })
  it('needs its reason where a new face begins with it', async () => {
    const card = await aCard(database)
    const face = { card_id: card.id, face_cents: 10_00, price_cents: 9_00, cost_cents: 9_50 }
    expect((await call(calls.add, face)).status).toBe(400)
    const { id } = await done(calls.add, { ...face, reason: '引流' })
    expect(await faceOf(id)).toMatchObject({ status: 'off', loss_reason: '引流' })
  })
})
describe('the last face that is on', () => {
  it('takes its card off the shelf with it, where that is meant', async () => {
    const card = await aCard(database)
    const face = await aFace(database, { card_id: card.id })
    const { list } = await done(calls.lst, { card_id: card.id })
    expect(list[0].last_on).toBe(true)
    const input = async (takes_off: boolean) => ({
      ...(await held(face.id)),
      reason: '停售',
      takes_off,
    })
    expect(await rule(calls.disable, await input(false))).toBe('last_face')
    expect(await stateOf(card.id)).toBe('on')
    await done(calls.disable, await input(true))
    expect([await stateOf(card.id), (await faceOf(face.id)).status]).toEqual(['off', 'off'])
  })
  it('of two that are disabled at once is told to the second, and the shelf holds no card without one', async () => {
    const card = await aCard(database)
    const two = [
      await aFace(database, { card_id: card.id }),
      await aFace(database, { card_id: card.id, face_cents: 200_00 }),
    ]
    const both = await Promise.all(
      two.map((face, at) =>
        call(
          calls.disable,
          { id: face.id, version: face.version, reason: '停售', takes_off: false },
          at === 0 ? clerk : other,
        ),
      ),
    )
    expect(both.map(one => one.status).sort()).toEqual([200, 422])
    expect(await stateOf(card.id)).toBe('on')
  })
})
it('a face is deleted only without codes', async () => {
  const card = await aCard(database, { state: 'off' })
  const bare = await aFace(database, { card_id: card.id })
  const used = await aFace(database, { card_id: card.id, face_cents: 200_00, void_n: 1 })
  await done(calls.del, await held(bare.id))
  expect(await faceOf(bare.id)).toBeUndefined()
  expect(await rule(calls.del, await held(used.id))).toBe('face_delete')
})
it('prices change by a share of the face, less or more than now', async () => {
  const card = await aCard(database)
  const faces = [
    await aFace(database, { card_id: card.id }),
    await aFace(database, { card_id: card.id, face_cents: 199_99 }),
  ]
  const rows = faces.map(({ id, version }) => ({ id, version }))
  const { results, back } = await done(calls.batchPrice, {
    rows,
    mode: 'share',
    value: 9_500,
    reason: '九五折',
  })
  expect(results.map((one: { result: string }) => one.result)).toEqual(['saved', 'saved'])
  expect((await faceOf(faces[1]!.id)).price_cents).toBe(189_99)
  await done(calls.saveGrid, { rows: back, reason: '撤销修改' })
  expect((await faceOf(faces[0]!.id)).price_cents).toBe(100_00)
})
it('faces stand in the order that somebody gave them', async () => {
  const card = await aCard(database)
  for (const [at, face_cents] of [100_00, 200_00, 300_00].entries())
    await aFace(database, { card_id: card.id, face_cents, sort: at })
  const before = await done(calls.lst, { card_id: card.id })
  const order = before.list.map((one: { id: number }) => one.id).reverse()
  await done(calls.sort, { card_id: card.id, order, list_version: before.list_version })
  const after = await done(calls.lst, { card_id: card.id })
  expect(after.list.map((one: { id: number }) => one.id)).toEqual(order)
})
it('a price by a mode is whole cents, and a share of the whole face is the face', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.nat(20_000), (face_cents, value) => {
      const face = { face_cents, price_cents: face_cents }
      expect(Number.isInteger(priceBy(face, { mode: 'share', value }))).toBe(true)
      expect(priceBy(face, { mode: 'share', value: 10_000 })).toBe(face_cents)
      expect(priceBy(face, { mode: 'more', value }) - value).toBe(face_cents)
    }),
  )
})
it('a loss waits only below cost, and never on its asker', () => {
  const face = {
    price_cents: 90,
    cost_cents: 100,
    status: 'off' as const,
    free_n: 0,
    held_n: 0,
    sold_n: 0,
    void_n: 0,
    loss_by: null,
    loss_asked_by: 7,
  }
  expect(waitsForLoss(face)).toBe(true)
  expect(waitsForLoss({ ...face, price_cents: 100 })).toBe(false)
  expect(faceCan('approveLoss', face, 7)).not.toBe(true)
  expect(faceCan('approveLoss', face, 8)).toBe(true)
  expect(faceCan('enable', face, 8)).not.toBe(true)
  expect(faceCan('enable', { ...face, loss_by: 8 }, 7)).toBe(true)
})
