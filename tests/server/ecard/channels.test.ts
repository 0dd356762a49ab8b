import { asc, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ecard_channel_request, ecard_issue } from '#src/areas/ecard/channel.table.ts'
import { ecard_channel_card, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { written } from '#src/domain/calendar.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { ecardChannels as calls } from '#src/modules/ecard/contract/channel.ts'
import { addStaff } from '../../help/app.ts'
import { channelDesk } from '../../help/channelDesk.ts'
import { channelOf, creditCodeFor, faceFor, paidAhead } from '../../help/ecardChannels.ts'

const desk = channelDesk()
const { call, done, faults, held, ledgerOf, rowOf, rule } = desk
const now = unixNow()
const linesOf = (id: number) =>
  desk.database.db
    .select()
    .from(ecard_channel_card)
    .where(eq(ecard_channel_card.channel_id, id))
    .orderBy(asc(ecard_channel_card.id))

describe('money', () => {
  it('comes in by two people, once, with its ledger row', async () => {
    const { id } = await channelOf(desk.database)
    await done(calls.recharge, { ...(await held(id)), amount_cents: 500_00, proof: 'demo/a.webp' })
    expect((await rowOf(id)).balance_cents).toBe(0)
    expect(await rule(calls.confirm, await held(id))).toBe('channel_confirm')
    expect(
      await rule(calls.recharge, { ...(await held(id)), amount_cents: 1, proof: 'demo/a.webp' }),
    ).toBe('channel_recharge')
    const one = await held(id)
    await done(calls.confirm, one, desk.second)
    expect((await call(calls.confirm, one, desk.second)).status).toBe(409)
    expect(await rowOf(id)).toMatchObject({ balance_cents: 500_00 })
    expect(await ledgerOf(id)).toMatchObject([
      {
        type: 'recharge',
        amount_cents: 500_00,
        admin_id: desk.maker.id,
        second_by: desk.second.id,
      },
    ])
  })
  it('is confirmed by one of two at once', async () => {
    const { id } = await channelOf(desk.database)
    await done(calls.recharge, { ...(await held(id)), amount_cents: 500_00, proof: 'demo/a.webp' })
    const one = await held(id)
    const third = await addStaff(desk.database, { perms: ['*'] })
    const said = await Promise.all([
      call(calls.confirm, one, desk.second),
      call(calls.confirm, one, third),
    ])
    expect(said.map(each => each.status).sort()).toEqual([200, 409])
    expect((await rowOf(id)).balance_cents).toBe(500_00)
  })
  it('without a proof is refused', async () => {
    const { id } = await channelOf(desk.database)
    expect(
      await faults(calls.recharge, { ...(await held(id)), amount_cents: 500_00, proof: '' }),
    ).toEqual(['proof'])
  })
  it('that is refused moves nothing and can be asked for again', async () => {
    const { id } = await channelOf(desk.database)
    const asked = { amount_cents: -10_00, reason: '多记一笔' }
    await paidAhead(desk.database, id, 30_00)
    await done(calls.adjustBalance, { ...(await held(id)), ...asked })
    await done(calls.refuse, { ...(await held(id)), reason: '凭证不符' }, desk.second)
    expect((await rowOf(id)).balance_cents).toBe(30_00)
    await done(calls.adjustBalance, { ...(await held(id)), ...asked })
    await done(calls.confirm, await held(id), desk.second)
    expect((await rowOf(id)).balance_cents).toBe(20_00)
  })
  it('is never adjusted below what the channel may owe', async () => {
    const { id } = await channelOf(desk.database)
    await done(calls.adjustBalance, { ...(await held(id)), amount_cents: -1, reason: '少一分' })
    expect(await rule(calls.confirm, await held(id), desk.second)).toBe('balance_short')
    const [request] = await desk.database.db
      .select()
      .from(ecard_channel_request)
      .where(eq(ecard_channel_request.channel_id, id))
    expect(request!.state).toBe('waiting')
  })
  it('of a month adds up with the ledger', async () => {
    const { id } = await channelOf(desk.database)
    await paidAhead(desk.database, id, 500_00)
    const { face } = await faceFor(desk.database, id)
    await done(calls.issueBatch, { ...(await held(id)), attr_id: face.id, n: 3 })
    const told = await done(calls.statement, { id, month: written(now, 'YYYY-MM') })
    expect(told).toMatchObject({ open_cents: 0, close_cents: 350_00, total: 2 })
    expect(told.sums).toEqual([
      { type: 'issue', n: 1, amount_cents: -150_00 },
      { type: 'recharge', n: 1, amount_cents: 500_00 },
    ])
    const later = await done(calls.statement, { id, month: '2099-01' })
    expect(later).toMatchObject({ open_cents: 350_00, close_cents: 350_00, total: 0 })
    expect((await call(calls.statement, { id, month: '2026-13' })).status).toBe(400)
  })
})

describe('an issue', () => {
  const rich = async (of: Parameters<typeof channelOf>[1] = {}) => {
    const channel = await channelOf(desk.database, { tax_no: creditCodeFor(), ...of })
    await paidAhead(desk.database, channel.id, 1000_00)
    return channel
  }
  it('takes quota and money, and makes a paid order with its codes, all or none', async () => {
    const { id } = await rich()
    const { face } = await faceFor(desk.database, id)
    const told = await done(calls.issueBatch, { ...(await held(id)), attr_id: face.id, n: 4 })
    expect(told).toMatchObject({ rows: 4, cost_cents: 200_00 })
    expect(told.secret_password).toMatch(/^[2-9A-Z]{20}$/)
    expect((await rowOf(id)).balance_cents).toBe(800_00)
    expect((await linesOf(id))[0]).toMatchObject({ issued_n: 4 })
    const [issue] = await desk.database.db
      .select()
      .from(ecard_issue)
      .where(eq(ecard_issue.channel_id, id))
    const [placed] = await desk.database.db
      .select()
      .from(order)
      .where(eq(order.id, issue!.order_id!))
    expect(placed).toMatchObject({
      kind: 'ecard',
      sub_kind: 'channel',
      pay_cents: 200_00,
      pay_state: 'paid',
    })
    const codes = await desk.database.db
      .select()
      .from(ecard_code)
      .where(eq(ecard_code.order_id, placed!.id))
    expect(codes.map(code => [code.state, code.channel_id])).toEqual(
      Array.from({ length: 4 }, () => ['sold', id]),
    )
    expect(await done(calls.detail, { id })).toMatchObject({ issued_n: 4, back_n: 0 })
  })
  it('beyond the money or the quota changes nothing', async () => {
    const { id } = await rich()
    const { face } = await faceFor(desk.database, id, { discount_bp: 10_000, quota_n: 11 })
    const of = async (n: number) => ({ ...(await held(id)), attr_id: face.id, n })
    expect(await rule(calls.issueBatch, await of(12))).toBe('quota_short')
    expect(await rule(calls.issueBatch, await of(11))).toBe('balance_short')
    expect((await linesOf(id))[0]).toMatchObject({ issued_n: 0 })
    expect(await ledgerOf(id)).toHaveLength(1)
    await done(calls.issueBatch, await of(10))
    expect((await rowOf(id)).balance_cents).toBe(0)
  })
  it('of a face that the channel has not, or that is off sale, is refused', async () => {
    const { id } = await rich()
    const other = await channelOf(desk.database)
    const { face } = await faceFor(desk.database, other.id)
    const input = { ...(await held(id)), attr_id: face.id, n: 1 }
    expect(await rule(calls.issueBatch, input)).toBe('not_for_channel')
    const off = await faceFor(desk.database, id, {}, { state: 'off' })
    expect(await rule(calls.issueBatch, { ...(await held(id)), attr_id: off.face.id, n: 1 })).toBe(
      'not_sold',
    )
  })
  it.each([
    ['is stopped', { status: 'off' as const }],
    ['is over', { end_at: now - 1 }],
    ['has not begun', { start_at: now + DAY }],
  ])('of a channel that %s is refused', async (_, of) => {
    const { id } = await rich(of)
    const { face } = await faceFor(desk.database, id)
    expect(await rule(calls.issueBatch, { ...(await held(id)), attr_id: face.id, n: 1 })).toBe(
      'channel_issue',
    )
  })
  it('of named cards needs the company’s credit code', async () => {
    const { id } = await rich({ tax_no: '' })
    const { face } = await faceFor(desk.database, id, {}, { named: true })
    expect(await rule(calls.issueBatch, { ...(await held(id)), attr_id: face.id, n: 1 })).toBe(
      'identity_needed',
    )
  })
  it('keeps to the quota when two issue at once', async () => {
    const { id } = await rich()
    const { face } = await faceFor(desk.database, id, { quota_n: 3 })
    const one = await held(id)
    const said = await Promise.all(
      [desk.maker, desk.second].map(by =>
        call(calls.issueBatch, { ...one, attr_id: face.id, n: 2 }, by),
      ),
    )
    expect(said.filter(each => each.status === 200)).toHaveLength(1)
    expect((await linesOf(id))[0]).toMatchObject({ issued_n: 2 })
  })
  it('for receivers of a file tells its bad lines and issues the good ones', async () => {
    const { id } = await rich()
    const { face } = await faceFor(desk.database, id)
    const csv =
      '姓名,手机号,数量\n张三,13800138000,2\n李四,1380013,1\n王五,13800138000,1\n赵六,13900139000,\n'
    const told = await done(calls.readReceivers, {
      id,
      receiver_file: Buffer.from(csv).toString('base64'),
    })
    expect(
      told.lines.map((line: { row: number; fault: string }) => [line.row, !!line.fault]),
    ).toEqual([
      [2, false],
      [3, true],
      [4, true],
      [5, false],
    ])
    expect(told.lines[3]).toMatchObject({ n: 1 })
    const receivers = told.lines
      .filter((line: { fault: string }) => !line.fault)
      .map(({ name, phone, n }: { name: string; phone: string; n: number }) => ({ name, phone, n }))
    const made = await done(calls.issueBatch, { ...(await held(id)), attr_id: face.id, receivers })
    expect(made.rows).toBe(3)
    const [issue] = await desk.database.db
      .select()
      .from(ecard_issue)
      .where(eq(ecard_issue.channel_id, id))
    expect(issue!.receivers).toEqual(receivers)
  })
  it('is handed over again to whoever says why, the same cards under another password', async () => {
    const { id } = await rich()
    const other = await rich()
    const { face } = await faceFor(desk.database, id)
    const first = await done(calls.issueBatch, { ...(await held(id)), attr_id: face.id, n: 2 })
    const [issue] = (await done(calls.issues, { id })).list
    const why = { issue_id: issue.id, reason: '首次文件丢失' }
    expect((await call(calls.handOver, { ...(await held(other.id)), ...why })).status).toBe(404)
    const again = await done(calls.handOver, { ...(await held(id)), ...why })
    expect(again).toMatchObject({ rows: 2, cost_cents: first.cost_cents })
    expect(again.secret_password).not.toBe(first.secret_password)
    expect(await ledgerOf(id)).toHaveLength(2)
    expect((await done(calls.issues, { id, keyword: '没有这张卡' })).list).toEqual([])
  })
  it('reads no file that is none', async () => {
    const { id } = await rich()
    const told = await done(calls.readReceivers, {
      id,
      receiver_file: Buffer.from('no table').toString('base64'),
    })
    expect(told.fault).not.toBe(null)
  })
})

it('is found by what it is, who owes, what ends and what waits', async () => {
  const name = '找Q'
  const owing = await channelOf(desk.database, {
    name: `${name}欠`,
    settle_type: 'monthly',
    credit_cents: 100_00,
    balance_cents: -1,
  })
  const ending = await channelOf(desk.database, { name: `${name}到期`, end_at: now + 5 * DAY })
  await done(calls.recharge, { ...(await held(ending.id)), amount_cents: 1, proof: 'demo/a.webp' })
  const found = async (more: object) =>
    (await done(calls.lst, { keyword: name, ...more })).list.map((row: { id: number }) => row.id)
  expect(await found({})).toEqual([ending.id, owing.id])
  expect(await found({ debt: true })).toEqual([owing.id])
  expect(await found({ ending: true })).toEqual([ending.id])
  expect(await found({ waiting: true })).toEqual([ending.id])
  expect(await found({ type: 'api' })).toEqual([])
})
