import { and, eq, inArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { customer_dup } from '#src/areas/dedup/dedup.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { wecom_customer, wecom_follow } from '#src/areas/wecom/wecom.table.ts'
import { deduplication as calls } from '#src/modules/customer/contract/deduplication.ts'
import { deduplicationServer } from '#src/modules/customer/server/deduplication.ts'
import {
  database,
  me,
  now,
  reason,
  done,
  rule,
  scan,
  caseBy,
  caseOf,
  held,
  pair,
  followed,
  caseOfCustomer,
  openDups,
} from '../../help/dups.ts'
import { freshMember } from '../../help/members.ts'
import { wecomSums } from '../../help/wecomRows.ts'

beforeAll(openDups, 120_000)

describe('a scan', () => {
  it('finds one contact of several advisers, one unionid and one phone', async () => {
    expect(deduplicationServer.calls).toBe(calls)
    const { customer } = await followed(2)
    const { a, b } = await pair()
    const phone = `198${String(now).slice(-8)}`
    const twin = await freshMember(database, { phone })
    await freshMember(database, { phone })
    await scan()
    expect(await caseOfCustomer(customer.id)).toMatchObject({
      kind: 'multi_follow',
      confidence: 100,
    })
    expect(await caseOf(a.id)).toMatchObject({ kind: 'same_unionid', member_ids: [a.id, b.id] })
    const byPhone = await caseOf(twin.id)
    expect(byPhone.kind).toBe('same_phone')
    expect(byPhone.confidence).toBeLessThanOrEqual(60)
    expect(await scan()).toEqual({ found: 0, raised: 0, gone: 0 })
  })
  it('does not tell of one pair by its unionid and by its phone too', async () => {
    const phone = `197${String(now).slice(-8)}`
    const { a } = await pair({ phone })
    const rows = await database.db
      .select()
      .from(customer_dup)
      .where(sql`${customer_dup.member_ids} @> array[${a.id}]::int[]`)
    expect(rows.map(row => row.kind)).toEqual(['same_unionid'])
  })
  it('raises what was ignored only with new evidence', async () => {
    const { id, a } = await pair()
    await done(calls.ignore, { ...(await held(id)), reason })
    await scan()
    expect((await caseOf(a.id)).status).toBe('ignored')
    await freshMember(database, { unionid: a.unionid })
    expect(await scan()).toMatchObject({ raised: 1 })
    expect((await caseOf(a.id)).status).toBe('pending')
  })
  it('ends what is none any more, and leaves what was decided', async () => {
    const { id, b } = await pair()
    await database.db.update(member).set({ unionid: null }).where(eq(member.id, b.id))
    expect(await scan()).toMatchObject({ gone: 1 })
    expect(await caseBy(sql`${customer_dup.id} = ${id}`)).toMatchObject({
      status: 'resolved',
      outcome: 'gone',
      decided_by: null,
    })
    expect(await done(calls.rescan, {})).toEqual({ found: 0, raised: 0, gone: 0 })
  })
})

describe('a main adviser', () => {
  it('is set without ending any other relation', async () => {
    const { customer, follows } = await followed(3)
    await scan()
    const { id } = await caseOfCustomer(customer.id)
    await done(calls.setPrimary, { ...(await held(id)), follow_id: follows[2]!.id })
    const [after] = await database.db
      .select()
      .from(wecom_customer)
      .where(eq(wecom_customer.id, customer.id))
    expect(after).toMatchObject({ primary_follow_id: follows[2]!.id, follow_count: 3 })
    const rows = await database.db
      .select()
      .from(wecom_follow)
      .where(eq(wecom_follow.customer_id, customer.id))
      .orderBy(wecom_follow.added_at)
    expect(rows).toEqual(follows)
    expect(await wecomSums(database)).toEqual({ customers: 0, staff: 0, groups: 0, twice: 0 })
    expect(await caseOfCustomer(customer.id)).toMatchObject({
      status: 'resolved',
      outcome: 'primary',
      decided_by: me.id,
    })
  })
  it('is of the case, and follows still', async () => {
    const [one, two] = [await followed(2), await followed(2)]
    await scan()
    const { id } = await caseOfCustomer(one.customer.id)
    const to = async (follow_id: number) =>
      rule(calls.setPrimary, { ...(await held(id)), follow_id })
    expect(await to(two.follows[0]!.id)).toEqual([422, 'follow_gone'])
    expect(await to(2_147_483_647)).toEqual([422, 'follow_gone'])
  })
  it('is whoever added first, for several at once', async () => {
    const [one, two] = [await followed(2), await followed(2)]
    const { id: members } = await pair()
    await scan()
    const ids = [
      (await caseOfCustomer(one.customer.id)).id,
      (await caseOfCustomer(two.customer.id)).id,
    ]
    const told = await done(calls.batchPrimary, { ids: [...ids, members] })
    expect(told.ok).toEqual(ids)
    expect(told.failed).toMatchObject([{ id: members, code: 'dup_batchPrimary' }])
    const rows = await database.db
      .select()
      .from(customer_dup)
      .where(inArray(customer_dup.id, ids))
      .orderBy(customer_dup.id)
    expect(rows.map(row => row.primary_follow_id)).toEqual([one.follows[0]!.id, two.follows[0]!.id])
  })
})

describe('the page', () => {
  it('tells how many adds are the same people, and who added them again', async () => {
    const { customer, advisers } = await followed(2)
    const before = await done(calls.figures, {})
    expect(before.adds).toBeGreaterThan(before.people)
    await database.db
      .update(wecom_follow)
      .set({ status: 'deleted_by_staff', lost_at: now })
      .where(
        and(eq(wecom_follow.customer_id, customer.id), eq(wecom_follow.staff_id, advisers[1]!.id)),
      )
    const after = await done(calls.figures, {})
    expect([before.adds - after.adds, before.people - after.people]).toEqual([1, 0])
  })
  it('finds a case by its number, member, contact, adviser and kind', async () => {
    const { customer, follows } = await followed(2)
    const { id, a } = await pair()
    await scan()
    const dup = await caseOfCustomer(customer.id)
    const ids = async (input: object) =>
      (await done(calls.lst, { pageSize: 200, ...input })).list.map((row: { id: number }) => row.id)
    const no = `QC${String(id).padStart(6, '0')}`
    for (const keyword of [no, a.uid, a.nickname]) expect(await ids({ keyword })).toEqual([id])
    expect(await ids({ keyword: customer.name, kind: 'multi_follow' })).toContain(dup.id)
    expect(await ids({ staff_id: follows[0]!.staff_id })).toEqual([dup.id])
    expect(await ids({ customer_id: customer.id, kind: 'same_phone' })).toEqual([])
    await done(calls.ignore, { ...(await held(id)), reason })
    expect(await ids({ member_id: a.id })).toEqual([])
    expect(await ids({ id })).toEqual([id])
    expect(await ids({ member_id: a.id, status: 'ignored', sort: 'raised' })).toEqual([id])
    await done(calls.reopen, await held(id))
    expect(await ids({ member_id: a.id })).toEqual([id])
    expect((await done(calls.members, { id })).list).toHaveLength(2)
    expect((await done(calls.follows, { id: dup.id })).list).toHaveLength(2)
    expect(
      await done(calls.export, { format: 'csv', member_id: a.id, status: 'pending' }),
    ).toMatchObject({ rows_expected: 1 })
  })
})
