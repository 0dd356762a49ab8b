import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { joined, saidIn } from '#src/domain/text.ts'
import { parseInput } from '#src/server/call/parse.ts'
import { refused } from '#src/server/call/pipeline.ts'
import { conflict, forbidden, invalid, missing, ruled } from '#src/server/call/refuse.ts'

const han = /[\u4e00-\u9fff]/
/** Chinese and English in one string, the one behind the other. */
const both = /[\u4e00-\u9fff][^'"`\n]* \/ (?!\{)[A-Za-z]{2,}/
const log = { error: () => undefined } as never
const said = (error: unknown, lang: 'zh' | 'en') =>
  refused({ log }, error, { request_id: 'r1', lang }).envelope as {
    message: string
    data: { fields?: Record<string, string> } | null
  }

it('a fault of a field is said in the language of whoever reads it, wherever it was found', () => {
  const refusal = invalid({ city: ['城市不存在', 'No such city'], plain: 'x' })
  expect(said(refusal, 'zh').data!.fields).toEqual({ city: '城市不存在', plain: 'x' })
  expect(said(refusal, 'en').data!.fields).toEqual({ city: 'No such city', plain: 'x' })
})
it('so is one of a schema, by a rule of its own or by a form', () => {
  const schema = z.object({
    a: z.string().refine(() => false, { message: joined(['甲', 'One']) }),
    b: z.string().regex(/^x$/, { message: joined(['乙', 'Two']) }),
    c: z.array(z.int()).min(1, { message: joined(['丙', 'Three']) }),
    d: z.string().regex(/^x$/),
  })
  const fields = (lang: 'zh' | 'en') =>
    (parseInput(schema, { a: '', b: '', c: [], d: '' }, lang) as { fields: object }).fields
  expect(fields('zh')).toMatchObject({ a: '甲', b: '乙', c: '丙', d: '格式不正确' })
  expect(fields('en')).toMatchObject({ a: 'One', b: 'Two', c: 'Three', d: 'Wrong form' })
})
it('every kind of refusal is said in both', () => {
  for (const one of [
    missing(),
    forbidden(),
    invalid({}),
    conflict(['旧', 'Old']),
    ruled('x', ['不行', 'No']),
    new Error('ours'),
    Object.assign(new Error('db'), { code: '22021' }),
    Object.assign(new Error('db'), { code: '23505' }),
    Object.assign(new Error('db'), { code: '53100' }),
  ]) {
    const [zh, en] = [said(one, 'zh'), said(one, 'en')]
    expect(zh.message).toMatch(han)
    expect(JSON.stringify([en.message, en.data])).not.toMatch(han)
    for (const fault of Object.values(zh.data?.fields ?? {})) expect(fault).toMatch(han)
  }
})
it('no text of the source is in two languages at once', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    // The steps of making the demo are told by a server that knows no reader yet.
    .filter(name => /\.tsx?$/.test(name) && !/\.demo\.ts$|^server\/demo\//.test(name))
  expect(files.length).toBeGreaterThan(500)
  const found = files.flatMap(name =>
    readFileSync(join('src', name), 'utf8')
      .split('\n')
      .filter(line => both.test(line.replace(/\/\/.*|^\s*\*.*/, '')))
      .map(line => `${name}: ${line.trim()}`),
  )
  expect(found).toEqual([])
  expect(both.test("'城市不存在 / no such city'")).toBe(true)
  expect(saidIn('一 / two', 'en')).toBe('一 / two')
})
