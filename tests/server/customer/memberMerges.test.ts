import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { customer_dup } from '#src/areas/dedup/dedup.table.ts'
import { member_tag_of, user_sanction } from '#src/areas/member/care.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { member_merge } from '#src/areas/member/merge.table.ts'
import { wecom_customer } from '#src/areas/wecom/wecom.table.ts'
import { DAY } from '#src/domain/time.ts'
import { deduplication as calls } from '#src/modules/customer/contract/deduplication.ts'
import { membersPage } from '#src/modules/vip/contract/index.ts'
import { addStaff } from '../../help/app.ts'
import {
  type Who,
  database,
  me,
  other,
  now,
  reason,
  call,
  done,
  rule,
  scan,
  caseOf,
  held,
  read,
  pair,
  give,
  points,
  growth,
  wealth,
  sums,
  tag,
  tagsOf,
  openDups,
} from '../../help/dups.ts'
import { freshMember } from '../../help/members.ts'
import { freshCustomer } from '../../help/wecomRows.ts'

beforeAll(openDups, 120_000)

describe('a merge', () => {
  const merge = async (of: { id: number }, keep_id: number, drop_ids: number[], as = me) =>
    call(calls.mergeMember, { ...(await held(of.id)), keep_id, drop_ids, reason }, as)
  it('moves tags, points, growth and money, and all of it back', async () => {
    const { id, a, b } = await pair()
    const customer = await freshCustomer(database, { member_id: b.id, matched_by: 'hand' })
    const [own, both] = [await tag(a.id), await tag(b.id)]
    await database.db.insert(member_tag_of).values({ member_id: b.id, tag_id: own, at: now })
    await points(a.id, 100)
    await points(b.id, 70)
    await growth(b.id, 40)
    await give(b.id, 2500)
    const before = await wealth([a.id, b.id])
    expect((await merge({ id }, a.id, [b.id])).data).toMatchObject({ status: 'resolved' })
    expect(await wealth([a.id, b.id])).toEqual([
      [2500, 170, 40],
      [0, 0, 0],
    ])
    expect(await tagsOf(a.id)).toEqual([own, both])
    expect(await read(b.id)).toMatchObject({ account_state: 'merged', merged_into: a.id })
    const ofMember = async () =>
      (
        await database.db.select().from(wecom_customer).where(eq(wecom_customer.id, customer.id))
      )[0]!.member_id
    expect(await ofMember()).toBe(a.id)
    await done(calls.undoMerge, { ...(await held(id)), reason })
    expect(await wealth([a.id, b.id])).toEqual(before)
    expect(await tagsOf(a.id)).toEqual([own])
    expect(await tagsOf(b.id)).toEqual([own, both])
    expect(await ofMember()).toBe(b.id)
    expect(await read(b.id)).toMatchObject({ account_state: 'normal', merged_into: null })
    expect(await caseOf(a.id)).toMatchObject({
      status: 'pending',
      member_ids: [a.id, b.id],
      merge_ids: [],
    })
    // The same two are merged once more, under a number of its own.
    expect((await merge({ id }, b.id, [a.id])).status).toBe(200)
    expect(sums(await wealth([a.id, b.id]))).toEqual(sums(before))
  })
  it('is taken back from the list of members, with all that its case merged', async () => {
    const { id, a, b } = await pair()
    await points(b.id, 70)
    expect((await merge({ id }, a.id, [b.id])).data).toMatchObject({ status: 'resolved' })
    const gone = await read(b.id)
    await done(membersPage.undoMerge, { id: b.id, version: gone.version, reason })
    expect((await wealth([a.id, b.id])).map(one => one[1])).toEqual([0, 70])
    expect(await read(b.id)).toMatchObject({ account_state: 'normal', merged_into: null })
    expect(await caseOf(a.id)).toMatchObject({
      status: 'pending',
      member_ids: [a.id, b.id],
      merge_ids: [],
    })
  })
  it('waits for another person where both have money', async () => {
    const { id, a, b } = await pair()
    await give(a.id, 100)
    await give(b.id, 250)
    expect((await merge({ id }, a.id, [b.id])).data).toMatchObject({ status: 'second' })
    expect(await read(b.id)).toMatchObject({ account_state: 'normal' })
    expect(await rule(calls.approveMerge, await held(id))).toEqual([422, 'dup_approveMerge'])
    await done(calls.rejectMerge, { ...(await held(id)), reason: '资料不全' }, other)
    expect(await caseOf(a.id)).toMatchObject({ status: 'pending', keep_id: null, asked_by: null })
    await merge({ id }, a.id, [b.id])
    await done(calls.approveMerge, await held(id), other)
    expect(await wealth([a.id, b.id])).toEqual([
      [350, 0, 0],
      [0, 0, 0],
    ])
    const [kept] = await database.db
      .select()
      .from(member_merge)
      .where(eq(member_merge.from_id, b.id))
    expect(kept).toMatchObject({ to_id: a.id, by_id: other.id })
    await done(calls.undoMerge, { ...(await held(id)), reason }, other)
    expect((await wealth([a.id, b.id])).map(([cents]) => cents)).toEqual([100, 250])
  })
  it('waits for another person where one is sanctioned, from the list of members too', async () => {
    const { id, a, b } = await pair()
    await database.db.insert(user_sanction).values({
      member_id: b.id,
      city_id: b.city_id,
      kind: 'no_payout',
      reason,
      start_at: now - 5,
      by_id: me.id,
    })
    expect(
      await rule(membersPage.merge, {
        id: b.id,
        version: (await read(b.id)).version,
        target_member_id: a.id,
        typed_uid: b.uid,
        reason,
      }),
    ).toEqual([422, 'merge_second'])
    expect((await merge({ id }, a.id, [b.id])).data).toMatchObject({ status: 'second' })
  })
  it('takes several into one, in one step', async () => {
    const { id, a, b } = await pair()
    const c = await freshMember(database, { unionid: a.unionid })
    await scan()
    await points(b.id, 20)
    await points(c.id, 30)
    expect((await merge({ id }, a.id, [b.id])).data).toMatchObject({ status: 'pending' })
    expect((await merge({ id }, a.id, [c.id])).data).toMatchObject({ status: 'resolved' })
    expect((await wealth([a.id]))[0]![1]).toBe(50)
    await done(calls.undoMerge, { ...(await held(id)), reason })
    expect((await wealth([a.id, b.id, c.id])).map(one => one[1])).toEqual([0, 20, 30])
  })
  it('is of members of the case, each once, and of the reader’s cities', async () => {
    const { id, a, b } = await pair()
    const stranger = await freshMember(database)
    const said = async (keep_id: number, drop_ids: number[], as = me) => {
      const { status, data } = await merge({ id }, keep_id, drop_ids, as)
      return [status, data?.rule]
    }
    expect(await said(a.id, [stranger.id])).toEqual([422, 'not_of_case'])
    expect((await said(a.id, [a.id]))[0]).toBe(400)
    expect((await said(a.id, [b.id, b.id]))[0]).toBe(400)
    await database.db.update(member).set({ city_id: 2 }).where(eq(member.id, b.id))
    const near = await addStaff(database, {
      perms: ['customer.deduplication.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    await scan()
    expect(await said(a.id, [b.id], near)).toEqual([422, 'outside'])
    expect(await done(calls.side, { id }, near)).toMatchObject({ hidden_n: 1 })
    const far = await addStaff(database, {
      perms: ['customer.deduplication.*'],
      role: { scope_type: 'city', scope_ids: [3] },
    })
    expect((await call(calls.side, { id }, far)).status).toBe(404)
    expect((await said(a.id, [b.id], far))[0]).toBe(404)
  })
  it('is not taken back after seven days, or once what came was spent', async () => {
    const spends: Record<string, (a: number) => Promise<unknown>> = {
      points_spent: a => points(a, -10),
      balance_spent: a => give(a, -1),
    }
    for (const [why, spend] of Object.entries(spends)) {
      const { id, a, b } = await pair()
      await points(b.id, 50)
      await give(b.id, 500)
      await merge({ id }, a.id, [b.id])
      await spend(a.id)
      expect(await rule(calls.undoMerge, { ...(await held(id)), reason })).toEqual([422, why])
    }
    const { id, a, b } = await pair()
    await merge({ id }, a.id, [b.id])
    await database.db
      .update(customer_dup)
      .set({ merged_at: now - 8 * DAY })
      .where(eq(customer_dup.id, id))
    expect(await rule(calls.undoMerge, { ...(await held(id)), reason })).toEqual([
      422,
      'dup_undoMerge',
    ])
  })
  it('names who was quicker to whoever decides second', async () => {
    const { id, a, b } = await pair()
    const asked = { ...(await held(id)), reason }
    const both = await Promise.all([
      call(calls.mergeMember, { ...asked, keep_id: a.id, drop_ids: [b.id] }),
      call(calls.ignore, asked, other),
    ])
    expect(both.map(said => said.status).toSorted((x, y) => x - y)).toEqual([200, 409])
    const lost = both.find(said => said.status === 409)!
    expect(lost.message).toMatch(both[0]!.status === 200 ? me.account : other.account)
  })
  it('and its undoing move no cent and no point in sum, whatever happens between', async () => {
    const step = fc.record({
      does: fc.constantFrom('give', 'points', 'spend', 'merge', 'undo', 'race'),
      at: fc.integer({ min: 0, max: 2 }),
      n: fc.integer({ min: 1, max: 500 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async steps => {
        const { id, a, b } = await pair()
        const c = await freshMember(database, { unionid: a.unionid })
        await scan()
        const ids = [a.id, b.id, c.id]
        const expected = [0, 0]
        const undo = async (as: Who) => call(calls.undoMerge, { ...(await held(id)), reason }, as)
        const join = async (at: number, as: Who) =>
          call(
            calls.mergeMember,
            { ...(await held(id)), keep_id: ids[at]!, drop_ids: [ids[(at + 1) % 3]!], reason },
            as,
          )
        for (const { does, at, n } of steps) {
          const { account_state, points: left } = await read(ids[at]!)
          const isMerged = account_state === 'merged'
          if (does === 'give' && !isMerged) {
            await give(ids[at]!, n)
            expected[0]! += n
          }
          if (does === 'points' && !isMerged) {
            await points(ids[at]!, n)
            expected[1]! += n
          }
          if (does === 'spend' && left > 0) {
            await points(ids[at]!, -1)
            expected[1]! -= 1
          }
          if (does === 'merge' && (await join(at, me)).data?.status === 'second')
            await call(calls.approveMerge, await held(id), other)
          if (does === 'undo') await undo(me)
          if (does === 'race') {
            const said = await Promise.all([join(at, me), join((at + 1) % 3, other), undo(other)])
            expect(said.every(one => one.status < 500)).toBe(true)
          }
          expect(sums(await wealth(ids)).slice(0, 2)).toEqual(expected)
        }
      }),
      { numRuns: 15 },
    )
  })
})
