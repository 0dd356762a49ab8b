import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkDigitOf } from '#src/areas/code/code.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { field_key } from '#src/areas/people/people.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { bulks } from '#src/modules/order/contract/bulks.ts'
import { elist } from '#src/modules/order/contract/elist.ts'
import { risk } from '#src/modules/system/contract/risk.ts'
import { verify } from '#src/modules/system/contract/verify.ts'
import { FINDS_A_DAY } from '#src/server/call/finds.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from '../help/app.ts'
import { inputsOf } from '../help/leaks.ts'

const PHONE = '19912345678'
const CODE_BODY = '88123456789'
const CODE = `${CODE_BODY}${checkDigitOf(CODE_BODY)}`
const ORDER = 9_000_001

let database: Database
let app: App
let blind: Awaited<ReturnType<typeof addStaff>>
let seeing: typeof blind
/** A row like another one of its table, but for these columns. */
const plant = async (table: string, more: object, where = 'true') => {
  const { rows } = await database.db.execute<{ name: string }>(
    sql`select column_name "name" from information_schema.columns where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`,
  )
  const columns = sql.join(
    rows.map(({ name }) => sql.identifier(name)),
    sql`, `,
  )
  await database.db.execute(sql`insert into ${sql.identifier(table)} (${columns})
    select ${columns} from (select (jsonb_populate_record(null::${sql.identifier(table)}, to_jsonb(t) || ${JSON.stringify(more)}::jsonb)).*
    from ${sql.identifier(table)} t where ${sql.raw(where)} order by t.id limit 1) one`)
}
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  const keys = await database.db.select({ key: field_key.key }).from(field_key)
  const field_rules = Object.fromEntries(keys.map(one => [one.key, 'mask' as const]))
  blind = await addStaff(database, { perms: ['*'], role: { field_rules } })
  seeing = await addStaff(database, {
    perms: ['*'],
    role: { field_rules: Object.fromEntries(keys.map(one => [one.key, 'show' as const])) },
  })
  const at = unixNow() - 3600
  await plant('member', { id: ORDER, uid: 'U9000001', phone: PHONE })
  const receiver = { name: '收', phone: PHONE, area: '上海市 静安区', address: '某路 1 号' }
  const order = { id: ORDER, order_no: 'EL202611250000000001', member_id: ORDER, receiver }
  await plant('order', { ...order, created_at: at }, `kind = 'elist' and receiver is not null`)
  const code = { id: ORDER, code: CODE, order_id: ORDER, ordered_at: at }
  await plant('order_code', code, `kind = 'bulks'`)
  await plant('verifier', { id: ORDER, phone: PHONE })
  await plant('store', { id: ORDER, store_no: 'S9000001', name: '藏', phone: PHONE })
  await plant('merchant', {
    id: ORDER,
    merchant_no: 'M9000001',
    name: '藏商户',
    license_no: 'X9000001',
    contact_phone: PHONE,
  })
  await addStaff(database, { staff: { phone: PHONE } })
})
const ask = (call: Call, input: object, who = blind) => send(app, call, input, { token: who.token })
const found = (data: { list?: { id: number }[] } | null) => data?.list?.map(one => one.id)

/** Calls that draw or repeat their text, and find no row. */
const echoes = ['getQrImg', 'getMpImg', 'system/menuKey/testMask', 'system/share/preview']
const reads: Call[] = implementations
  .flatMap(module => Object.values(module.calls as Record<string, Call>))
  .filter(call => call.kind === 'read' && call.permit !== 'public')
  .filter(call => !echoes.includes(call.path))
type Schema = { _zod: { def: { type: string; innerType?: Schema } } }
const plainOf = (schema: Schema): string =>
  schema._zod.def.innerType ? plainOf(schema._zod.def.innerType) : schema._zod.def.type
/** Every call and field that takes a text. */
const texts = reads.flatMap(call =>
  Object.entries((call.input as { shape?: Record<string, unknown> }).shape ?? {})
    .filter(([, schema]) => plainOf(schema as Schema) === 'string')
    .map(([field]) => ({ call, field })),
)
/** Each part of what is hidden, beside one of the same form that nobody has. */
const parts: readonly (readonly [hidden: string, nobodys: string])[] = [
  ['1991234', '1998765'],
  ['1991234567', '1998765432'],
  ['912345678', '998765432'],
  ['5678', '4321'],
  ['尾号 5678', '尾号 4321'],
  ['199****5678', '199****4321'],
  [`${PHONE},19900000001`, '19987654321,19900000001'],
  [`${PHONE}\n19900000001`, '19987654321\n19900000001'],
  [CODE.slice(0, 11), '88765432111'],
  [CODE.slice(4), '76543211'],
  [`${CODE}\n881111111118`, `887654321110\n881111111118`],
]
const told = async (call: Call, input: object) => {
  const { status, data } = await ask(call, input)
  const what = data && 'total' in data ? [data.total, found(data)] : data
  const said = JSON.stringify([status, status === 200 ? what : (data?.rule ?? null)])
  // A period that ends now may end a second later when it is asked for again.
  return said.replaceAll(/\b1[78]\d{8}\b/g, 'now')
}

/** An answer without what was typed, which it may quote as one line. */
const without = (said: string, typed: string) =>
  said.replaceAll(typed, '').replaceAll(typed.replaceAll('\n', ' '), '')

describe('to who may not see a field', () => {
  it('no list finds a row by a part of it, nor by many at once', async () => {
    expect(texts.length).toBeGreaterThan(100)
    const leaks: string[] = []
    for (const { call, field } of texts) {
      const [input] = inputsOf(call, { ids: {}, given: { order_id: ORDER }, more: 0 })
      for (const [hidden, nobodys] of parts) {
        const of = { ...(input as object) }
        const [a, b] = [
          await told(call, { ...of, [field]: hidden }),
          await told(call, { ...of, [field]: nobodys }),
        ]
        if (without(a, hidden) !== without(b, nobodys))
          leaks.push(`${call.path} ${field}=${hidden}: ${a.slice(0, 80)} / ${b.slice(0, 80)}`)
      }
    }
    expect(leaks).toEqual([])
  }, 600_000)
  it('a whole number finds its row, and is counted and logged once a day', async () => {
    for (const q of [PHONE, '+86 199 1234 5678', PHONE])
      expect(found((await ask(elist.lst, { q })).data)).toContain(ORDER)
    expect((await ask(elist.counts, { q: PHONE })).status).toBe(200)
    const lines = await database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.admin_id, blind.id), eq(op_log.action, 'find')))
    const own = lines.filter(one => one.object_label === '199****5678')
    expect(own.map(one => (one.after as { field: string }).field)).toEqual(['member.phone'])
    expect(JSON.stringify(lines)).not.toContain(PHONE)
  })
  it('says why a part or several are refused', async () => {
    const rule = async (call: Call, input: object) => (await ask(call, input)).data?.rule as unknown
    expect(await rule(elist.lst, { q: '尾号 5678' })).toBe('whole_number')
    expect(await rule(elist.export, { q: `${PHONE}\n19900000001` })).toBe('one_number')
    expect(await rule(risk.lst, { keyword: `${PHONE},19900000001` })).toBe('one_number')
  })
  it('finds by so many different numbers a day, and by those again', async () => {
    const person = await addStaff(database, {
      perms: ['*'],
      role: { field_rules: { 'member.phone': 'hide', 'admin.phone': 'mask' } },
    })
    const rule = async (q: string) => (await ask(bulks.lst, { q }, person)).data?.rule as unknown
    expect(await rule(PHONE)).toBeUndefined()
    await database.db.insert(op_log).values(
      Array.from({ length: FINDS_A_DAY - 1 }, (_, n) => ({
        admin_id: person.id,
        admin_name: 'x',
        module: 'order',
        action: 'find',
        object_type: 'field_key',
        object_id: null,
        object_label: 'x',
        after: { field: 'member.phone', mark: `m${n}` },
        result: 'ok' as const,
      })),
    )
    expect(await rule('19900000002')).toBe('find_quota')
    expect(await rule(PHONE)).toBeUndefined()
    // Another call by which something hidden is found counts among the same.
    expect((await ask(verify.lst, { keyword: '19900000003' }, person)).data.rule).toBe('find_quota')
  })
})

describe('to who may see it', () => {
  it('a part finds as before, and nothing is counted', async () => {
    for (const q of ['5678', '尾号 5678', `${PHONE}\n19900000001`])
      expect(found((await ask(elist.lst, { q }, seeing)).data), q).toContain(ORDER)
    expect(
      await database.db
        .select()
        .from(op_log)
        .where(and(eq(op_log.admin_id, seeing.id), eq(op_log.action, 'find'))),
    ).toEqual([])
  })
})
