import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { soundHtml } from '#src/areas/content/html.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import type { AgreementType } from '#src/areas/merchant/agreement.ts'
import { agreement, agreement_consent } from '#src/areas/merchant/texts.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { rules as calls } from '#src/modules/system/contract/rules.ts'
import type { Database } from '#src/server/db/database.ts'
import { exportNamed } from '#src/server/exports/exports.ts'
import type { App } from '#src/server/http/app.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { wordless } from '../../help/words.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
})
const DAY = 86_400
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
const rowOf = async (id: number) =>
  (await database.db.select().from(agreement).where(eq(agreement.id, id)))[0]!
const inState = (type: AgreementType, state: 'draft' | 'scheduled' | 'effective') =>
  database.db
    .select()
    .from(agreement)
    .where(and(eq(agreement.type, type), eq(agreement.state, state)))
const text = '<h3>一、说明</h3><p>新的条款。</p>'
const draft = async (type: AgreementType, more: object = {}) => {
  const said = await call(calls.create, { type, content: text, ...more })
  expect(said.message, said.text).not.toBe('')
  return said.data as { id: number; version: number; version_no: string }
}
const clock = (at: number) =>
  timerNamed('agreement.effect')({
    database,
    events: app.events,
    install: app.install,
    log: undefined as never,
    now: at,
  })

describe('HTML of a text', () => {
  it.each([
    '<script>alert(1)</script>',
    '<p onclick="x()">a</p>',
    '<a href="java\nscript:x()">a</a>',
    '<iframe src="https://x.example"></iframe>',
    '<img src=x onerror=alert(1)>',
    '<form action="/x"><input></form>',
    '<svg><a xlink:href="javascript:x()">a</a></svg>',
    '<p style="background:url(https://x.example)">a</p>',
    '<math><mtext></mtext></math>',
  ])('%s is refused', async html => {
    expect(soundHtml(`<p>条款</p>${html}`).risky).toBeDefined()
    const said = await call(calls.create, { type: 'card', content: `<p>条款</p>${html}` })
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, ['content']])
  })
  it.each(['', '<p></p>', '<p>&nbsp;<br></p>', '<div>\u200b</div>'])(
    '%j is empty and refused',
    async html => {
      expect(soundHtml(html).blank).toBe(true)
      expect((await call(calls.create, { type: 'card', content: html })).status).toBe(400)
    },
  )
  it('keeps what it may and drops styles without a word', () =>
    expect(
      soundHtml(
        '<p style="color:red" class="Mso">a<o:p></o:p> &lt;b&gt; <a href="https://x.example">b</a></p>',
      ),
    ).toEqual({
      html: '<p>a &lt;b&gt; <a href="https://x.example">b</a></p>',
      risky: undefined,
      blank: false,
    }))
})

describe('a version of a text', () => {
  it('is made as a draft with the next number; a second draft of its type is refused', async () => {
    const one = await draft('card')
    expect(one.version_no).toBe('2.0')
    expect((await call(calls.create, { type: 'card', content: text })).data.rule).toBe(
      'draft_exists',
    )
  })
  it('published takes the place of the one in force, and of each type one is in force', async () => {
    const one = await draft('points')
    const [old] = await inState('points', 'effective')
    expect(
      (await call(calls.publish, { id: one.id, version: one.version, reason: '积分规则调整' }))
        .status,
    ).toBe(200)
    expect((await inState('points', 'effective')).map(row => row.id)).toEqual([one.id])
    expect((await rowOf(old!.id)).state).toBe('superseded')
    const { rows } = await database.db.execute<{ n: number }>(
      sql`select count(*)::int n from agreement where state = 'effective' group by type`,
    )
    expect(rows.map(row => row.n)).toEqual(Array(8).fill(1))
    const lines = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.object_type, 'agreement'), eq(op_log.object_id, one.id)))
    expect(lines.map(line => line.action)).toEqual(['system.rules.create', 'system.rules.publish'])
  })
  it('once published never changes: a change makes a new version', async () => {
    const [live] = await inState('user', 'effective')
    expect(
      (await call(calls.edit, { id: live!.id, version: live!.version, content: '<p>改动</p>' }))
        .data.rule,
    ).toBe('wrong_state')
    expect((await rowOf(live!.id)).content).toBe(live!.content)
  })
  it('edited by two keeps the first, and tells the second who was there', async () => {
    const one = await draft('bulks')
    expect(
      (await call(calls.edit, { id: one.id, version: one.version, content: '<p>先到</p>' })).status,
    ).toBe(200)
    const late = await call(calls.edit, {
      id: one.id,
      version: one.version,
      content: '<p>晚到</p>',
    })
    expect([late.status, late.data.current.content]).toEqual([409, '<p>先到</p>'])
  })
  it('may not take effect in the past', async () => {
    expect(
      Object.keys(
        (await call(calls.create, { type: 'roll_buy', content: text, effective_at: now - 1 })).data
          .fields,
      ),
    ).toEqual(['effective_at'])
    const one = await draft('roll_buy')
    expect(
      Object.keys(
        (await call(calls.schedule, { id: one.id, version: one.version, effective_at: now - 60 }))
          .data.fields,
      ),
    ).toEqual(['effective_at'])
  })
  it('that members must consent to anew says what changed', async () => {
    const [one] = await inState('roll_buy', 'draft')
    expect(
      Object.keys(
        (
          await call(calls.edit, {
            id: one!.id,
            version: one!.version,
            content: text,
            force_consent: true,
          })
        ).data.fields,
      ),
    ).toEqual(['summary'])
    expect(
      (
        await call(calls.edit, {
          id: one!.id,
          version: one!.version,
          content: text,
          force_consent: true,
          summary: '调整成团人数',
        })
      ).status,
    ).toBe(200)
  })
  it('planned for later is not published at once', async () => {
    const [one] = await inState('roll_buy', 'draft')
    const { data } = await call(calls.edit, {
      id: one!.id,
      version: one!.version,
      content: text,
      effective_at: now + DAY,
    })
    expect((await call(calls.publish, { ...data, reason: '误点' })).data.rule).toBe('wrong_state')
  })
  it('scheduled takes effect by the clock, once; until then it can be withdrawn, from then on not', async () => {
    const [one] = await inState('roll_buy', 'draft')
    const [old] = await inState('roll_buy', 'effective')
    const at = now + DAY
    const { data } = await call(calls.schedule, {
      id: one!.id,
      version: one!.version,
      effective_at: at,
    })
    await clock(at - 1)
    expect((await inState('roll_buy', 'effective')).map(row => row.id)).toEqual([old!.id])
    const second = await draft('roll_buy')
    expect(
      (await call(calls.publish, { id: second.id, version: second.version, reason: '抢先发布' }))
        .data.rule,
    ).toBe('scheduled_waits')
    await Promise.all([clock(at), clock(at)])
    expect((await inState('roll_buy', 'effective')).map(row => [row.id, row.effective_at])).toEqual(
      [[one!.id, at]],
    )
    expect((await rowOf(old!.id)).state).toBe('superseded')
    expect(
      (
        await call(calls.withdraw, {
          ...data,
          version: (await rowOf(one!.id)).version,
          reason: '太晚了',
        })
      ).data.rule,
    ).toBe('wrong_state')
  })
  it('whose time has come but which nobody noted yet can’t be withdrawn', async () => {
    const [one] = await inState('privacy', 'scheduled')
    await database.db
      .update(agreement)
      .set({ effective_at: now - 5 })
      .where(eq(agreement.id, one!.id))
    expect(
      (await call(calls.withdraw, { id: one!.id, version: one!.version, reason: '晚了' })).data
        .rule,
    ).toBe('wrong_state')
    await database.db
      .update(agreement)
      .set({ effective_at: now + DAY })
      .where(eq(agreement.id, one!.id))
    expect(
      (await call(calls.withdraw, { id: one!.id, version: one!.version, reason: '条款需再核' }))
        .status,
    ).toBe(200)
    expect(await rowOf(one!.id)).toMatchObject({
      state: 'withdrawn',
      withdraw_reason: '条款需再核',
    })
  })
})

it('two versions are compared line by line, only of one type', async () => {
  const { data } = await call(calls.lst, { type: 'merchant', pageSize: 50 })
  const [newest, before] = data.list as { id: number; version_no: string }[]
  const said = await call(calls.diff, { id: newest!.id, other_id: before!.id })
  expect([said.data.from, said.data.to]).toEqual([before!.version_no, newest!.version_no])
  expect(said.data.added + said.data.removed).toBeGreaterThan(0)
  const [other] = await inState('user', 'effective')
  expect((await call(calls.diff, { id: newest!.id, other_id: other!.id })).data.rule).toBe(
    'other_type',
  )
})
it('an order keeps the versions that its member consented to, and notes the consent once', async () => {
  const {
    rows: [offer],
  } = await database.db.execute<{ id: number }>(
    sql`select p.id from product p where p.kind = 'bulks' and p.state = 'on_sale' and p.stock - p.held > 5 and p.sale_start_at < ${now} - 60 and p.sale_end_at > ${now} limit 1`,
  )
  const buy = () =>
    database.db.transaction(tx =>
      placeOrder(tx, { proved: true, product_id: offer!.id, member_id: 2, qty: 1, now }),
    )
  const [first, second] = [await buy(), await buy()]
  const live = Object.fromEntries(
    (await database.db.select().from(agreement).where(eq(agreement.state, 'effective'))).map(
      row => [row.type, row.id],
    ),
  )
  const wanted = {
    user: live['user'],
    privacy: live['privacy'],
    refund: live['refund'],
    bulks: live['bulks'],
  }
  for (const one of [first, second])
    expect(
      (await database.db.select().from(order).where(eq(order.id, one.id)))[0]!.agreements,
    ).toEqual(wanted)
  expect(
    await database.db
      .select()
      .from(agreement_consent)
      .where(
        and(eq(agreement_consent.member_id, 2), eq(agreement_consent.agreement_id, live['bulks']!)),
      ),
  ).toHaveLength(1)
})
it('the preview is what the sanitiser left, whoever wrote the row', async () => {
  const [one] = await inState('card', 'draft')
  await database.db
    .update(agreement)
    .set({ content: '<p>正文</p><script>x()</script>' })
    .where(eq(agreement.id, one!.id))
  expect((await call(calls.preview, { id: one!.id })).data.html).toBe('<p>正文</p>')
})
it('the export holds the consents of the versions that match, of the members in one’s places', async () => {
  const all = (await call(calls.export, { type: 'privacy', state: 'effective', format: 'csv' }))
    .data.rows_expected as number
  const [live] = await inState('privacy', 'effective')
  expect(all).toBe(
    (
      await database.db
        .select()
        .from(agreement_consent)
        .where(eq(agreement_consent.agreement_id, live!.id))
    ).length,
  )
  const local = await addStaff(database, {
    perms: ['system.rules.export'],
    role: { scope_type: 'city', scope_ids: [2] },
  })
  const mine = (
    await call(calls.export, { type: 'privacy', state: 'effective', format: 'csv' }, local.token)
  ).data.rows_expected as number
  const {
    rows: [there],
  } = await database.db.execute<{ n: number }>(
    sql`select count(*)::int n from agreement_consent c join member m on m.id = c.member_id where c.agreement_id = ${live!.id} and m.city_id = 2`,
  )
  expect([mine, mine < all]).toEqual([there!.n, true])
  const staff = {
    id: me.id,
    lang: 'zh',
    scope: { cities: 'all', malls: 'all', owners: [] },
  } as never
  const { rows } = await exportNamed('system.rules')!.rows({
    db: database.db,
    staff,
    filters: { type: 'privacy', state: 'effective' },
    now,
    after: undefined,
    limit: 3,
  })
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatchObject({ type: '隐私政策', version_no: live!.version_no })
})
it('who may only look can’t publish; drafts alone show their source in the list', async () => {
  const reader = await addStaff(database, { perms: ['system.rules.view'] })
  const { data } = await call(calls.lst, { pageSize: 100 }, reader.token)
  expect(
    data.list.every(
      (row: { state: string; content?: string }) =>
        (row.state === 'draft') === (row.content !== undefined),
    ),
  ).toBe(true)
  const [one] = await inState('card', 'draft')
  expect(
    (
      await call(
        calls.publish,
        { id: one!.id, version: one!.version, reason: '无权' },
        reader.token,
      )
    ).status,
  ).toBe(403)
})
it('the log has a word for every field that these calls changed', async () =>
  expect(await wordless(database)).toEqual([]))
