// Run @embedded too: a call is one transaction.
import { desc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { idempotency, op_log } from '#src/areas/log/log.table.ts'
import { field_key, role, setting } from '#src/areas/people/people.table.ts'
import { read, write, type Call } from '#src/contract/call.ts'
import { guarded, id, page, text, unix } from '#src/contract/shapes.ts'
import { implement, type WriteContext } from '#src/server/call/implement.ts'
import { conflict, missing, ruled } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { DatabaseFault } from '#src/server/db/faults.ts'
import type { App } from '#src/server/http/app.ts'
import { buildApp } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { onlyOn, openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'

// A module of the test's own: a counter kept in the settings table, and what can go wrong around
// it.
const person = z.object({
  name: z.string(),
  phone: guarded('test.phone', z.string()),
  cost_cents: guarded('test.cost', z.int()),
})
const note = {
  add: write('note/add', ['加一', 'Add'], {
    input: z.object({
      by: z.int().min(1).max(100),
      reason: text(200).optional(),
      why: z.enum(['ok', 'rule', 'stale', 'crash']).default('ok'),
    }),
    output: z.object({ total: z.int(), nonce: z.string() }),
    touches: ['note'],
    scope: 'all',
    permit: 'note.page.add',
  }),
  many: write('note/many', ['批量', 'Many'], {
    input: z.object({
      tasks: z
        .array(z.object({ id, at: unix.optional() }))
        .min(1)
        .max(5),
      password: z.string().optional(),
    }),
    output: z.object({}),
    touches: ['note'],
    scope: 'all',
    permit: 'note.page.many',
  }),
  beat: write('note/beat', ['心跳', 'Beat'], {
    input: z.object({}),
    output: z.object({}),
    touches: [],
    scope: 'all',
    permit: 'note.page.view',
    quiet: true,
  }),
  gate: write('note/gate', ['等待', 'Wait'], {
    input: z.object({}),
    output: z.object({}),
    touches: [],
    scope: 'all',
    permit: 'note.page.gate',
  }),
  lst: read('note/lst', ['列表', 'List'], {
    input: z.object({
      ...page,
      kind: z.enum(['a', 'b']).optional(),
      ids: z.array(id).optional(),
      flag: z.boolean().optional(),
    }),
    output: z.object({
      list: z.array(person),
      by: z.record(z.string(), person),
      first: z.union([z.object({ none: z.literal(true) }), person]).nullable(),
      echo: z.unknown(),
    }),
    touches: ['note'],
    scope: 'all',
    permit: 'note.page.view',
  }),
  wrongOutput: read('note/wrong', ['错', 'Wrong'], {
    input: z.object({}),
    output: z.object({ n: z.int() }),
    touches: [],
    scope: 'all',
    permit: 'note.page.view',
  }),
  fault: read('note/fault', ['库错', 'Fault'], {
    input: z.object({ code: z.string() }),
    output: z.object({}),
    touches: [],
    scope: 'all',
    permit: 'note.page.view',
  }),
}
const holder: {
  wait?: Promise<void>
  entered?: () => void
  onAdd?: (context: WriteContext) => Promise<void> | void
} = {}
const rows = [{ name: '张三', phone: '13812345678', cost_cents: 5, secret_column: 'never' }]
const noteModule = implement(note, {
  add: async ({ by, why, reason }, context) => {
    const { tx, staff, log, request_id } = context
    const before = await tx
      .select()
      .from(setting)
      .where(eq(setting.key, `n${staff.id}`))
    await tx
      .insert(setting)
      .values({ key: `n${staff.id}`, value: by })
      .onConflictDoUpdate({
        target: setting.key,
        set: { value: sql`to_jsonb((${setting.value}#>>'{}')::int + ${by})` },
      })
    await holder.onAdd?.(context)
    if (why === 'rule') throw ruled('too_many', ['太多了', 'Too many'])
    if (why === 'stale') throw conflict(['已被修改', 'Changed'], {}, { n: 1 })
    if (why === 'crash') throw new Error('CANARY-crash select * from secret')
    const [after] = await tx
      .select()
      .from(setting)
      .where(eq(setting.key, `n${staff.id}`))
    log({
      object_type: 'note',
      object_id: 7,
      object_label: '计数',
      before: { total: Number(before[0]?.value ?? 0) },
      after: { total: Number(after!.value) },
      ...(reason && { reason }),
    })
    return { total: Number(after!.value), nonce: request_id }
  },
  many: async ({ tasks }, { log, changed }) => {
    if (tasks.length > 1)
      for (const task of tasks)
        log({
          object_type: 'note',
          object_id: task.id,
          object_label: `${task.id}`,
          result: task.id === 2 ? 'refused' : 'ok',
        })
    changed('other')
    return {}
  },
  beat: async () => ({}),
  gate: async () => {
    holder.entered?.()
    await holder.wait
    return {}
  },
  lst: async input => ({ list: rows, by: { x: rows[0]! }, first: rows[0]!, echo: input }),
  wrongOutput: async () => ({ n: 'CANARY-output' as unknown as number }),
  fault: async ({ code }, { db }) => {
    if (code === 'down') throw new DatabaseFault('MALLET_UNAVAILABLE', 'gone')
    if (code === 'unknown') throw new DatabaseFault('MALLET_UNKNOWN', 'broke')
    if (code === 'full') throw Object.assign(new Error('no space'), { code: '53100' })
    if (code === 'nul') await db.execute(sql`select ${'CANARY\0param'}::text`)
    if (code === 'syntax') await db.execute(sql`select ${'CANARY-param'} from nowhere`)
    throw missing()
  },
})

let database: Database
let app: App
const said: string[] = []
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, {
    modules: [noteModule],
    log: openLog('info', { write: line => void said.push(line) }),
  })
})
const all = () => addStaff(database, { perms: ['note.*'] })
const lastLog = async (admin_id: number) =>
  (
    await database.db
      .select()
      .from(op_log)
      .where(eq(op_log.admin_id, admin_id))
      .orderBy(desc(op_log.id))
      .limit(1)
  )[0]
const raw = (of: {
  method?: 'GET' | 'POST'
  url: string
  payload?: string
  headers?: Record<string, string>
}) => app.fastify.inject({ method: 'POST', ...of })

describe('deny by default', () => {
  it('does not boot with a call that has no permit, or a call apart that should be logged', async () => {
    const bad = (call: object) =>
      buildApp({
        database,
        modules: [
          {
            calls: { x: { ...note.beat, path: 'x', ...call } as Call },
            handlers: { x: async () => ({}) },
          },
        ],
        folder: '/tmp/none',
      })
    await expect(bad({ permit: undefined })).rejects.toThrow('has no permit')
    await expect(bad({ permit: '' })).rejects.toThrow('has no permit')
    await expect(bad({ permit: 'everybody' })).rejects.toThrow('has no permit')
    await expect(bad({ apart: true, quiet: false })).rejects.toThrow('must be quiet')
  })
  it('refuses a person without the permission, before looking at the input, and logs it', async () => {
    const one = await addStaff(database, { perms: ['note.page.view'] })
    expect(await send(app, note.add, { rubbish: 1 }, { token: one.token })).toMatchObject({
      http: 403,
      status: 403,
      data: null,
    })
    expect(await lastLog(one.id)).toMatchObject({
      result: 'refused',
      action: 'note.add',
      error: '没有权限进行此操作',
    })
    expect((await send(app, note.lst, {}, { token: one.token })).status).toBe(200)
    expect((await send(app, note.add, { by: 1 })).status).toBe(410000)
  })
})

describe('input', () => {
  it('is refused at the field, in words, in both languages, all faults at once', async () => {
    const { token } = await all()
    expect(
      (await send(app, note.add, { by: 0, why: 'x', reason: 'a\0b', foo: 1 }, { token })).data
        .fields,
    ).toEqual({
      by: '不能小于 1',
      why: '须为其中之一：ok、rule、stale、crash',
      reason: '含有无法保存的字符，请删除后重试',
      foo: '没有这个字段，请去掉',
    })
    expect((await send(app, note.add, { by: '1' }, { token, lang: 'en' })).data.fields).toEqual({
      by: 'Must be a number',
    })
    expect((await send(app, note.add, {}, { token })).data.fields).toEqual({ by: '必填，请填写' })
    expect((await send(app, note.add, { by: 1.5 }, { token })).data.fields).toEqual({
      by: '须为整数',
    })
    expect(
      (
        await send(
          app,
          note.many,
          {
            tasks: [
              { id: 1, at: 1_790_000_000_000 },
              { id: 1, extra: 2 },
            ],
          },
          { token },
        )
      ).data.fields,
    ).toEqual({ 'tasks.0.at': '不能大于 4102444800', 'tasks.1.extra': '没有这个字段，请去掉' })
    for (const body of [[], 'text', 5, null, true])
      expect(
        (
          await raw({
            url: '/api/manageback/note/add',
            payload: JSON.stringify(body),
            headers: { 'content-type': 'application/json', 'authori-zation': `Bearer ${token}` },
          })
        ).statusCode,
      ).toBe(400)
  })
  it('of a query is read by the schema; what can not be read is named', async () => {
    const { token } = await all()
    const ask = async (query: string) =>
      (
        await raw({
          method: 'GET',
          url: `/api/manageback/note/lst?${query}`,
          headers: { 'authori-zation': `Bearer ${token}` },
        })
      ).json()
    expect((await ask('page=2&ids=1,2&flag=1&kind=a')).data.echo).toEqual({
      page: 2,
      pageSize: 50,
      ids: [1, 2],
      flag: true,
      kind: 'a',
    })
    expect((await ask('page=x&ids=1,y&flag=maybe&kind=c&no=1')).data.fields).toEqual({
      page: '须为数字',
      'ids.1': '须为数字',
      flag: '须为是或否',
      kind: '须为其中之一：a、b',
      no: '没有这个字段，请去掉',
    })
    expect((await ask('page=1&page=2')).data.fields).toEqual({ page: '须为数字' })
    expect((await ask('page=100001')).data.fields).toEqual({ page: '不能大于 100000' })
  })
  it('that is no JSON, too large, of another type or poisoned is refused clearly', async () => {
    const { token } = await all()
    const headers = { 'content-type': 'application/json', 'authori-zation': `Bearer ${token}` }
    const url = '/api/manageback/note/add'
    for (const [payload, type, status] of [
      ['{', 'application/json', 400],
      [`{"a":"${'x'.repeat(1_100_000)}"}`, 'application/json', 413],
      ['a=1', 'application/x-www-form-urlencoded', 415],
      ['x', 'text/plain', 415],
      ['{"__proto__":{"by":1}}', 'application/json', 400],
      ['{"constructor":{"prototype":{}}}', 'application/json', 400],
    ] as const) {
      const answered = await raw({ url, payload, headers: { ...headers, 'content-type': type } })
      expect([answered.statusCode, answered.json().status]).toEqual([status, status])
      expect(answered.json().message).toMatch(/[一-鿿]/)
    }
    expect((await raw({ url: `${url}/nowhere`, payload: '{}', headers })).json()).toMatchObject({
      status: 404,
      data: null,
    })
  })
})

describe('the operation log', () => {
  it('has one line with before and after in the same transaction', async () => {
    const one = await all()
    const done = await send(app, note.add, { by: 3, reason: '补录' }, { token: one.token })
    expect(done.data.total).toBe(3)
    expect(await lastLog(one.id)).toMatchObject({
      module: 'note',
      action: 'note.add',
      object_type: 'note',
      object_id: 7,
      before: { total: 0 },
      after: { total: 3 },
      reason: '补录',
      result: 'ok',
      trace_id: done.headers['x-request-id'],
    })
  })
  it('keeps refused and failed writes, whose change is rolled back', async () => {
    const one = await all()
    for (const [why, status, result] of [
      ['rule', 422, 'refused'],
      ['stale', 409, 'refused'],
      ['crash', 500, 'failed'],
    ] as const) {
      const answered = await send(app, note.add, { by: 3, why }, { token: one.token })
      expect(answered.status).toBe(status)
      expect(await lastLog(one.id)).toMatchObject({
        action: 'note.add',
        result,
        error: answered.message,
      })
      expect(
        await database.db
          .select()
          .from(setting)
          .where(eq(setting.key, `n${one.id}`)),
      ).toEqual([])
    }
    const refusal = await send(
      app,
      note.add,
      { by: 3, why: 'rule' },
      { token: one.token, lang: 'en' },
    )
    expect(refusal).toMatchObject({ message: 'Too many', data: { rule: 'too_many' } })
    expect((await send(app, note.add, { by: 3, why: 'stale' }, { token: one.token })).data).toEqual(
      { rule: 'stale', current: { n: 1 } },
    )
  })
  it('has a line for the batch and one for each row; one for a handler that says nothing; none for quiet calls', async () => {
    const one = await all()
    await send(
      app,
      note.many,
      { tasks: [{ id: 1 }, { id: 2 }], password: 'CANARY-password' },
      { token: one.token },
    )
    const lines = await database.db
      .select()
      .from(op_log)
      .where(eq(op_log.admin_id, one.id))
      .orderBy(op_log.id)
    expect(
      lines.map(line => [line.object_type, line.object_id, line.result, line.batch_id]),
    ).toEqual([
      ['batch', null, 'ok', null],
      ['note', 1, 'ok', lines[0]!.id],
      ['note', 2, 'refused', lines[0]!.id],
    ])
    expect(lines[0]).toMatchObject({ object_label: '1/2', after: { password: '***' } })
    await send(app, note.many, { tasks: [{ id: 9 }] }, { token: one.token })
    expect(await lastLog(one.id)).toMatchObject({
      object_type: 'note',
      after: { tasks: [{ id: 9 }] },
    })
    const before = await database.db.$count(op_log)
    await send(app, note.beat, {}, { token: one.token })
    expect(await database.db.$count(op_log)).toBe(before)
  })
})

describe('a key', () => {
  it('answers the first result again, from header or body, whatever the order of fields', async () => {
    const one = await all()
    const first = await send(
      app,
      note.add,
      { by: 2, reason: 'r' },
      { token: one.token, key: 'key-00000001' },
    )
    const again = await send(
      app,
      note.add,
      { reason: 'r', by: 2 },
      { token: one.token, key: 'key-00000001' },
    )
    expect(again.data).toEqual(first.data)
    expect(
      (
        await send(
          app,
          note.add,
          { by: 2, reason: 'r', request_id: 'key-00000001' },
          { token: one.token },
        )
      ).data,
    ).toEqual(first.data)
    expect(await database.db.select().from(op_log).where(eq(op_log.admin_id, one.id))).toHaveLength(
      1,
    )
  })
  it('with another body is refused; of another person it is another key; rubbish is no key', async () => {
    const [one, two] = [await all(), await all()]
    await send(app, note.add, { by: 2 }, { token: one.token, key: 'key-00000001' })
    expect(
      await send(app, note.add, { by: 3 }, { token: one.token, key: 'key-00000001' }),
    ).toMatchObject({ status: 422, data: { rule: 'key_reused' } })
    expect(
      await send(app, note.many, { tasks: [{ id: 1 }] }, { token: one.token, key: 'key-00000001' }),
    ).toMatchObject({ status: 422 })
    expect(
      (await send(app, note.add, { by: 3 }, { token: two.token, key: 'key-00000001' })).data.total,
    ).toBe(3)
    for (const key of ['short', 'x'.repeat(256), 'with space 12'])
      expect((await send(app, note.add, { by: 3 }, { token: one.token, key })).status).toBe(400)
  })
  it('does not keep refusals', async () => {
    const one = await all()
    let refuse = true
    holder.onAdd = () => {
      if (refuse) throw ruled('not_now', ['现在不行', 'Not now'])
    }
    expect(
      (await send(app, note.add, { by: 1 }, { token: one.token, key: 'key-00000001' })).status,
    ).toBe(422)
    refuse = false
    expect(
      (await send(app, note.add, { by: 1 }, { token: one.token, key: 'key-00000001' })).data.total,
    ).toBe(1)
    delete holder.onAdd
  })
  it('sent forty times at once has one effect and forty identical answers', async () => {
    const one = await all()
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        send(app, note.add, { by: 1 }, { token: one.token, key: 'key-00000001' }),
      ),
    )
    expect(answers.map(answer => answer.status)).toEqual(Array.from({ length: 40 }, () => 200))
    expect(new Set(answers.map(answer => JSON.stringify(answer.data))).size).toBe(1)
    expect(answers[0]!.data.total).toBe(1)
    expect(await database.db.select().from(op_log).where(eq(op_log.admin_id, one.id))).toHaveLength(
      1,
    )
    // The red twin: without a key each has its effect.
    const without = await Promise.all(
      Array.from({ length: 5 }, () => send(app, note.add, { by: 1 }, { token: one.token })),
    )
    expect(Math.max(...without.map(answer => answer.data.total))).toBe(6)
  })
  it('is free again after 24 hours', async () => {
    const one = await all()
    await send(app, note.add, { by: 1 }, { token: one.token, key: 'key-00000001' })
    await database.db
      .update(idempotency)
      .set({ expires_at: sql`expires_at - 86401` })
      .where(eq(idempotency.admin_id, one.id))
    expect(
      (await send(app, note.add, { by: 5 }, { token: one.token, key: 'key-00000001' })).data.total,
    ).toBe(6)
  })
})

describe('what leaves', () => {
  it('is what the contract names, by the field rules of the person: the most generous of their roles', async () => {
    await database.db.insert(field_key).values([
      {
        key: 'test.phone',
        title: '手机',
        entity: 'test',
        mask_rule: 'phone',
        default_mode: 'mask',
      },
      {
        key: 'test.cost',
        title: '成本',
        entity: 'test',
        mask_rule: 'amount',
        default_mode: 'hide',
      },
    ])
    const seen = async (rules: object, more: number[] = []) => {
      const one = await addStaff(database, {
        perms: ['note.*'],
        role: { field_rules: rules as never },
      })
      if (more.length > 0)
        await database.db.execute(
          sql`update admin set role_ids = role_ids || ${JSON.stringify(more)}::jsonb where id = ${one.id}`,
        )
      const { data } = await send(app, note.lst, {}, { token: one.token })
      // The same rule wherever it stands: in a list, in a record, in a union.
      expect(data.by.x).toEqual(data.list[0])
      expect(data.first).toEqual(data.list[0])
      return data.list[0]
    }
    expect(await seen({})).toEqual({ name: '张三', phone: '138****5678' })
    expect(await seen({ 'test.phone': 'hide', 'test.cost': 'mask' })).toEqual({ name: '张三' })
    expect(await seen({ 'test.phone': 'show', 'test.cost': 'show' })).toEqual({
      name: '张三',
      phone: '13812345678',
      cost_cents: 5,
    })
    const generous = await database.db
      .insert(role)
      .values({ name: 'generous', code: 'generous', field_rules: { 'test.cost': 'show' } })
      .returning()
    expect(await seen({ 'test.phone': 'hide' }, [generous[0]!.id])).toEqual({
      name: '张三',
      cost_cents: 5,
    })
  })
  it('never tells of our insides, neither to the caller nor to the log', async () => {
    const one = await all()
    const answers = [
      await send(app, note.add, { by: 1, why: 'crash' }, { token: one.token }),
      await send(app, note.wrongOutput, {}, { token: one.token }),
      await send(app, note.fault, { code: 'syntax' }, { token: one.token }),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({
        http: 500,
        status: 500,
        data: { request_id: answer.headers['x-request-id'] },
      })
      expect(answer.message).toContain(answer.data.request_id)
      expect(answer.text).not.toMatch(/CANARY|select|nowhere|\.ts/)
    }
    const log = said.join('')
    expect(log).toContain(answers[2]!.data.request_id)
    expect(log).toContain('42P01')
    expect(log).not.toMatch(/CANARY-(param|output|password)/)
    expect(log).not.toContain(one.token)
  })
  it('says what a database fault means, and when to come back', async () => {
    const { token } = await all()
    expect(await send(app, note.fault, { code: 'down' }, { token })).toMatchObject({
      http: 503,
      message: expect.stringContaining('没有生效'),
      headers: { 'retry-after': '3' },
    })
    expect(await send(app, note.fault, { code: 'unknown' }, { token })).toMatchObject({
      http: 503,
      message: expect.stringContaining('不能确定'),
      data: { rule: 'unknown' },
    })
    expect(await send(app, note.fault, { code: 'full' }, { token })).toMatchObject({
      http: 503,
      data: { rule: 'disk_full' },
    })
    expect((await send(app, note.fault, { code: 'nul' }, { token })).status).toBe(400)
    expect((await send(app, note.fault, { code: 'none' }, { token })).status).toBe(404)
  })
  it('says what time the server has, refused or not', async () => {
    const before = Date.now()
    for (const url of ['/healthz', '/api/manageback/session/me', '/api/nowhere']) {
      const { headers } = await raw({ method: 'GET', url })
      expect(Number(headers['server-time'])).toBeGreaterThanOrEqual(before)
      expect(Number(headers['server-time'])).toBeLessThanOrEqual(Date.now())
    }
  })
  it('carries the security headers, and no leave for inline scripts', async () => {
    const { headers } = await raw({
      method: 'GET',
      url: '/api/docs',
      headers: { accept: 'text/html' },
    })
    const csp = String(headers['content-security-policy'])
    expect(csp).toContain("script-src 'self'")
    expect(csp).toContain("frame-ancestors 'none'")
    expect(/script-src[^;]*unsafe/.test(csp)).toBe(false)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })
})

describe('change events', () => {
  it('are told after the commit, with all that changed, and not after a refusal', async () => {
    const one = await all()
    const heard: string[] = []
    const stop = app.events.listen(event => {
      if (event.event === 'change') heard.push(event.data)
    })
    await send(app, note.many, { tasks: [{ id: 1 }] }, { token: one.token })
    await send(app, note.add, { by: 1, why: 'rule' }, { token: one.token })
    stop()
    expect(heard.map(data => JSON.parse(data))).toEqual([{ tags: ['note', 'other'], by: one.id }])
  })
  it('come before what runs after the commit, whose failure is not the call’s', async () => {
    const one = await all()
    const order: string[] = []
    const stop = app.events.listen(() => void order.push('event'))
    holder.onAdd = ({ afterCommit }) => {
      afterCommit(() => {
        order.push('after')
        throw new Error('too late to matter')
      })
      order.push('handler')
    }
    expect((await send(app, note.add, { by: 1 }, { token: one.token })).status).toBe(200)
    delete holder.onAdd
    stop()
    expect(order).toEqual(['handler', 'event', 'after'])
  })
})

onlyOn('postgres')('a right taken away during the call', () => {
  it('waits for the write, or wins: no write commits after it', async () => {
    const one = await all()
    let open!: () => void
    const entered = new Promise<void>(resolve => {
      holder.entered = resolve
    })
    holder.wait = new Promise<void>(resolve => {
      open = resolve
    })
    const order: string[] = []
    const call = send(app, note.gate, {}, { token: one.token }).then(answer => {
      order.push(`write ${answer.status}`)
    })
    await entered
    const revoke = database.db
      .update(role)
      .set({ perms: [] })
      .where(eq(role.id, one.role_id))
      .then(() => {
        order.push('revoke')
      })
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(order).toEqual([])
    open()
    await Promise.all([call, revoke])
    expect(await lastLog(one.id)).toMatchObject({ result: 'ok', action: 'note.gate' })
    expect((await send(app, note.gate, {}, { token: one.token })).status).toBe(403)
  })
})
