import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ecard_attr } from '#src/areas/ecard/ecard.table.ts'
import { code_batch } from '#src/areas/redeemCode/redeemCode.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { batchAdd, batchEdit } from '#src/modules/redeemCode/contract/form.ts'
import { codeBatches } from '#src/modules/redeemCode/contract/index.ts'
import { onlyOn } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { facedCard, freeCodes } from '../../help/ecardCodes.ts'
import { prizeBench } from '../../help/prizes.ts'
import { formOf } from '../../help/redeem.ts'

const FACE = 50_00
let on: Awaited<ReturnType<typeof prizeBench>>
let auditor: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  on = await prizeBench()
  auditor = await addStaff(on.database, { perms: ['redeemCode.*'] })
})
/** A card that was bought in, with so many in stock. */
const stocked = async (n: number) => {
  const own = await facedCard(
    on.database,
    { type: 'secret', supplier: 'embedded' },
    { face_cents: FACE },
  )
  await freeCodes(on.database, own, n)
  return own.face.id
}
const fields = (ecard_attr_id: number, quantity: number) => ({
  ...formOf(),
  points: 0,
  ecard_attr_id,
  quantity,
  budget_cents: 1000 * FACE,
})
const submit = (ecard_attr_id: number, quantity: number) =>
  on.call(batchAdd.submit, fields(ecard_attr_id, quantity))
const submitted = async (ecard_attr_id: number, quantity: number) => {
  const said = await submit(ecard_attr_id, quantity)
  expect(said.status, said.message).toBe(200)
  return said.data as { id: number; version: number }
}
const approve = (one: { id: number; version: number }) => on.call(codeBatches.approve, one, auditor)
const approved = async (ecard_attr_id: number, quantity: number) => {
  const one = await submitted(ecard_attr_id, quantity)
  const said = await approve(one)
  expect(said.status, said.message).toBe(200)
  return one.id
}
const stockOf = async (id: number) => (await on.done(codeBatches.stock, { id })).stock
const estimate = async (ecard_attr_id: number, quantity: number, more: object = {}) =>
  (await on.done(batchAdd.estimate, { quantity, points: 0, ecard_attr_id, ...more })).card
const set = (id: number, of: Partial<typeof code_batch.$inferInsert>) =>
  on.database.db.update(code_batch).set(of).where(eq(code_batch.id, id))

describe('a stock that several batches promise', () => {
  it('is told to whoever writes another, with the batches that promise it', async () => {
    const face = await stocked(10)
    const first = await approved(face, 6)
    const { id: second } = await submitted(face, 3)
    const told = await estimate(face, 5)
    expect(told.stock).toMatchObject({
      left: 10,
      own: 5,
      approved: 6,
      waiting: 3,
      short: 1,
      short_with_waiting: 4,
    })
    expect(told.stock.others).toEqual([
      { id: first, name: expect.any(String), status: 'running', n: 6, waiting: 0 },
      { id: second, name: expect.any(String), status: 'auditing', n: 0, waiting: 3 },
    ])
    expect(told.fault).toContain('还要发 6 张')
    expect(told.fault).toContain(`#${first}`)
    expect((await estimate(face, 4)).fault).toBe('')
  })
  it('keeps a batch from being submitted and from being approved beyond it', async () => {
    const face = await stocked(10)
    const [one, two] = [await submitted(face, 6), await submitted(face, 6)]
    // Neither is approved: both may wait, and each auditor sees the other.
    expect(await stockOf(one.id)).toMatchObject({ short: 0, waiting: 6, short_with_waiting: 2 })
    expect((await approve(one)).status).toBe(200)
    expect(await stockOf(two.id)).toMatchObject({ short: 2, approved: 6, own: 6 })
    const refused = await approve(two)
    expect(refused.status).toBe(400)
    expect(refused.data.fields.ecard_attr_id).toContain('不足以覆盖全部兑换')
    expect((await submit(face, 5)).data.fields).toHaveProperty('ecard_attr_id')
    expect((await submit(face, 4)).status).toBe(200)
  })
  it('is counted by what codes may still give, while they may', async () => {
    const face = await stocked(10)
    const id = await approved(face, 8)
    const others = async () => (await estimate(face, 1)).stock.approved
    expect(await others()).toBe(8)
    await set(id, { redeemed: 3, voided: 1, generated: 8 })
    expect(await others()).toBe(4)
    await set(id, { status: 'paused' })
    expect(await others()).toBe(4)
    await set(id, { start_at: unixNow() - 2 * DAY, end_at: unixNow() - 1 })
    expect(await others()).toBe(0)
    await set(id, { end_at: unixNow() + DAY, code_kind: 'shared', use_limit: 2, redeemed: 0 })
    expect(await others()).toBe(15)
    await set(id, { status: 'ended' })
    expect(await others()).toBe(0)
  })
  it('holds for a change of a batch too, which counts itself once', async () => {
    const face = await stocked(10)
    const [id, other] = [await approved(face, 4), await approved(face, 3)]
    const row = await on.done(codeBatches.detail, { id })
    const amend = (quantity: number) =>
      on.call(batchEdit.amend, {
        id,
        version: row.version,
        name: row.name,
        note: row.note,
        end_at: row.end_at,
        budget_cents: row.budget_cents,
        use_limit: row.use_limit,
        limit_member: row.limit_member,
        limit_phone: row.limit_phone,
        limit_device: row.limit_device,
        quantity,
        reason: '加量',
      })
    expect((await estimate(face, 7, { but: id })).stock).toMatchObject({ approved: 3, short: 0 })
    expect((await amend(8)).data.fields).toHaveProperty('ecard_attr_id')
    expect((await amend(7)).status).toBe(200)
    expect(await stockOf(id)).toMatchObject({ own: 7, approved: 3, short: 0 })
    // What waits of it is told beside what it gives already.
    expect(await stockOf(other)).toMatchObject({ own: 3, approved: 4, waiting: 3 })
  })
  it('is asked again where the end of a batch is put off that had come', async () => {
    const face = await stocked(10)
    const id = await approved(face, 6)
    await set(id, { start_at: unixNow() - 2 * DAY, end_at: unixNow() - 1 })
    const other = await approved(face, 6)
    const extend = async () => {
      const { version } = await on.done(codeBatches.detail, { id })
      const end_at = unixNow() + DAY
      return on.call(codeBatches.extend, { id, version, end_at, reason: '延期' })
    }
    const refused = await extend()
    expect(refused.status).toBe(400)
    expect(refused.data.fields.end_at).toContain(`#${other}`)
    await set(other, { redeemed: 2 })
    expect((await extend()).status).toBe(200)
    expect(await stockOf(id)).toMatchObject({ approved: 4, short: 0 })
    // One that runs promises nothing more by running longer.
    await set(other, { redeemed: 0 })
    const { version, end_at } = await on.done(codeBatches.detail, { id })
    const later = { id, version, end_at: end_at + DAY, reason: '延期' }
    expect((await on.call(codeBatches.extend, later)).status).toBe(200)
  })
  it('is none of a card that is made as it is given', async () => {
    const { face } = await facedCard(on.database, { source: 'generate' }, { face_cents: FACE })
    const id = await approved(face.id, 100)
    expect([await stockOf(id), (await estimate(face.id, 100)).stock]).toEqual([null, null])
  })
  it('shrinks as cards are sold: a batch that runs is told what it lacks', async () => {
    const face = await stocked(5)
    const id = await approved(face, 5)
    await on.database.db.update(ecard_attr).set({ free_n: 2 }).where(eq(ecard_attr.id, face))
    expect(await stockOf(id)).toMatchObject({ left: 2, own: 5, short: 3, others: [] })
  })
})

onlyOn('postgres')('at once', () => {
  it('two audits of the last cards: one is approved, the other is told', async () => {
    for (let round = 0; round < 4; round++) {
      const face = await stocked(10)
      const both = [await submitted(face, 6), await submitted(face, 6)]
      const said = await Promise.all(both.map(approve))
      expect(said.map(one => one.status).toSorted()).toEqual([200, 400])
    }
  })
})
