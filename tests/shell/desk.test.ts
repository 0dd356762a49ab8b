// It is @drawn: its questions are components, and drafts are kept in the browser’s storage.
import { act, render } from '@testing-library/react'
import { createElement } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { bulksActions } from '#commands/audit/audit.ts'
import { ask, type Action } from '#commands/command.ts'
import { afterSalesActions } from '#commands/config/afterSales.ts'
import { groupActions } from '#commands/customer/groups.ts'
import { all, finders, pages } from '#commands/index.ts'
import { bulks } from '#commands/pages/audit.ts'
import { auditRules, forbidden } from '#src/areas/audit/audit.ts'
import { unixNow } from '#src/domain/time.ts'
import { connect } from '#src/kit/data.ts'
import { answeredName, resultName } from '#src/kit/workbench.ts'
import { csvOf, tallyOf } from '#src/shell/bulk.ts'
import { Desk, whyNot } from '#src/shell/desk.ts'
import { searchOf } from '#src/shell/palette/entries.ts'
import { followHabits, tellHabits } from '#src/shell/palette/habits.ts'
import { readingsOf } from '#src/shell/palette/readings.ts'
import { asksRecord } from '#src/shell/palette/record-of.ts'
import { keepUsed, note, remember, worthNow } from '#src/shell/palette/used.ts'
import { workspace } from '#src/shell/panes/workspace.ts'
import { opensAlone } from '#src/shell/registry.ts'
import { makeStore, type Store } from '#src/shell/store.ts'
import { Toasts } from '#src/shell/toasts.tsx'

const row = (id: number, more: object = {}) => ({
  id,
  version: 3,
  title: `团购 ${id}`,
  state: 'pending',
  flags: [] as string[],
  submitted_by: 9,
  product_id: id,
  ...more,
})
const can = vi.fn((_: string) => true)
let store: Store
let desk: Desk
let sent: { path: string; body: any; key: string }[]
let answer: (path: string, body: any) => object | Promise<object>
beforeEach(() => {
  localStorage.clear()
  can.mockReturnValue(true)
  sent = []
  answer = () => ({ status: 200, data: {} })
  connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string, init: RequestInit) => {
      const call = {
        path: url.replace('/api/manageback/', ''),
        body: JSON.parse(String(init.body ?? '{}')),
        key: (init.headers as Record<string, string>)['Idempotency-Key']!,
      }
      sent.push(call)
      return new Response(
        JSON.stringify({
          msg: '',
          message: '',
          data: null,
          ...(await answer(call.path, call.body)),
        }),
      )
    }),
  )
  store = makeStore()
  desk = new Desk(store, { id: 2, name: '周晓敏', account: 'auditor', can })
  store.dispatch(workspace.went({ pane: 'p1', at: bulks.path }))
})
afterEach(() => vi.unstubAllGlobals())
const { approve, reject, batchApprove } = bulksActions

describe('a page that takes back what it did by itself', () => {
  test('hears Ctrl+Z, and nothing that was done before is undone', async () => {
    const heard = vi.fn()
    const stop = desk.stage('p1').perform('workbench.undo', heard)
    await desk.undo()
    expect([heard.mock.calls.length, sent]).toEqual([1, []])
    stop()
    answer = () => ({ status: 200, data: { list: [] } })
    await desk.undo()
    expect([heard.mock.calls.length, sent.length]).toEqual([1, 1])
  })
})
describe('running an action', () => {
  test('sends what it says, under a key of its own', async () => {
    expect(await desk.run(approve, [row(7)])).toBe(true)
    expect(sent).toMatchObject([
      {
        path: approve.call!.path,
        body: { id: 7, version: 3 },
        key: expect.stringMatching(/^[\w-]{36}\.1$/),
      },
    ])
  })
  test('a page hears what the call answered', async () => {
    answer = () => ({ status: 200, data: { password: 'once' } })
    const heard: unknown[] = []
    desk.stage('p1').perform(resultName(approve), results => heard.push(...results))
    await desk.run(approve, [row(7)])
    expect(heard).toEqual([{ password: 'once' }])
  })
  test('a page that tells what became of it is believed: it is not called done as well', async () => {
    const { unmount } = render(createElement(Toasts))
    const gift = { ...approve, id: 'test.gift', title: '补偿次数' }
    const done = () => document.body.textContent.includes('补偿次数：已完成')
    const waits = vi.fn((): unknown => true)
    desk.stage('p1').perform(resultName(gift), waits)
    await act(() => desk.run(gift, [row(7)]))
    expect([waits.mock.calls.length, done()]).toEqual([1, false])
    waits.mockReturnValue(undefined)
    await act(() => desk.run(gift, [row(8)]))
    expect(done()).toBe(true)
    unmount()
  })
  test('questions without a call are asked, and their answers are the page’s', async () => {
    const query: Action = {
      ...approve,
      id: 'audit.bulks.query',
      call: undefined as never,
      input: undefined as never,
      takes: 'none',
      asks: { from: ask.text({ label: ['自', 'From'], max: 10 }) },
    }
    expect(await desk.run(query, [])).toBe(false)
    const heard: unknown[] = []
    desk.stage('p1').perform(answeredName(query), answers => heard.push(...answers))
    const asking = desk.run(query, [])
    expect(await desk.asking!.submit({ from: '2026-11-20' })).toBe(true)
    expect(await asking).toBe(true)
    expect(heard).toEqual([{ from: '2026-11-20' }])
    expect(sent).toEqual([])
  })
  test('two presses while the first is under way send once', async () => {
    let free!: () => void
    answer = () =>
      new Promise(go => {
        free = () => go({ status: 200, data: {} })
      })
    const first = desk.run(approve, [row(7)])
    expect(await desk.run(approve, [row(7)])).toBe(false)
    await vi.waitFor(() => expect(free).toBeDefined())
    free()
    expect(await first).toBe(true)
    expect(sent).toHaveLength(1)
  })
  test('rows that can’t have it are left out, and nothing is sent where none can', async () => {
    answer = (_, body) => ({
      status: 200,
      data: { ok: body.tasks.map((task: { id: number }) => task.id), failed: [] },
    })
    await desk.run(batchApprove, [
      row(1),
      row(2, { state: 'approved' }),
      row(3, { flags: ['low_price'] }),
    ])
    expect(sent[0]!.body.tasks).toEqual([{ id: 1, version: 3 }])
    expect(await desk.run(batchApprove, [row(2, { state: 'approved' })])).toBe(false)
    expect(await desk.run(approve, [])).toBe(false)
    expect(sent).toHaveLength(1)
  })
  const batchAnswer = (body: any) => ({
    status: 200,
    data: { ok: body.tasks.map((task: { id: number }) => task.id), failed: [] },
  })
  const many = Array.from({ length: 120 }, (_, i) => row(i + 1))
  test('more rows than a call takes go part by part under keys of one bulk, and the list lets go of what was done', async () => {
    answer = (_, body) => batchAnswer(body)
    const settled = vi.fn()
    desk.stage('p1').perform('list.settled', settled)
    expect(await desk.run(batchApprove, many, { asked: {} })).toBe(true)
    await vi.waitFor(() => expect(desk.bulk?.state).toBe('done'))
    expect(sent.map(call => call.body.tasks.length)).toEqual([50, 50, 20])
    expect(sent.map(call => call.key)).toEqual([1, 2, 3].map(n => `${desk.bulk!.of.id}.${n}`))
    expect(
      settled.mock.calls.flatMap(([rows]) => rows.map((one: { id: number }) => one.id)),
    ).toEqual(many.map(one => one.id))
  })
  test('a line that breaks holds a batch; after a reload it goes on with the very part, under the key it had', async () => {
    answer = (_, body) => {
      if (body.tasks?.[0].id > 50) throw new TypeError('down')
      return batchAnswer(body)
    }
    await desk.run(batchApprove, many, { asked: {} })
    await vi.waitFor(() => expect(desk.bulk?.state).toBe('held'))
    expect(await desk.run(batchApprove, many, { asked: {} })).toBe(false)
    const lost = sent[1]!.key
    const again = new Desk(store, desk.me)
    expect(again.bulk?.state).toBe('held')
    answer = (_, body) => batchAnswer(body)
    sent = []
    void again.resumeBulk()
    await vi.waitFor(() => expect(again.bulk?.state).toBe('done'))
    expect(sent.map(call => [call.key, call.body.tasks.length])).toEqual([
      [lost, 50],
      [lost.replace(/2$/, '3'), 20],
    ])
    expect(tallyOf(again.bulk!.of)).toMatchObject({
      rows: 120,
      ok: many.map(one => one.id),
      failed: [],
    })
  })
  test('a batch can be held and given up; a refusal of the call ends it, and the report says of each row what became of it', async () => {
    answer = (_, body) => {
      if (body.tasks[0].id === 1) desk.stopBulk()
      return batchAnswer(body)
    }
    await desk.run(batchApprove, many, { asked: {} })
    await vi.waitFor(() => expect(desk.bulk?.state).toBe('held'))
    desk.stopBulk()
    expect([desk.bulk!.state, sent.length]).toEqual(['done', 1])
    answer = (_, body) =>
      body.tasks[0].id === 1 ? batchAnswer(body) : { status: 403, message: '没有权限' }
    await desk.run(batchApprove, many, { asked: {} })
    await vi.waitFor(() => expect(desk.bulk?.state).toBe('done'))
    expect(tallyOf(desk.bulk!.of).reasons).toEqual([['没有权限', 70]])
    const told = csvOf(
      {
        ...desk.bulk!.of,
        parts: [
          {
            rows: [
              { id: 1, label: '=1+1' },
              { id: 2, label: 'b,"c"' },
            ],
            input: {},
            result: { ok: [1], failed: [{ id: 2, code: 'x', msg: '没有权限' }] },
          },
        ],
      },
      'zh',
    )
    expect(told.split('\r\n')).toEqual([
      '\uFEFF编号,名称,结果,原因',
      "1,'=1+1,完成,",
      '2,"b,""c""",失败,没有权限',
      '',
    ])
  })
  test('what failed and is still selected can be tried again by itself', async () => {
    answer = (_, body) => ({
      status: 200,
      data: {
        ok: body.tasks.slice(1).map((task: { id: number }) => task.id),
        failed: [{ id: body.tasks[0].id, code: 'claimed', msg: '他人正在审核' }],
      },
    })
    await desk.run(batchApprove, many, { asked: {} })
    await vi.waitFor(() => expect(desk.bulk?.state).toBe('done'))
    const newer = [row(1, { version: 4 }), row(51), row(7)]
    desk.stage('p1').subject = { rows: newer }
    expect(desk.failedOf(desk.bulk!.of)).toEqual(newer.slice(0, 2))
    store.dispatch(workspace.went({ pane: 'p1', at: '/manage' }))
    expect(desk.failedOf(desk.bulk!.of)).toEqual([])
  })
  test('while a list’s rows are on their way nothing acts on those before, and it is said why', () => {
    const offered = () => desk.offers('p1').find(({ action }) => action === approve)
    desk.stage('p1').subject = { rows: [row(1)] }
    expect(offered()).toMatchObject({ rows: [{ id: 1 }] })
    expect(offered()).not.toHaveProperty('why')
    desk.stage('p1').subject = { rows: [], pending: true }
    expect(offered()!.why![0]).toContain('列表还在更新')
    desk.stage('p1').subject = { rows: [] }
    expect(offered()!.why![0]).toBe('请先选择一行')
  })
  test('what nothing on the page gives to be put in order is refused, and not asked of nothing', async () => {
    const { sortReasons } = afterSalesActions
    render(createElement(Toasts))
    expect(await desk.run(sortReasons, [])).toBe(false)
    await vi.waitFor(() => expect(document.body.textContent).toContain('没有可排序的内容'))
    expect([desk.asking, sent]).toEqual([null, []])
    const on = { type: 'refund', list_version: 1, entries: [{ id: 1, text: '1. 拍错了' }] }
    void desk.run(sortReasons, [], { on })
    await expect.poll(() => desk.asking?.action).toBe(sortReasons)
  })
  test('without the right nothing is sent, and the right is named', async () => {
    can.mockReturnValue(false)
    answer = path => ({
      status: 200,
      data: path.startsWith('session/grantors')
        ? {
            list: [
              { name: '林岚', role: '超级管理员' },
              { name: '周宁', role: '权限管理员' },
            ],
          }
        : {},
    })
    render(createElement(Toasts))
    expect(await desk.run(approve, [row(1)])).toBe(false)
    await vi.waitFor(() =>
      expect(document.body.textContent).toContain(
        '需要权限：通过审核；可由 林岚（超级管理员）、周宁（权限管理员） 开通',
      ),
    )
    expect(sent.map(({ path }) => path)).toEqual(['session/grantors?permit=audit.bulks.approve'])
    expect(whyNot(approve, [row(1)], desk.me)?.[0]).toContain('通过审核')
  })
  test('what takes two rows or more can’t be had for one, and says so before it is pressed', () => {
    const { intersect } = groupActions
    const of = (n: number) =>
      Array.from({ length: n }, (_, at) => ({ ...row(at + 1), status: 'ready' }))
    const why = (n: number) => whyNot(intersect, of(n), desk.me)?.[0]
    expect([why(0), why(1), why(2)]).toEqual(['请先选择一行', '请先选中至少 2 行', undefined])
  })
  test('what is done to several rows is seen first: which, how much goes on sale, and what is left out', async () => {
    answer = () => ({ status: 200, data: { ok: [1, 2], failed: [] } })
    const money = { price_cents: 1_000, stock: 3 }
    const rows = [
      row(1, money),
      row(2, money),
      row(3, { ...money, flags: ['price_zero'] }),
      row(4, { ...money, flags: ['duplicate'] }),
    ]
    const done = desk.run(batchApprove, rows)
    await vi.waitFor(() => expect(desk.asking).not.toBeNull())
    expect(sent).toEqual([])
    expect(desk.asking!.rows.map(({ id }) => id)).toEqual([1, 2])
    expect(desk.asking!.left).toContain('已略过 2 项：')
    expect(batchApprove.tells!(desk.asking!.rows)![2]).toBe(6_000)
    await desk.asking!.submit({})
    expect([await done, sent.length]).toEqual([true, 1])
  })
  test('a line typed whole for several rows shows them before it is done', async () => {
    void desk.review(bulksActions.batchReject, [row(1), row(2)], {
      why: { code: 'images', text: '图片不清' },
    })
    expect(desk.asking).toMatchObject({
      rows: [{ id: 1 }, { id: 2 }],
      typed: { changed: { why: { text: '图片不清' } } },
    })
    expect(sent).toEqual([])
    desk.asking!.cancel()
  })
  test('what forbids an approval is said in words that are whole, whichever rule it is', () => {
    const forbidding = Object.keys(auditRules).filter(forbidden)
    expect(forbidding.length).toBeGreaterThan(30)
    const said = forbidding.map(flag => whyNot(approve, [row(1, { flags: [flag] })], desk.me))
    expect(said.flat().filter(words => words === undefined || /[{}]/.test(words))).toEqual([])
  })
  test('a flag that forbids says so before the key is pressed', () => {
    expect(whyNot(approve, [row(1, { flags: ['price_zero'] })], desk.me)?.[0]).toBe(
      '不能通过：售价须大于 0',
    )
    expect(whyNot(approve, [row(1, { flags: ['duplicate'] })], desk.me)).toBeUndefined()
  })
  test('what a busy server had no time for is sent again until all is answered, and told once', async () => {
    // It deals with two rows a call; the fourth was changed by somebody.
    const busy = (_: string, body: { tasks: { id: number }[] }) => {
      const ids = body.tasks.map(task => task.id)
      const [now, later] = [ids.slice(0, 2), ids.slice(2)]
      const failed = [
        ...now.filter(id => id === 4).map(id => ({ id, code: 'stale', msg: '已被修改' })),
        ...later.map(id => ({ id, code: 'no_time', msg: '系统繁忙' })),
      ]
      return { status: 200, data: { ok: now.filter(id => id !== 4), failed } }
    }
    answer = busy
    const told = vi.fn()
    desk.stage('p1').perform('list.settled', told)
    const rows = [1, 2, 3, 4, 5].map(id => row(id))
    await desk.run(batchApprove, rows, { asked: {} })
    await vi.waitFor(() => expect(desk.bulk?.state).toBe('done'))
    expect(sent.map(call => call.body.tasks.map((task: { id: number }) => task.id))).toEqual([
      [1, 2, 3, 4, 5],
      [3, 4, 5],
      [5],
    ])
    expect(sent.map(call => call.key)).toEqual([1, 2, 3].map(n => `${desk.bulk!.of.id}.${n}`))
    expect(tallyOf(desk.bulk!.of)).toMatchObject({
      rows: 5,
      ok: [1, 2, 3, 5],
      failed: [{ id: 4, code: 'stale' }],
    })
    expect(told.mock.calls.flatMap(([done]) => done.map((one: { id: number }) => one.id))).toEqual([
      1, 2, 3, 5,
    ])

    sent = []
    await desk.run(batchApprove, many.slice(0, 53), { asked: {} })
    await vi.waitFor(() => expect(desk.bulk?.state).toBe('done'))
    expect(tallyOf(desk.bulk!.of).ok).toHaveLength(52)
    expect(new Set(sent.map(call => call.key)).size).toBe(sent.length)
  })
  test('rows that failed stay selected: the list is told only of those done', async () => {
    answer = () => ({
      status: 200,
      data: { ok: [1], failed: [{ id: 2, code: 'stale', msg: '已被修改' }] },
    })
    const settled = vi.fn()
    desk.stage('p1').perform('list.settled', settled)
    await desk.run(batchApprove, [row(1), row(2)], { asked: {} })
    expect(settled).toHaveBeenCalledExactlyOnceWith([row(1)])
  })
  test('what became of rows that went in one call is kept too, each with its reason; a batch that is held is not put away for it', async () => {
    answer = () => ({
      status: 200,
      data: {
        ok: [1],
        failed: [
          { id: 2, code: 'stale', msg: '已被修改' },
          { id: 3, code: 'x', msg: '已过期' },
        ],
      },
    })
    await desk.run(batchApprove, [row(1), row(2), row(3)], { asked: {} })
    expect([desk.bulk!.state, tallyOf(desk.bulk!.of).reasons, sent[0]!.key]).toEqual([
      'done',
      [
        ['已被修改', 1],
        ['已过期', 1],
      ],
      `${desk.bulk!.of.id}.1`,
    ])
    expect(
      csvOf(new Desk(store, desk.me).bulk!.of, 'zh')
        .split('\r\n')
        .slice(1, -1)
        .map(line => line.split(',').slice(2).join()),
    ).toEqual(['完成,', '失败,已被修改', '失败,已过期'])
    await desk.run(approve, [row(4)])
    expect(tallyOf(desk.bulk!.of).rows).toBe(3)
    answer = (_, body) => {
      if (body.tasks?.[0].id > 50) throw new TypeError('down')
      return batchAnswer(body)
    }
    await desk.run(batchApprove, many, { asked: {} })
    await vi.waitFor(() => expect(desk.bulk?.state).toBe('held'))
    answer = (_, body) => batchAnswer(body)
    await desk.run(batchApprove, [row(1), row(2)], { asked: {} })
    expect([desk.bulk!.state, tallyOf(desk.bulk!.of).rows]).toEqual(['held', 120])
  })
  test('questions are asked first; a refusal is shown at its question, and what was lost is sent again under the same key', async () => {
    const done = desk.run(reject, [row(7)])
    const { asking } = desk
    expect([asking!.action.id, sent.length]).toEqual(['audit.bulks.reject', 0])
    answer = () => ({ status: 400, message: '请检查', data: { fields: { why: '太短' } } })
    expect(await asking!.submit({ why: { code: 'price', text: 'x' } })).toEqual({
      fields: { why: '太短' },
    })
    answer = () => {
      throw new TypeError('down')
    }
    const lost = await asking!.submit({ why: { code: 'price', text: '价格不实' } })
    expect(lost).toMatchObject({ message: expect.any(String) })
    answer = () => ({ status: 200, data: {} })
    expect(await asking!.submit({ why: { code: 'price', text: '价格不实' } })).toBe(true)
    expect(await done).toBe(true)
    expect(sent[2]!.key).toBe(sent[1]!.key)
    expect(sent[1]!.key).not.toBe(sent[0]!.key)
    expect(sent[2]!.body).toMatchObject({
      id: 7,
      version: 3,
      reason_code: 'price',
      reason: '价格不实',
    })
    expect(desk.asking).toBeNull()
  })
  test('giving up the questions sends nothing', async () => {
    const done = desk.run(reject, [row(7)])
    desk.asking!.cancel()
    expect([await done, sent.length]).toEqual([false, 0])
  })
  test('the last action is taken back once, a bulk in one step, and not before what is under way was answered', async () => {
    let kept = [
      {
        id: 5,
        parts: 2,
        bulk: 'b',
        call: 'POST audit/bulks/batchApprove',
        title: '',
        label: '',
        rows: 2,
        at: 0,
        until: 9e9,
      },
    ]
    let free!: () => void
    answer = (path, body) => {
      if (path.startsWith('undo/mine'))
        return { status: 200, data: { list: kept, total: kept.length } }
      if (path === 'undo/takeBulk') {
        kept = []
        return { status: 200, data: { ok: [7], failed: [], next: body.before ? null : 5 } }
      }
      return new Promise(go => {
        free = () => go({ status: 200, data: { id: 7 } })
      })
    }
    const doing = desk.run(approve, [row(7)])
    const undone = Promise.all([desk.undo(), desk.undo()])
    await vi.waitFor(() => expect(free).toBeDefined())
    expect(sent.map(call => call.path)).toEqual([approve.call!.path])
    free()
    await Promise.all([doing, undone])
    expect(sent.slice(1).map(call => [call.path, call.body?.before])).toEqual([
      ['undo/mine', undefined],
      ['undo/takeBulk', undefined],
      ['undo/takeBulk', 5],
      ['undo/mine', undefined],
    ])
  })
  test('a page that performs an action itself is asked instead', () => {
    const own = vi.fn()
    desk.stage('p1').subject = { rows: [row(7)] }
    desk.stage('p1').perform(approve, own)
    desk.perform(desk.offers().find(offer => offer.action === (approve as Action))!)
    expect([own.mock.calls, sent]).toEqual([[[[row(7)]]], []])
  })
})

describe('what can be found', () => {
  const readings = Object.fromEntries(all.map(({ title }) => [title, readingsOf(title)]))
  const open = (now = 1_795_000_000) => searchOf(desk, readings)(now)
  test('a command shown can be done, or says why not; without rights it is not there', () => {
    can.mockImplementation(permit => permit === 'signed-in' || permit === 'audit.card.view')
    const { shown } = open()('', 'all', 500)
    expect(shown.map(one => one.id)).toContain('/manage/audit/card')
    expect(
      shown.some(
        one => one.id.startsWith('/manage/audit/bulks') || one.id.startsWith('audit.bulks'),
      ),
    ).toBe(false)
  })
  test('first what can be done with the selection, then pages', () => {
    desk.stage('p1').subject = { rows: [row(7)] }
    const { shown } = open()('')
    expect(shown[0]!.offer?.action.takes).not.toBe('none')
    expect(shown.findIndex(one => one.page)).toBeGreaterThan(
      shown.findLastIndex(one => one.offer?.action.takes === 'row' && !one.offer.why),
    )
  })
  test('tgsh brings the page first, also where 通过审核 is at hand', () => {
    desk.stage('p1').subject = { rows: [row(7)] }
    expect(
      open()('tgsh')
        .shown.slice(0, 2)
        .map(one => one.id),
    ).toEqual(['/manage/audit/bulks', 'audit.bulks.approve'])
    expect(open()('tongguo').shown[0]!.id).toBe('audit.bulks.approve')
  })
  test('an action that can’t be had is shown with the reason', () => {
    desk.stage('p1').subject = { rows: [row(7, { state: 'approved' })] }
    expect(
      open()('通过审核').shown.find(one => one.id === 'audit.bulks.approve')!.offer!.why,
    ).toEqual(['已通过', 'Approved'])
  })
  test.each(['操作日志', 'czrz', 'caozuorizhi', 'operation log'])(
    '%s brings the page that is called so first, and not the same action of other pages',
    typed => {
      expect(open()(typed).shown[0]!.id).toBe('/manage/system/logs')
    },
  )
  test('the words of a page’s own title bring it among the first, wherever they stand in it', () => {
    const search = open()
    const lost = pages
      .filter(page => opensAlone(page) && page.title.length > 4)
      .filter(page => !search(page.title.slice(-4)).shown.some(({ id }) => id === page.path))
      .map(({ path }) => path)
    expect(lost).toEqual([])
  })
  test('no page is pushed out by an action that many pages have', () => {
    const search = open()
    for (const typed of ['修改历史', '谁改的', 'xgls', 'history', '操作日志']) {
      const { shown } = search(typed)
      const last = shown.findLastIndex(one => one.page)
      const first = shown.findIndex(one => one.elsewhere && one.title === '修改历史')
      expect([typed, first === -1 || last < first]).toEqual([typed, true])
    }
    expect(search('修改历史').shown.filter(one => one.elsewhere).length).toBeGreaterThan(3)
  })
  test('what was used often rises while it is typed, and stays below what is said whole', () => {
    const now = 1_795_000_000
    const ids = (typed: string) => open(now)(typed).shown.map(({ id }) => id)
    const before = ids('审核')
    // A page of the module that is typed: one whose title only ends so stays a little behind.
    const risen = before.findLast(id => id.startsWith('/manage/audit'))!
    let used = {}
    for (let i = 0; i < 12; i++) used = note(used, risen, now)
    keepUsed('auditor', bulks.path, used)
    expect([before.indexOf(risen) > 2, ids('审核')[0]]).toEqual([true, risen])
    expect(ids('团购审核')[0]).toBe('/manage/audit/bulks')
  })
  test('pages of one record are found by their title, behind their list', () => {
    const search = open()
    const asking = pages.filter(page => asksRecord(page))
    expect(asking.length).toBeGreaterThanOrEqual(13)
    expect(asking.filter(page => !finders.some(one => one.pages.includes(page)))).toEqual([])
    const lost = asking.filter(page => !search(page.title).shown.some(({ id }) => id === page.path))
    expect(lost.map(({ path }) => path)).toEqual([])
    const ids = search('团购订单').shown.map(({ id }) => id)
    expect(ids.indexOf('/manage/order/bulks')).toBeLessThan(
      ids.indexOf('/manage/order/bulks/detail'),
    )
    // Nothing typed, none of them: they open nothing by themselves.
    expect(search('', 'all', 500).shown.some(({ page }) => page && asksRecord(page))).toBe(false)
  })
  test('places are numbered from one, in order', () => {
    const { shown, total } = open()('s')
    expect(shown.map(one => one.at)).toEqual(shown.map((_, i) => i + 1))
    expect(shown.every(one => one.of === total)).toBe(true)
  })
  test('what is used often ranks higher, and half as much after a week', () => {
    const used = note(note({}, 'x', 0), 'x', 0)
    expect([
      worthNow(used, 'x', 0),
      worthNow(used, 'x', 7 * 86_400),
      worthNow(used, 'y', 0),
      worthNow(used, '__proto__', 0),
    ]).toEqual([2, 1, 0, 0])
  })
})

describe('what the role uses', () => {
  const followed = async (list: object[]) => {
    vi.useFakeTimers()
    answer = path => ({ status: 200, data: path === 'session/habits' ? { list } : {} })
    const stop = followHabits(2)
    await vi.advanceTimersByTimeAsync(1100)
    vi.useRealTimers()
    return stop
  }
  const order = (now = unixNow()) =>
    searchOf(
      desk,
      Object.fromEntries(all.map(({ title }) => [title, readingsOf(title)])),
    )(now)('', 'pages').shown.map(({ id }) => id)
  test('is where a newcomer’s palette begins; their own habits take its place, and the same clock gives the same order', async () => {
    const now = unixNow()
    const stop = await followed([
      { page: bulks.path, command: '/manage/audit/voucher', score: 40, at: now },
      { page: '/manage/order/bulks', command: '/manage/audit/card', score: 60, at: now },
    ])
    expect(order(now).slice(0, 2)).toEqual(['/manage/audit/voucher', '/manage/audit/card'])
    expect(order(now)).toEqual(order(now))
    let used = {}
    for (let i = 0; i < 30; i++) used = note(used, '/manage/audit/product', now)
    keepUsed('auditor', bulks.path, used)
    expect(order(now).slice(0, 2)).toEqual(['/manage/audit/product', '/manage/audit/voucher'])
    stop()
  })
  test('is counted in batches: sixty uses are one call, and what did not get there is told the next time', async () => {
    let lost = true
    const stop = await followed([])
    for (let i = 0; i < 60; i++)
      remember(desk, i % 2 ? 'audit.bulks.approve' : 'audit.bulks.reject')
    expect(sent.filter(({ path }) => path === 'session/noteHabits')).toEqual([])
    answer = () => {
      if (lost) throw new TypeError('offline')
      return { status: 200, data: {} }
    }
    await tellHabits(2)
    remember(desk, 'audit.bulks.approve')
    lost = false
    await tellHabits(2)
    await tellHabits(2)
    const told = sent.filter(({ path }) => path === 'session/noteHabits').slice(1)
    expect(told.map(({ body }) => body)).toEqual([
      {
        admin_id: 2,
        used: [
          { page: bulks.path, command: 'audit.bulks.reject', n: 30 },
          { page: bulks.path, command: 'audit.bulks.approve', n: 31 },
        ],
      },
    ])
    stop()
  })
})

describe('a page that is behind another one', () => {
  test('takes nobody away from what they went to: where it moves by itself, it is when they come back', () => {
    desk.open('/manage/audit/card')
    desk.go('p1', `${bulks.path}?state=approved`, true, bulks.path)
    desk.go('p1', `${bulks.path}?state=rejected&page=2`, false, bulks.path)
    expect(desk.pane()!.at).toBe('/manage/audit/card')
    desk.open(bulks.path)
    expect(desk.pane()!.at).toBe(`${bulks.path}?state=approved`)
  })
})

describe('leaving something half written', () => {
  let dirty: boolean
  const discard = vi.fn(() => {
    dirty = false
  })
  const form = '/manage/mall/add'
  const at = (pane = 'p1') => store.getState().workspace.byId[pane]?.at
  beforeEach(() => {
    dirty = true
    discard.mockClear()
    store.dispatch(workspace.went({ pane: 'p1', at: form }))
    desk.stage('p1').hold({ dirty: () => dirty, discard })
  })
  const ways: [string, () => void, () => boolean][] = [
    ['another page', () => desk.open('/manage/mall'), () => at() === '/manage/mall'],
    [
      'another record of the page',
      () => desk.go('p1', `${form}?mid=3`),
      () => at() === `${form}?mid=3`,
    ],
    ['back', () => desk.back(), () => at() === bulks.path],
    ['closing the pane', () => desk.close(), () => at() === undefined],
    [
      'closing it with the others',
      () => {
        desk.open('/manage/mall', 'beside')
        desk.closeOthers()
      },
      () => at() === undefined,
    ],
    [
      'signing out',
      () =>
        desk.leaveAll(() => {
          left = true
        }),
      () => left,
    ],
  ]
  let left = false
  describe.each(ways)('by %s', (_, go, gone) => {
    beforeEach(() => {
      left = false
      go()
    })
    test('asks, and stays where one goes on editing', () => {
      expect(gone()).toBe(false)
      desk.leaving!.answer('stay')
      expect([desk.leaving, gone(), discard.mock.calls.length]).toEqual([null, false, 0])
    })
    test('keeps the draft and goes', () => {
      desk.leaving!.answer('keep')
      expect([desk.leaving, gone(), discard.mock.calls.length]).toEqual([null, true, 0])
    })
    test('throws it away and goes', () => {
      desk.leaving!.answer('discard')
      expect([desk.leaving, gone(), discard.mock.calls.length]).toEqual([null, true, 1])
    })
  })
  test('what is not half written any more is left without a question', () => {
    dirty = false
    desk.open('/manage/mall')
    expect([desk.leaving, at()]).toEqual([null, '/manage/mall'])
  })
  test('what stays on the page is not asked about where only its parameters change', () => {
    dirty = false
    desk.stage('p1').hold({ dirty: () => true, discard, stays: true })
    desk.go('p1', `${form}?mid=3`)
    expect([desk.leaving, at()]).toEqual([null, `${form}?mid=3`])
    desk.open('/manage/mall')
    expect([desk.leaving !== null, at()]).toEqual([true, `${form}?mid=3`])
  })
  test('a page that is kept alive keeps it, unasked; closing its pane asks', () => {
    store.dispatch(workspace.went({ pane: 'p1', at: bulks.path }))
    desk.stage('p1').hold({ dirty: () => true, discard })
    dirty = false
    desk.open('/manage/mall')
    expect([desk.leaving, at()]).toEqual([null, '/manage/mall'])
    desk.close()
    expect(desk.leaving).not.toBeNull()
  })
})
test('the money of several rows is told before it moves', async () => {
  const pay = {
    ...batchApprove,
    tells: (rows: readonly { cents: number }[]) => [['{n} 单', '{n}'], { n: rows.length }] as const,
  } as unknown as Action
  const running = desk.run(pay, [row(1), row(2)], { pane: 'p1' })
  await vi.waitFor(() => expect(desk.asking).not.toBeNull())
  expect(sent).toEqual([])
  desk.asking!.cancel()
  expect(await running).toBe(false)
  expect(sent).toEqual([])
})
test('what an action tells is shown before it is done to one row, too, and what tells nothing is done at once', async () => {
  answer = () => ({ status: 200, data: {} })
  const tells = (rows: readonly { id: number }[]) =>
    rows[0]!.id === 1 ? ([['{n} 元', '{n}'], { n: 5 }] as const) : undefined
  const { asks: _, danger: __, ...plain } = approve
  const pay = { ...plain, tells } as unknown as Action
  const running = desk.run(pay, [row(1)], { pane: 'p1' })
  await vi.waitFor(() => expect(desk.asking).not.toBeNull())
  expect([desk.asking!.action, sent]).toEqual([pay, []])
  expect(await desk.asking!.submit({})).toBe(true)
  expect(await running).toBe(true)
  expect(sent.map(one => one.body.id)).toEqual([1])
  expect(await desk.run(pay, [row(2)], { pane: 'p1' })).toBe(true)
  expect([desk.asking, sent.length]).toEqual([null, 2])
})
