import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ecard_gift } from '#src/areas/ecard/cardOrder.table.ts'
import { GIFT_S } from '#src/areas/ecard/cardOrder.ts'
import { unixNow } from '#src/domain/time.ts'
import { cardApp as calls } from '#src/modules/ecard/contract/app.ts'
import type { Database } from '#src/server/db/database.ts'
import { aSold } from '../../help/cardOrders.ts'
import { cardPhone } from '../../help/cardPhone.ts'

let database: Database
let said: Awaited<ReturnType<typeof cardPhone>>['said']
let atPhone: Awaited<ReturnType<typeof cardPhone>>['atPhone']
beforeAll(async () => {
  ;({ database, said, atPhone } = await cardPhone())
})

describe('a card that is given away', () => {
  it('goes to whoever opens the link first, once', async () => {
    const [me, friend, late] = [await atPhone(), await atPhone(), await atPhone()]
    const { face } = await aSold(database, { greetings: ['生日快乐'] })
    const { ids } = await me.bought({ attr_id: face.id })
    const [id] = ids as [number]
    expect((await me.ask(calls.give, { id, greeting: '自己写的' })).state).toBe('refused')
    const sent = await me.ask(calls.give, { id, greeting: '生日快乐' })
    expect(sent).toMatchObject({ state: 'sent', why: '' })
    const { token } = sent
    expect((await me.mine()).list[0]).toMatchObject({ gift_state: 'sent', gift: { token } })
    expect(await said(calls.gift, { token })).toMatchObject({
      state: 'sent',
      gift: { face_cents: 100_00, greeting: '生日快乐', for_other: false, until: sent.until },
    })
    for (const call of [calls.activate, calls.show, calls.give])
      expect((await me.ask(call, { id })).state).toBe('refused')
    expect((await me.ask(calls.receive, { token })).state).toBe('refused')
    const took = await Promise.all([friend, late].map(one => one.ask(calls.receive, { token })))
    expect(took.map(one => one.state).toSorted()).toEqual(['received', 'refused'])
    expect((await me.mine()).list).toEqual([])
    expect((await me.ask(calls.takeBack, { id })).state).toBe('refused')
    expect((await said(calls.gift, { token })).state).toBe('received')
    const winner = took[0]!.state === 'received' ? friend : late
    expect((await winner.mine()).list).toMatchObject([{ id, state: 'active' }])
  })
  it('is taken back by its giver alone, or comes back by itself', async () => {
    const [me, friend] = [await atPhone(), await atPhone()]
    const { ids } = await me.bought({ attr_id: (await aSold(database)).face.id })
    const [id] = ids as [number]
    const { token } = await me.ask(calls.give, { id })
    expect((await friend.ask(calls.takeBack, { id })).state).toBe('refused')
    expect(await me.ask(calls.takeBack, { id })).toEqual({ state: 'returned', why: '' })
    expect((await me.ask(calls.takeBack, { id })).state).toBe('refused')
    expect((await friend.ask(calls.receive, { token })).state).toBe('refused')
    const [row] = await database.db.select().from(ecard_gift).where(eq(ecard_gift.token, token))
    expect([row!.state, row!.returned_by]).toEqual(['returned', 'member'])
    const again = await me.ask(calls.give, { id })
    await database.db
      .update(ecard_gift)
      .set({ sent_at: unixNow() - GIFT_S })
      .where(eq(ecard_gift.token, again.token))
    expect((await said(calls.gift, { token: again.token })).state).toBe('returned')
    expect((await friend.ask(calls.receive, { token: again.token })).state).toBe('refused')
  })
  it('was bought for a phone: only that one takes it, and its buyer does not use it', async () => {
    const [me, friend, other] = [await atPhone(), await atPhone(), await atPhone()]
    const { face } = await aSold(database)
    const { ids } = await me.bought({ attr_id: face.id, receiver_phone: friend.phone })
    const [id] = ids as [number]
    expect((await me.mine()).list[0]).toMatchObject({ id, for_other: true })
    expect((await me.ask(calls.activate, { id })).state).toBe('refused')
    expect((await me.ask(calls.show, { id })).state).toBe('refused')
    const { token } = await me.ask(calls.give, { id })
    expect((await said(calls.gift, { token })).gift!.for_other).toBe(true)
    expect((await other.ask(calls.receive, { token })).state).toBe('refused')
    expect((await friend.ask(calls.receive, { token })).state).toBe('received')
    // One's own phone is oneself.
    const mine = await me.bought({ attr_id: face.id, receiver_phone: me.phone })
    expect((await me.ask(calls.activate, { id: mine.ids[0] })).state).toBe('active')
  })
  it('is of a kind that may be given', async () => {
    const me = await atPhone()
    const { ids } = await me.bought({ attr_id: (await aSold(database, { gift: false })).face.id })
    expect((await me.ask(calls.give, { id: ids[0] })).state).toBe('refused')
  })
})
