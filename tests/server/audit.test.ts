import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit_task, type AuditTask } from '#src/areas/audit/audit.table.ts'
import {
  BATCH_MAX,
  CLAIM_SECONDS,
  auditQueues,
  rejectCodes,
  type AuditQueue,
} from '#src/areas/audit/audit.ts'
import { submitOffer } from '#src/areas/audit/decision.server.ts'
import { resubmit, withdraw } from '#src/areas/audit/submission.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product, product_sku, product_version } from '#src/areas/product/product.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { dayStart, unixNow } from '#src/domain/time.ts'
import { queues } from '#src/modules/audit/contract.ts'
import * as contract from '#src/modules/audit/contract.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send, tokenOfAccount, type Said } from '../help/app.ts'
import { toldTo } from '../help/told.ts'
import { freshProduct, freshTask as freshTaskIn } from '../help/trade.ts'

let database: Database
let app: App
let auditor: string
let supervisor: string
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  auditor = await tokenOfAccount(database, 'auditor')
  supervisor = await tokenOfAccount(database, 'supervisor')
})
const taskOf = async (id: number): Promise<AuditTask> =>
  (await database.db.select().from(audit_task).where(eq(audit_task.id, id)))[0]!
const productOf = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!
const liveOf = async (id: number) =>
  await database.db
    .select()
    .from(product_version)
    .where(and(eq(product_version.product_id, id), eq(product_version.state, 'live')))
const logsOf = (id: number) =>
  database.db
    .select()
    .from(op_log)
    .where(and(eq(op_log.object_type, 'audit_task'), eq(op_log.object_id, id)))
    .orderBy(op_log.id)
const as = (token: string) => ({ token })
const ok = (said: Said) => {
  expect(said.message + JSON.stringify(said.data).slice(0, 300) + said.status).toContain('200')
  expect(said.status).toBe(200)
  return said.data
}

/** An open task without flags that nobody holds. */
const freeTask = async (queue: AuditQueue = 'bulks', more = sql`true`): Promise<AuditTask> => {
  const [task] = await database.db
    .select()
    .from(audit_task)
    .where(
      and(
        eq(audit_task.queue, queue),
        eq(audit_task.state, 'pending'),
        eq(audit_task.flagged, false),
        more,
      ),
    )
    .orderBy(audit_task.sla_at)
    .limit(1)
  if (!task) throw new Error(`no free task in ${queue}`)
  return task
}
const freshTask = (
  edit?: (body: ProductBody) => ProductBody,
  kind?: ProductBody['kind'],
  by?: number,
) => freshTaskIn(database, edit, kind, by)

describe('a queue', () => {
  it('shows every tab as many rows as it counts, pages without a gap or a repeat, and begins with what is late', async () => {
    // No lease of the demo's ends between the two questions.
    await database.db
      .update(audit_task)
      .set({ claim_until: unixNow() + 600 })
      .where(eq(audit_task.state, 'claimed'))
    for (const queue of auditQueues) {
      const counts = ok(await send(app, queues[queue].counts, {}, as(auditor))) as Record<
        string,
        number
      >
      for (const [tab, n] of Object.entries(counts)) {
        const first = ok(
          await send(app, queues[queue].lst, { state: tab, pageSize: 7 }, as(auditor)),
        )
        expect([queue, tab, first.total]).toEqual([queue, tab, n])
        const seen: number[] = []
        for (let page = 1; page <= Math.ceil(n / 7); page++)
          seen.push(
            ...ok(
              await send(app, queues[queue].lst, { state: tab, page, pageSize: 7 }, as(auditor)),
            ).list.map((row: { id: number }) => row.id),
          )
        expect(seen.length).toBe(n)
        expect(new Set(seen).size).toBe(n)
      }
      const open = ok(await send(app, queues[queue].lst, { pageSize: 200 }, as(auditor))).list as {
        sla_at: number
      }[]
      expect(open.map(row => row.sla_at)).toEqual(open.map(row => row.sla_at).sort((a, b) => a - b))
      expect(open[0]!.sla_at).toBeLessThan(unixNow())
    }
  })
  it('shows of each offer what was submitted, and reads nothing long of it', async () => {
    const task = await freshTask(
      body => ({
        ...body,
        skus: [1, 2].map(n => ({ code: `S${n}`, name: `${n} 人`, price_cents: 100, stock: n })),
      }),
      'goods',
    )
    const { snapshot, listed } = await taskOf(task.id)
    expect(Object.keys(snapshot)).toEqual(expect.arrayContaining(['title', 'images', 'skus']))
    expect(Object.keys(listed)).not.toEqual(expect.arrayContaining(['title']))
    expect(JSON.stringify(listed)).not.toContain('S1')
    const { list } = ok(
      await send(
        app,
        queues.product.lst,
        { state: 'pending', sort: 'newest', pageSize: 50 },
        as(supervisor),
      ),
    )
    expect(list.find((row: { id: number }) => row.id === task.id)).toMatchObject({
      list_price_cents: snapshot.list_price_cents,
      stock: snapshot.stock,
      sale_end_at: snapshot.sale_end_at,
      check_end_at: snapshot.check_end_at,
      sku_count: 2,
    })
  })
  it('jumps to a page it has not seen as if it had read there', async () => {
    const all = ok(
      await send(app, contract.bulks.lst, { state: 'approved', pageSize: 200 }, as(supervisor)),
    ).list.map((row: { id: number }) => row.id)
    const jumped = ok(
      await send(
        app,
        contract.bulks.lst,
        { state: 'approved', page: 5, pageSize: 5 },
        as(await tokenOfAccount(database, 'admin')),
      ),
    ).list.map((row: { id: number }) => row.id)
    expect(jumped).toEqual(all.slice(20, 25))
  })
  it('finds two Chinese characters, a number, and nothing for a stray wildcard', async () => {
    const task = await freeTask()
    const word = task.store_name.slice(0, 2)
    const found = ok(
      await send(app, contract.bulks.lst, { keyword: word, pageSize: 200 }, as(auditor)),
    ).list as { id: number; title: string; merchant_name: string; store_name: string }[]
    expect(found.map(row => row.id)).toContain(task.id)
    for (const row of found)
      expect(`${row.title} ${row.merchant_name} ${row.store_name}`).toContain(word)
    expect(
      ok(await send(app, contract.bulks.lst, { keyword: String(task.id) }, as(auditor))).list.map(
        (row: { id: number }) => row.id,
      ),
    ).toContain(task.id)
    for (const nothing of ['%', '_%', "'; drop", '\\', '龘鱻'])
      expect(ok(await send(app, contract.bulks.lst, { keyword: nothing }, as(auditor))).total).toBe(
        0,
      )
  })
  it('filters by flags, lateness, city, kind and type', async () => {
    const flagged = ok(
      await send(app, contract.bulks.lst, { flagged: true, pageSize: 200 }, as(auditor)),
    ).list as { flags: string[] }[]
    expect(flagged.length).toBeGreaterThan(0)
    expect(flagged.every(row => row.flags.length > 0)).toBe(true)
    const late = ok(
      await send(app, contract.bulks.lst, { over_sla: true, pageSize: 200 }, as(auditor)),
    ).list as { sla_at: number }[]
    expect(late.length).toBeGreaterThan(0)
    expect(late.every(row => row.sla_at <= unixNow())).toBe(true)
    const express = ok(
      await send(app, contract.product.lst, { kind: 'elist', pageSize: 200 }, as(auditor)),
    ).list as { product_kind: string }[]
    expect(express.length).toBeGreaterThan(0)
    expect(express.every(row => row.product_kind === 'elist')).toBe(true)
    const edits = ok(
      await send(app, contract.bulks.lst, { submit_type: 'edit', pageSize: 200 }, as(auditor)),
    ).list as { submit_type: string; changed: string[] }[]
    expect(edits.every(row => row.submit_type === 'edit' && row.changed.length > 0)).toBe(true)
  })
  it('of another city does not exist for a city manager', async () => {
    const [elsewhere] = await database.db
      .select()
      .from(audit_task)
      .where(and(eq(audit_task.queue, 'bulks'), sql`${audit_task.city_id} <> 1`))
      .limit(1)
    const manager = await addStaff(database, {
      perms: ['audit.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    const list = ok(await send(app, contract.bulks.lst, { pageSize: 200 }, as(manager.token)))
      .list as { city_id: number }[]
    expect(list.every(row => row.city_id === 1)).toBe(true)
    const told = [
      await send(app, contract.bulks.detail, { id: elsewhere!.id }, as(manager.token)),
      await send(
        app,
        contract.bulks.approve,
        { id: elsewhere!.id, version: elsewhere!.version },
        as(manager.token),
      ),
      await send(app, contract.bulks.detail, { id: 2_000_000_000 }, as(manager.token)),
    ]
    expect(told.map(said => said.status)).toEqual([404, 404, 404])
    expect(new Set(told.map(said => said.message)).size).toBe(1)
  })
  it('of another kind does not hold the task either', async () => {
    const task = await freeTask('voucher')
    expect((await send(app, contract.bulks.detail, { id: task.id }, as(auditor))).status).toBe(404)
    expect(
      (await send(app, contract.card.approve, { id: task.id, version: task.version }, as(auditor)))
        .status,
    ).toBe(404)
  })
  it('opens tasks of every state and kind of submission: open, decided, withdrawn, with their rounds and prices', async () => {
    for (const queue of auditQueues) {
      const tasks = await database.db
        .select({
          id: audit_task.id,
          live: audit_task.live_snapshot,
          kind: sql<string>`${audit_task.state} || ${audit_task.submit_type}`,
        })
        .from(audit_task)
        .where(eq(audit_task.queue, queue))
      const some = [...new Set(tasks.map(task => task.kind))].flatMap(kind =>
        tasks.filter(task => task.kind === kind).slice(0, 4),
      )
      expect(some.length).toBeGreaterThan(5)
      for (const { id, live } of some) {
        const detail = ok(await send(app, queues[queue].detail, { id }, as(supervisor)))
        expect(detail.task.id).toBe(id)
        if (live && detail.task.submit_type === 'edit') expect(detail.live).not.toBeNull()
      }
    }
  })
})

describe('claiming', () => {
  it("renews mine, refuses another person's with the name, and is free again when it ran out", async () => {
    const task = await freeTask()
    const first = ok(await send(app, contract.bulks.claim, { id: task.id }, as(auditor)))
    expect(first.version).toBe(task.version + 1)
    expect(ok(await send(app, contract.bulks.claim, { id: task.id }, as(auditor))).version).toBe(
      first.version,
    )
    const foreign = await send(app, contract.bulks.claim, { id: task.id }, as(supervisor))
    expect(foreign).toMatchObject({
      status: 422,
      data: { rule: 'claimed', current: { claimer_name: '沈若溪' } },
    })
    expect(
      (
        await send(
          app,
          contract.bulks.approve,
          { id: task.id, version: first.version },
          as(supervisor),
        )
      ).data.rule,
    ).toBe('claimed')
    await database.db
      .update(audit_task)
      .set({ claim_until: unixNow() - 1 })
      .where(eq(audit_task.id, task.id))
    const row = ok(
      await send(
        app,
        contract.bulks.lst,
        { state: 'pending', keyword: task.title },
        as(supervisor),
      ),
    ).list[0]
    expect(row).toMatchObject({ id: task.id, state: 'pending', claimed_by: null })
    ok(await send(app, contract.bulks.claim, { id: task.id }, as(supervisor)))
    // The first one's next step tells them so.
    expect(
      (
        await send(
          app,
          contract.bulks.approve,
          { id: task.id, version: first.version },
          as(auditor),
        )
      ).data.rule,
    ).toBe('claimed')
    ok(await send(app, contract.bulks.unclaim, { ids: [task.id] }, as(supervisor)))
    expect((await taskOf(task.id)).state).toBe('pending')
  })
  it('goes on from the most urgent, keeps the filters, and says so when nothing is left', async () => {
    const [urgent] = ok(
      await send(app, contract.bulks.lst, { state: 'pending', pageSize: 1 }, as(supervisor)),
    ).list
    const { tasks } = ok(await send(app, contract.bulks.claimNext, { n: 1 }, as(supervisor)))
    expect(tasks[0].id).toBe(urgent.id)
    expect(tasks[0]).toMatchObject({ state: 'claimed', claimer_name: '顾明轩' })
    expect(
      ok(
        await send(
          app,
          contract.bulks.claimNext,
          { n: 1, keyword: '没有这样的东西' },
          as(supervisor),
        ),
      ).tasks,
    ).toEqual([])
    const result = ok(
      await send(app, contract.bulks.unclaim, { ids: [urgent.id, 1_999_999] }, as(supervisor)),
    )
    expect(result.ok).toEqual([urgent.id])
    expect(result.failed[0]).toMatchObject({ id: 1_999_999, code: '404' })
  })
  it('is given back when the last session ends, and not before', async () => {
    const person = await addStaff(database, { perms: ['audit.*'] })
    const other = await addStaff(database, { perms: ['audit.*'] })
    const [{ id }] = ok(await send(app, contract.bulks.claimNext, { n: 1 }, as(person.token))).tasks
    const { endSessionsOf } = await import('#src/server/sessions/sessions.ts')
    await database.transaction(tx => endSessionsOf(tx, other.id, 'logout', unixNow()))
    expect((await taskOf(id)).claimed_by).toBe(person.id)
    await database.transaction(tx => endSessionsOf(tx, person.id, 'logout', unixNow()))
    expect(await taskOf(id)).toMatchObject({ state: 'pending', claimed_by: null })
  })
  it('is kept by heartbeats that change no version and leave no log, and shows who looks on', async () => {
    const task = await freeTask()
    const { version } = ok(await send(app, contract.bulks.claim, { id: task.id }, as(auditor)))
    await database.db
      .update(audit_task)
      .set({ claim_until: unixNow() + 5 })
      .where(eq(audit_task.id, task.id))
    const logs = (await logsOf(task.id)).length
    ok(await send(app, contract.bulks.beat, { id: task.id }, as(supervisor)))
    const beat = ok(await send(app, contract.bulks.beat, { id: task.id }, as(auditor)))
    expect(beat.claim_until).toBeGreaterThan(unixNow() + CLAIM_SECONDS - 60)
    expect(beat).toMatchObject({ version, viewers: [{ name: '顾明轩' }] })
    expect((await logsOf(task.id)).length).toBe(logs)
    expect(
      ok(await send(app, contract.bulks.beat, { id: task.id }, as(supervisor))).claim_until,
    ).toBeNull()
    ok(await send(app, contract.bulks.unclaim, { ids: [task.id] }, as(auditor)))
  })
})

describe('approving', () => {
  it('swaps the live version at once, never touches what was sold, and leaves one line in the log', async () => {
    const task = await freshTask(body => ({
      ...body,
      title: `${body.title}改`,
      stock: 321,
      price_cents: body.price_cents + 10,
      settle_price_cents: body.settle_price_cents,
      list_price_cents: body.list_price_cents + 500,
    }))
    const [before] = await liveOf(task.product_id)
    const sold = await database.db
      .select()
      .from(order_item)
      .where(eq(order_item.product_id, task.product_id))
    const done = ok(
      await send(app, contract.bulks.approve, { id: task.id, version: task.version }, as(auditor)),
    )
    expect(done).toMatchObject({ id: task.id, state: 'approved', version: task.version + 1 })
    const lives = await liveOf(task.product_id)
    expect(lives.map(one => one.no)).toEqual([task.product_version])
    expect(lives[0]!.no).not.toBe(before!.no)
    expect(await productOf(task.product_id)).toMatchObject({
      title: task.title,
      stock: 321,
      state: 'on_sale',
      live_version: task.product_version,
    })
    expect(
      await database.db.select().from(order_item).where(eq(order_item.product_id, task.product_id)),
    ).toEqual(sold)
    const logs = await logsOf(task.id)
    expect(logs).toHaveLength(1)
    expect(logs[0]).toMatchObject({
      result: 'ok',
      admin_name: '沈若溪',
      before: { state: 'pending' },
      after: { state: 'approved' },
    })
    const again = await send(
      app,
      contract.bulks.reject,
      { id: task.id, version: done.version, reason_code: 'price', reason: '太晚了' },
      as(supervisor),
    )
    expect(again).toMatchObject({
      status: 422,
      data: { rule: 'decided', current: { state: 'approved', decider_name: '沈若溪' } },
    })
    expect(again.message).toContain('沈若溪')
    expect(again.message).toContain('已通过')
  })
  it('is refused by each rule that forbids, with its sentence and the field, and changes nothing', async () => {
    const broken: [string, (body: ProductBody) => ProductBody][] = [
      ['price_not_below_list', body => ({ ...body, price_cents: body.list_price_cents })],
      ['settle_above_price', body => ({ ...body, settle_price_cents: body.price_cents + 1 })],
      ['commission_out_of_range', body => ({ ...body, commission_bp: 9999 })],
      ['redeem_end_before_sale_end', body => ({ ...body, check_end_at: body.sale_end_at })],
      ['stock_empty', body => ({ ...body, stock: 0 })],
      ['price_zero', body => ({ ...body, price_cents: 0, settle_price_cents: 0 })],
      ['image_missing', body => ({ ...body, images: [] })],
    ]
    for (const [rule, edit] of broken) {
      const task = await freshTask(edit)
      expect(task.flags).toContain(rule)
      const said = await send(
        app,
        contract.bulks.approve,
        { id: task.id, version: task.version },
        as(auditor),
      )
      expect([said.status, said.data.rule]).toEqual([422, rule])
      expect(said.message).not.toContain('{')
      expect((await taskOf(task.id)).state).toBe('pending')
      expect(
        (
          await send(
            app,
            contract.bulks.approve,
            { id: task.id, version: task.version },
            { token: auditor, lang: 'en' },
          )
        ).message,
      ).toMatch(/[a-z]{4}/)
      await database.transaction(tx =>
        withdraw(tx, { task_id: task.id, version: task.version, now: unixNow() }),
      )
    }
  })
  it('reads merchant and store as they are now, not as they were at submission', async () => {
    const task = await freshTask()
    const [seller] = await database.db
      .select()
      .from(merchant)
      .where(eq(merchant.id, task.merchant_id))
    for (const [change, rule] of [
      [{ license_expire_at: unixNow() - 5 }, 'licence_expired'],
      [{ status: 'frozen' as const }, 'merchant_inactive'],
      [{ licenses: [] }, null],
    ] as const) {
      await database.db
        .update(merchant)
        .set(change as object)
        .where(eq(merchant.id, task.merchant_id))
      const said = await send(
        app,
        contract.bulks.approve,
        { id: task.id, version: task.version },
        as(auditor),
      )
      if (rule) expect(said.data.rule).toBe(rule)
      else if (said.status !== 200) expect(said.data.rule).toMatch(/^qualification/)
      await database.db
        .update(merchant)
        .set({
          license_expire_at: seller!.license_expire_at,
          status: seller!.status,
          licenses: seller!.licenses,
        })
        .where(eq(merchant.id, task.merchant_id))
    }
    const other = (await taskOf(task.id)).state === 'pending' ? task : await freshTask()
    await database.db
      .update(store)
      .set({ status: 'closed' })
      .where(eq(store.id, other.store_ids[0]!))
    expect(
      (
        await send(
          app,
          contract.bulks.approve,
          { id: other.id, version: other.version },
          as(auditor),
        )
      ).data.rule,
    ).toBe('store_closed')
    await database.db.update(store).set({ status: 'open' }).where(eq(store.id, other.store_ids[0]!))
  })
  it("needs a second person where a rule asks for one, and the first can't be the second", async () => {
    const task = await freshTask(
      body => ({
        ...body,
        times_total: 50,
        single_price_cents: 20_000,
        price_cents: 700_000,
        list_price_cents: 1_000_000,
        settle_price_cents: 600_000,
      }),
      'card',
    )
    const first = ok(
      await send(app, contract.card.approve, { id: task.id, version: task.version }, as(auditor)),
    )
    expect(first.state).toBe('second_audit')
    expect((await liveOf(task.product_id))[0]!.no).not.toBe(task.product_version)
    const same = await send(
      app,
      contract.card.approve,
      { id: task.id, version: first.version },
      as(auditor),
    )
    expect(same.status).toBe(422)
    expect(same.message).toContain('另一人')
    expect(
      ok(await send(app, contract.card.claimNext, { n: 5, keyword: task.title }, as(auditor)))
        .tasks,
    ).toEqual([])
    const second = ok(
      await send(
        app,
        contract.card.approve,
        { id: task.id, version: first.version },
        as(supervisor),
      ),
    )
    expect(second.state).toBe('approved')
    const [me, boss] = [
      await taskOf(task.id),
      (
        await database.db.execute<{ id: number }>(
          sql`select id from admin where account = 'supervisor'`,
        )
      ).rows[0]!.id,
    ]
    expect(me).toMatchObject({ second_by: boss, decided_by: boss })
    expect(me.first_by).not.toBe(boss)
    const told = await toldTo(database, me.first_by!)
    expect(told.at(-1)).toEqual([
      expect.stringMatching(/复核通过了你初审的“.+”$/),
      expect.stringMatching(/^\/manage\/audit\/card\?keyword=.+&state=approved$/),
    ])
    // The second's decision goes back to the second, not to the first.
    expect(ok(await send(app, contract.card.undo, { ids: [task.id] }, as(supervisor))).ok).toEqual([
      task.id,
    ])
    expect(await taskOf(task.id)).toMatchObject({
      state: 'second_audit',
      claimed_by: boss,
      second_by: null,
      decided_by: null,
    })
  })
  it('is not for who submitted it', async () => {
    const person = await addStaff(database, { perms: ['audit.*'] })
    const task = await freshTask(undefined, 'bulks', person.id)
    for (const call of [contract.bulks.approve, contract.bulks.reject] as const) {
      const said = await send(
        app,
        call,
        {
          id: task.id,
          version: task.version,
          ...(call === contract.bulks.reject ? { reason_code: 'other', reason: '自己的' } : {}),
        },
        as(person.token),
      )
      expect(said).toMatchObject({ status: 422 })
      expect(said.message).toContain('自己')
    }
    expect(
      ok(await send(app, contract.bulks.claimNext, { n: 5, keyword: task.title }, as(person.token)))
        .tasks,
    ).toEqual([])
  })
  it('is refused when the merchant changed or withdrew it after it was read', async () => {
    const task = await freshTask()
    await database.transaction(tx =>
      withdraw(tx, { task_id: task.id, version: task.version, now: unixNow() }),
    )
    const gone = await send(
      app,
      contract.bulks.approve,
      { id: task.id, version: task.version },
      as(auditor),
    )
    expect(gone).toMatchObject({
      status: 422,
      data: { rule: 'withdrawn', current: { state: 'withdrawn' } },
    })
    expect((await productOf(task.product_id)).state).toBe('on_sale')
    const asked = await freshTask()
    const more = ok(
      await send(
        app,
        contract.bulks.askMore,
        { id: asked.id, version: asked.version, reason: '请补充菜单' },
        as(auditor),
      ),
    )
    expect(more.state).toBe('need_more')
    const next = await database.transaction(tx =>
      resubmit(tx, {
        task_id: asked.id,
        version: more.version,
        body: { ...asked.snapshot, buy_notes: '已补充' },
        now: unixNow(),
      }),
    )
    expect(next).toMatchObject({ state: 'pending', round: 2, submit_type: 'supplement' })
    const stale = await send(
      app,
      contract.bulks.approve,
      { id: asked.id, version: more.version },
      as(auditor),
    )
    expect(stale).toMatchObject({
      status: 409,
      data: { rule: 'stale', current: { version: next.version } },
    })
    expect(
      ok(await send(app, contract.bulks.detail, { id: asked.id }, as(auditor))).rounds[0],
    ).toMatchObject({ state: 'need_more', reason: '请补充菜单', own: true })
    ok(
      await send(app, contract.bulks.approve, { id: asked.id, version: next.version }, as(auditor)),
    )
  })
  it('with edits takes title, category, tags and the order of pictures, and nothing else', async () => {
    const task = await freshTask()
    const images = [...task.snapshot.images].reverse()
    const base = { id: task.id, version: task.version, reason: '规范标题' }
    expect(
      (
        await send(
          app,
          contract.bulks.approveWithEdit,
          { ...base, fields: { images: [...images, 'demo/dish-9.webp'] } },
          as(supervisor),
        )
      ).status,
    ).toBe(400)
    expect(
      (await send(app, contract.bulks.approveWithEdit, { ...base, fields: {} }, as(supervisor)))
        .status,
    ).toBe(400)
    // A price in the body is no field of the call: it is ignored or refused, never taken.
    await send(
      app,
      contract.bulks.approveWithEdit,
      { ...base, fields: { price_cents: 1 } },
      as(supervisor),
    )
    expect((await taskOf(task.id)).state).toBe('pending')
    const done = ok(
      await send(
        app,
        contract.bulks.approveWithEdit,
        { ...base, fields: { title: '规范后的标题', images, tags: ['免预约'] } },
        as(supervisor),
      ),
    )
    expect(done.state).toBe('approved')
    const [live] = await liveOf(task.product_id)
    expect(live!.body).toMatchObject({
      title: '规范后的标题',
      images,
      tags: ['免预约'],
      price_cents: task.snapshot.price_cents,
      stock: task.snapshot.stock,
    })
    expect(live!.edited_by).not.toBeNull()
    const [submitted] = await database.db
      .select()
      .from(product_version)
      .where(
        and(
          eq(product_version.product_id, task.product_id),
          eq(product_version.no, task.product_version),
        ),
      )
    expect(submitted).toMatchObject({ state: 'retired', body: task.snapshot })
    // Taken back, the merchant's own words are under audit again.
    expect(ok(await send(app, contract.bulks.undo, { ids: [task.id] }, as(supervisor))).ok).toEqual(
      [task.id],
    )
    expect(await taskOf(task.id)).toMatchObject({
      title: task.title,
      product_version: task.product_version,
      state: 'claimed',
    })
  })
  it('with a category of the other side is refused, with one of its own it moves', async () => {
    const { list } = ok(
      await send(app, contract.categories, { keyword: '益智', pageSize: 50 }, as(supervisor)),
    ) as { list: { id: number; name: string }[] }
    expect(list.every(one => one.name.startsWith('电商 · '))).toBe(true)
    const shop = ok(
      await send(app, contract.categories, { keyword: '火锅', pageSize: 50 }, as(supervisor)),
    ).list as { id: number }[]
    const task = await freshTask(undefined, 'elist')
    const edit = (category_id: number) =>
      send(
        app,
        contract.product.approveWithEdit,
        { id: task.id, version: task.version, fields: { category_id }, reason: '改类目' },
        as(supervisor),
      )
    expect((await edit(shop[0]!.id)).data.rule).toBe('category_unknown')
    expect(
      ok(await send(app, contract.categories, { pageSize: 200 }, as(supervisor))).total,
    ).toBeGreaterThan(60)
    expect((await taskOf(task.id)).state).toBe('pending')
  })
  it('brings the SKUs along', async () => {
    const task = await freshTask(
      body => ({
        ...body,
        skus: [
          ...body.skus!.slice(1).map(sku => ({ ...sku, stock: 44 })),
          { code: 'NEW-1', name: '新规格', price_cents: 8800, stock: 9 },
        ],
      }),
      'goods',
    )
    ok(
      await send(
        app,
        contract.product.approve,
        { id: task.id, version: task.version },
        as(auditor),
      ),
    )
    const skus = await database.db
      .select()
      .from(product_sku)
      .where(eq(product_sku.product_id, task.product_id))
    expect(
      skus
        .filter(sku => sku.status === 'on')
        .map(sku => sku.code)
        .sort(),
    ).toEqual(task.snapshot.skus!.map(sku => sku.code).sort())
    expect(skus.find(sku => sku.code === 'NEW-1')).toMatchObject({ price_cents: 8800, stock: 9 })
    expect(skus.some(sku => sku.status === 'off')).toBe(true)
    ok(await send(app, contract.product.undo, { ids: [task.id] }, as(auditor)))
    const back = await database.db
      .select()
      .from(product_sku)
      .where(and(eq(product_sku.product_id, task.product_id), eq(product_sku.status, 'on')))
    expect(back.map(sku => sku.code).sort()).toEqual(
      task.live_snapshot!.skus!.map(sku => sku.code).sort(),
    )
  })
})

describe('rejecting', () => {
  it('needs a code and words, keeps what is on sale, and marks fields', async () => {
    const task = await freshTask()
    for (const rubbish of [
      { reason_code: 'price', reason: '' },
      { reason_code: 'nonsense', reason: '不对' },
      { reason: '没有代码' },
    ])
      expect(
        (
          await send(
            app,
            contract.bulks.reject,
            { id: task.id, version: task.version, ...rubbish },
            as(auditor),
          )
        ).status,
      ).toBe(400)
    ok(
      await send(
        app,
        contract.bulks.reject,
        {
          id: task.id,
          version: task.version,
          reason_code: 'image',
          reason: '主图有水印',
          field_marks: { images: '第一张' },
        },
        as(auditor),
      ),
    )
    expect(await taskOf(task.id)).toMatchObject({
      state: 'rejected',
      reason_code: 'image',
      field_marks: { images: '第一张' },
    })
    expect(await productOf(task.product_id)).toMatchObject({
      state: 'on_sale',
      live_version: task.product_version - 1,
    })
    expect(Object.keys(rejectCodes)).toHaveLength(9)
  })
  it('of a first submission makes the product a draft again', async () => {
    const task = await freeTask('bulks', sql`${audit_task.submit_type} = 'new'`)
    expect((await productOf(task.product_id)).state).toBe('auditing')
    ok(
      await send(
        app,
        contract.bulks.reject,
        { id: task.id, version: task.version, reason_code: 'terms', reason: '规则不清' },
        as(auditor),
      ),
    )
    expect((await productOf(task.product_id)).state).toBe('draft')
    ok(await send(app, contract.bulks.undo, { ids: [task.id] }, as(auditor)))
    expect((await productOf(task.product_id)).state).toBe('auditing')
    expect(await taskOf(task.id)).toMatchObject({
      state: 'claimed',
      reason_code: null,
      decided_by: null,
    })
    ok(await send(app, contract.bulks.unclaim, { ids: [task.id] }, as(auditor)))
  })
})

describe('reasons', () => {
  it('stand in the order the team used them in the last 30 whole days, several counted each', async () => {
    const token = auditor
    const codes = ok(await send(app, contract.voucher.reasons, {}, as(token))).codes
    expect(new Set(codes).size).toBe(9)
    const from = dayStart(unixNow())
    const used = await database.db
      .select({ reason_code: audit_task.reason_code, more_codes: audit_task.more_codes })
      .from(audit_task)
      .where(
        and(
          eq(audit_task.queue, 'voucher'),
          eq(audit_task.state, 'rejected'),
          sql`${audit_task.decided_at} >= ${from - 30 * 86_400} and ${audit_task.decided_at} < ${from}`,
        ),
      )
    const counts = (code: string) =>
      used.filter(one => [one.reason_code, ...one.more_codes].includes(code)).length
    expect(codes.map(counts)).toEqual(codes.map(counts).toSorted((a: number, b: number) => b - a))
    // Enough of one that nobody used, all of them further codes, and it comes first; today’s change
    // nothing before tomorrow.
    const task = await freshTask()
    ok(
      await send(
        app,
        contract.bulks.reject,
        {
          id: task.id,
          version: task.version,
          reason_code: 'price',
          more_codes: ['store', 'price', 'store'],
          reason: '门店与价格',
        },
        as(token),
      ),
    )
    expect(await taskOf(task.id)).toMatchObject({ reason_code: 'price', more_codes: ['store'] })
    const before = ok(await send(app, contract.bulks.reasons, {}, as(token))).codes
    await database.db
      .update(audit_task)
      .set({ reason_code: 'other', more_codes: ['store'] })
      .where(
        and(
          eq(audit_task.queue, 'bulks'),
          eq(audit_task.state, 'rejected'),
          sql`${audit_task.decided_at} < ${from}`,
        ),
      )
    expect(before[0]).not.toBe('store')
    expect(ok(await send(app, contract.bulks.reasons, {}, as(token))).codes[0]).toBe('store')
  })
  it('are filled in for each row of a batch, refused whole where no variable is known, and for a row where they grow too long', async () => {
    const [a, b] = [
      await freshTask(body => ({ ...body, title: '甲套餐' })),
      await freshTask(body => ({ ...body, title: '乙套餐' })),
    ]
    const tasks = [a, b].map(({ id, version }) => ({ id, version }))
    const long = ok(
      await send(
        app,
        contract.bulks.batchReject,
        { tasks, reason_code: 'text', reason: '{商户}'.repeat(100) },
        as(auditor),
      ),
    )
    expect([long.ok, long.failed.map((one: { code: string }) => one.code)]).toEqual([
      [],
      ['reason', 'reason'],
    ])
    const unknown = await send(
      app,
      contract.bulks.batchReject,
      { tasks, reason_code: 'text', reason: '「{标题}」{不知道}' },
      as(auditor),
    )
    expect([unknown.status, unknown.data.rule, unknown.message]).toEqual([
      422,
      'reason',
      expect.stringContaining('没有变量 {不知道}'),
    ])
    expect([(await taskOf(a.id)).state, (await taskOf(b.id)).state]).not.toContain('rejected')
    ok(
      await send(
        app,
        contract.bulks.batchReject,
        { tasks, reason_code: 'text', reason: '「{标题}」夸大' },
        as(auditor),
      ),
    )
    expect([(await taskOf(a.id)).reason, (await taskOf(b.id)).reason]).toEqual([
      '「甲套餐」夸大',
      '「乙套餐」夸大',
    ])
  })
  it('may be marks alone, also for a row of a batch; a row with neither is refused by itself', async () => {
    const [marked, bare] = [
      await freshTask(body => body, 'goods'),
      await freshTask(body => body, 'goods'),
    ]
    const field_marks = { skus: '缺少克重' }
    await database.db.update(audit_task).set({ field_marks }).where(eq(audit_task.id, marked.id))
    const said = ok(
      await send(
        app,
        contract.product.batchReject,
        {
          tasks: [marked, bare].map(({ id, version }) => ({ id, version })),
          reason_code: 'image',
        },
        as(auditor),
      ),
    )
    expect([said.ok, said.failed]).toEqual([
      [marked.id],
      [expect.objectContaining({ id: bare.id, code: 'reason' })],
    ])
    expect(await taskOf(marked.id)).toMatchObject({ state: 'rejected', reason: null, field_marks })
  })
})

describe('taking back', () => {
  it('restores product, versions and task, for the one who decided, in time, while nothing was built on it', async () => {
    const task = await freshTask()
    const before = await productOf(task.product_id)
    ok(await send(app, contract.bulks.approve, { id: task.id, version: task.version }, as(auditor)))
    expect(
      ok(await send(app, contract.bulks.undo, { ids: [task.id] }, as(supervisor))).failed[0].code,
    ).toBe('not_mine')
    expect(ok(await send(app, contract.bulks.undo, { ids: [task.id] }, as(auditor))).ok).toEqual([
      task.id,
    ])
    const { version: _, updated_at: __, ...after } = await productOf(task.product_id)
    const { version: ___, updated_at: ____, ...was } = before
    expect(after).toEqual(was)
    expect((await liveOf(task.product_id)).map(one => one.no)).toEqual([before.live_version])
    expect(
      ok(await send(app, contract.bulks.undo, { ids: [task.id] }, as(auditor))).failed[0].code,
    ).toBe('no_decision')
    // An order on the new version: it stays.
    const { version } = await taskOf(task.id)
    ok(await send(app, contract.bulks.approve, { id: task.id, version }, as(auditor)))
    await database.transaction(tx =>
      placeOrder(tx, {
        proved: true,
        product_id: task.product_id,
        member_id: 1,
        qty: 1,
        now: unixNow(),
      }),
    )
    expect(
      ok(await send(app, contract.bulks.undo, { ids: [task.id] }, as(auditor))).failed[0].code,
    ).toBe('ordered')
    const late = await freshTask()
    ok(await send(app, contract.bulks.approve, { id: late.id, version: late.version }, as(auditor)))
    await database.db
      .update(audit_task)
      .set({ decided_at: unixNow() - 601 })
      .where(eq(audit_task.id, late.id))
    expect(
      ok(await send(app, contract.bulks.undo, { ids: [late.id] }, as(auditor))).failed[0].code,
    ).toBe('too_late')
  })
  it('keeps what earlier orders did to the stock meanwhile', async () => {
    const task = await freshTask(body => ({ ...body, stock: 500 }))
    const earlier = await database.transaction(tx =>
      placeOrder(tx, {
        proved: true,
        product_id: task.product_id,
        member_id: 1,
        qty: 2,
        now: unixNow() - 5,
      }),
    )
    const before = await productOf(task.product_id)
    ok(await send(app, contract.bulks.approve, { id: task.id, version: task.version }, as(auditor)))
    await database.transaction(tx => payOrder(tx, earlier.id, unixNow()))
    expect(await productOf(task.product_id)).toMatchObject({
      stock: 498,
      held: before.held - 2,
      sold: before.sold + 2,
    })
    expect(ok(await send(app, contract.bulks.undo, { ids: [task.id] }, as(auditor))).ok).toEqual([
      task.id,
    ])
    expect(await productOf(task.product_id)).toMatchObject({
      stock: before.stock - 2,
      held: before.held - 2,
      sold: before.sold + 2,
    })
  })
  it('is not kept from by a past submission that was entered afterwards', async () => {
    const task = await freshTask()
    ok(
      await send(
        app,
        contract.bulks.reject,
        { id: task.id, version: task.version, reason_code: 'text', reason: '文案违规' },
        as(auditor),
      ),
    )
    const { id: _, ...past } = await taskOf(task.id)
    await database.db
      .insert(audit_task)
      .values({ ...past, product_version: past.product_version - 1 })
    expect(ok(await send(app, contract.bulks.undo, { ids: [task.id] }, as(auditor))).ok).toEqual([
      task.id,
    ])
  })
  it('is refused when the product changed since', async () => {
    const task = await freshTask()
    ok(await send(app, contract.bulks.approve, { id: task.id, version: task.version }, as(auditor)))
    await database.db
      .update(product)
      .set({ version: sql`${product.version} + 1` })
      .where(eq(product.id, task.product_id))
    expect(
      ok(await send(app, contract.bulks.undo, { ids: [task.id] }, as(auditor))).failed[0].code,
    ).toBe('changed')
  })
})

it('a mark that forbids approval is looked at once more when the task is taken', async () => {
  const [mended, still] = [await freshTask(), await freshTask(body => ({ ...body, stock: 0 }))]
  // The merchant had no return address then, and has one now.
  await database.db
    .update(audit_task)
    .set({ flags: ['return_missing'] })
    .where(eq(audit_task.id, mended.id))
  const flags: string[][] = []
  for (const { id } of [mended, still]) {
    ok(await send(app, contract.bulks.claim, { id }, as(auditor)))
    flags.push((await taskOf(id)).flags)
  }
  expect(flags[0]).not.toContain('return_missing')
  expect(flags[1]).toContain('stock_empty')
})

describe('a batch', () => {
  it('answers for each row, skips the flagged, and half applies nothing', async () => {
    const clean = [await freshTask(), await freshTask(), await freshTask()]
    const flagged = await freshTask(body => ({ ...body, title: `【全网最低】${body.title}` }))
    const blocked = await freshTask(body => ({ ...body, stock: 0 }))
    const stale = clean[2]!
    const result = ok(
      await send(
        app,
        contract.bulks.batchApprove,
        {
          tasks: [...clean.slice(0, 2), flagged, blocked]
            .map(({ id, version }) => ({ id, version }))
            .concat({ id: stale.id, version: stale.version + 5 }),
        },
        as(auditor),
      ),
    )
    expect(result.ok.sort()).toEqual(
      clean
        .slice(0, 2)
        .map(one => one.id)
        .sort(),
    )
    expect(
      Object.fromEntries(
        result.failed.map((one: { id: number; code: string }) => [one.id, one.code]),
      ),
    ).toEqual({ [flagged.id]: 'flagged', [blocked.id]: 'stock_empty', [stale.id]: 'stale' })
    expect((await taskOf(flagged.id)).state).toBe('pending')
    const many = Array.from({ length: BATCH_MAX + 1 }, (_, at) => ({ id: at + 1, version: 0 }))
    expect(
      (await send(app, contract.bulks.batchApprove, { tasks: many }, as(auditor))).status,
    ).toBe(400)
    const rejected = ok(
      await send(
        app,
        contract.bulks.batchReject,
        {
          tasks: [flagged, blocked].map(({ id, version }) => ({ id, version })),
          reason_code: 'text',
          reason: '文案违规',
        },
        as(auditor),
      ),
    )
    expect(rejected.ok).toHaveLength(2)
    expect(
      ok(await send(app, contract.bulks.undo, { ids: rejected.ok }, as(auditor))).ok,
    ).toHaveLength(2)
  })
})

describe('the rest', () => {
  it('hands a task to a colleague who may decide it, and to nobody else', async () => {
    const task = await freshTask()
    const [to] = ok(await send(app, contract.auditors, { keyword: 'srx' }, as(supervisor))).list
    expect(to).toMatchObject({ account: 'auditor', name: '沈若溪' })
    const [newcomer] = (
      await database.db.execute<{ id: number }>(
        sql`select id from admin where account = 'newcomer'`,
      )
    ).rows
    expect(
      (
        await send(
          app,
          contract.bulks.transfer,
          { id: task.id, version: task.version, admin_id: newcomer!.id, reason: '请看' },
          as(supervisor),
        )
      ).data.rule,
    ).toBe('not_auditor')
    const handed = ok(
      await send(
        app,
        contract.bulks.transfer,
        { id: task.id, version: task.version, admin_id: to.id, reason: '熟悉该商户' },
        as(supervisor),
      ),
    )
    expect((await toldTo(database, to.id)).at(-1)).toEqual([
      expect.stringMatching(/把“.+”转交给你审核：熟悉该商户$/),
      expect.stringContaining('/manage/audit/bulks?keyword='),
    ])
    expect(await taskOf(task.id)).toMatchObject({
      state: 'claimed',
      claimed_by: to.id,
      version: handed.version,
    })
    expect(
      (
        await send(
          app,
          contract.bulks.approve,
          { id: task.id, version: handed.version },
          as(supervisor),
        )
      ).data.rule,
    ).toBe('claimed')
    ok(
      await send(
        app,
        contract.bulks.approve,
        { id: task.id, version: handed.version },
        as(auditor),
      ),
    )
  })
  it('marks fields, checks pictures again and takes the live version off sale', async () => {
    const task = await freshTask(
      body => ({ ...body, images: ['demo/blurred-1.webp', ...body.images.slice(1)] }),
      'goods',
    )
    expect(task.flags).toContain('image_blurred')
    const marked = ok(
      await send(
        app,
        contract.product.markField,
        { id: task.id, version: task.version, field: 'skus', comment: '缺少克重' },
        as(auditor),
      ),
    )
    expect(marked.field_marks).toEqual({ skus: '缺少克重' })
    expect(
      (
        await send(
          app,
          contract.product.markField,
          { id: task.id, version: marked.version, field: '__proto__', comment: 'x' },
          as(auditor),
        )
      ).status,
    ).toBe(400)
    await database.db.execute(
      sql`update upload set sharpness_x100 = 200 where file_key = 'demo/blurred-1.webp'`,
    )
    const checked = ok(
      await send(
        app,
        contract.product.recheckImage,
        { id: task.id, version: marked.version },
        as(auditor),
      ),
    )
    expect(checked.flags).not.toContain('image_blurred')
    const cleared = ok(
      await send(
        app,
        contract.product.markField,
        { id: task.id, version: checked.version, field: 'skus', comment: '' },
        as(auditor),
      ),
    )
    expect(cleared.field_marks).toEqual({})
    expect(
      (await send(app, contract.product.offShelf, { id: task.id, reason: '投诉核实' }, as(auditor)))
        .status,
    ).toBe(403)
    expect(
      ok(
        await send(
          app,
          contract.product.offShelf,
          { id: task.id, reason: '投诉核实' },
          as(supervisor),
        ),
      ).product_state,
    ).toBe('off_sale')
    expect(
      (
        await send(
          app,
          contract.product.offShelf,
          { id: task.id, reason: '投诉核实' },
          as(supervisor),
        )
      ).data.rule,
    ).toBe('wrong_state')
  })
  it('counts my day and exports what the list shows', async () => {
    const before = ok(await send(app, contract.bulks.today, {}, as(auditor)))
    const task = await freshTask()
    ok(await send(app, contract.bulks.approve, { id: task.id, version: task.version }, as(auditor)))
    expect(ok(await send(app, contract.bulks.today, {}, as(auditor))).approved).toBe(
      before.approved + 1,
    )
    const job = ok(
      await send(app, contract.bulks.export, { state: 'rejected', format: 'csv' }, as(supervisor)),
    )
    expect(job.rows_expected).toBe(
      ok(await send(app, contract.bulks.lst, { state: 'rejected' }, as(supervisor))).total,
    )
    expect(
      (await send(app, contract.bulks.export, { state: 'rejected' }, as(auditor))).status,
    ).toBe(403)
  })
  it('a price that only falls is approved by the system when the settings say so', async () => {
    const lower = () =>
      database.transaction(async tx => {
        const { item, body } = await freshProduct(tx)
        return submitOffer(tx, {
          product_id: item.id,
          body: {
            ...body,
            price_cents: body.price_cents - 10,
            settle_price_cents: Math.min(body.settle_price_cents, body.price_cents - 10),
          },
          submit_type: 'edit',
          now: unixNow(),
        })
      })
    expect(await lower()).toMatchObject({ state: 'pending', flags: [] })
    await database.db.execute(
      sql`insert into setting (key, value) values ('audit', '{"auto_approve_price_drop": true}') on conflict (key) do update set value = excluded.value`,
    )
    const alone = await lower()
    expect(alone).toMatchObject({ state: 'approved', decided_by: null, decider_name: systemName })
    expect((await productOf(alone.product_id)).price_cents).toBe(alone.price_cents)
    expect((await logsOf(alone.id))[0]).toMatchObject({ admin_name: systemName, result: 'ok' })
    const more = await freshTask(body => ({
      ...body,
      price_cents: body.price_cents - 10,
      settle_price_cents: 1,
      stock: 5,
    }))
    expect(more.state).toBe('pending')
    await database.db.execute(sql`delete from setting where key = 'audit'`)
  })
})
