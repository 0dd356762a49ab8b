import { z } from 'zod'
import { read, write } from '#src/contract/call.ts'
import { listOf } from '#src/contract/shapes.ts'
import type { ChangesTimes, TellsTimes } from '#src/kit/times-dialogs.tsx'
import { here } from './actions.ts'
import { longNames, rows, type Row } from './rows.ts'

/** What stands in for the server: each call of the gallery is answered in one way. */
type Answer = { status: number; message?: string; data?: unknown }
type Told = Answer | 'never' | 'lost'

const scope = { none: 'The gallery has no server' } as const
const listInput = z.object({
  page: z.int().default(1),
  pageSize: z.int().default(50),
  keyword: z.string().optional(),
  sort: z.string().optional(),
  city_id: z.int().optional(),
  mid: z.int().optional(),
  state: z.string().optional(),
  from: z.int().optional(),
  to: z.int().optional(),
  only: z.boolean().optional(),
})
const row = z.custom<Row>()
/** A list that is answered as its name says. */
const listing = (state: string) =>
  read(`gallery/list/${state}`, ['列表', 'List'], {
    input: listInput,
    output: listOf(row),
    touches: [],
    permit: 'signed-in',
    scope,
  })
export const lists = {
  full: listing('full'),
  long: listing('long'),
  empty: listing('empty'),
  loading: listing('loading'),
  failing: listing('failing'),
  denied: listing('denied'),
  lost: listing('lost'),
}
/** The trial of a change of times, and the log of such changes; one that has none. */
export const trial: ChangesTimes = write('gallery/times/change', ['改时间', 'Times'], {
  input: z.object({}),
  output: z.any(),
  touches: [],
  permit: 'signed-in',
  scope,
})
const logsIn = (state: string): TellsTimes =>
  read(`gallery/times/${state}`, ['改时间记录', 'Changes of times'], {
    input: z.object({}),
    output: z.any(),
    touches: [],
    permit: 'signed-in',
    scope,
  })
export const timeLogs = { full: logsIn('full'), empty: logsIn('empty'), failing: logsIn('failing') }

const ok = (data: unknown): Answer => ({ status: 200, data })
const listed = (list: readonly Row[]) => ok({ list, total: list.length, stat: {} })
const busy: Answer = { status: 500, message: '服务器忙，请稍后再试' }
const span = {
  sale_start_at: 1_795_000_000,
  sale_end_at: 1_797_000_000,
  check_start_at: 1_795_000_000,
  check_end_at: 1_799_000_000,
}
const product = (product_id: number, ok: boolean) => ({
  product_id,
  title: longNames[product_id % longNames.length],
  version: 1,
  ok,
  ...(!ok && { fail_reason: 'ended' }),
  before: span,
  after: { ...span, sale_end_at: 1_798_000_000 },
})
const batch = {
  id: 1,
  batch_no: 'T20261120001',
  operator_name: '欧阳司徒慕容婉清',
  reason: '节假日延长',
  ok_count: 12,
  fail_count: 1,
  status: 'done',
  created_at: 1_795_600_000,
  undo_until_at: 1_999_999_999,
  items: [product(1, true), product(2, false)],
}
const answers: Readonly<Record<string, Told>> = {
  'gallery/list/full': listed(rows),
  'gallery/list/long': listed(rows.map((one, at) => ({ ...one, name: longNames[at % 3]! }))),
  'gallery/list/empty': listed([]),
  'gallery/list/loading': 'never',
  'gallery/list/failing': busy,
  'gallery/list/denied': { status: 403, message: '没有权限' },
  'gallery/list/lost': 'lost',
  'gallery/times/change': ok({
    dry_run: true,
    ok_count: 1,
    fail_count: 1,
    rows: [product(1, true), product(2, false)],
  }),
  'gallery/times/full': ok({ list: [batch], total: 1 }),
  'gallery/times/empty': ok({ list: [], total: 0 }),
  'gallery/times/failing': busy,
  'views/lst': ok([
    {
      id: 1,
      version: 1,
      page: here.path,
      name: '今天要处理的',
      pinyin: 'jintian',
      search: 'state=on',
      look: null,
      share: 'mine',
      mine: true,
      owner: '周',
      audience: '',
      role_id: null,
      is_default: false,
    },
  ]),
  'city/list': ok([
    { id: 1, city_name: '长春' },
    { id: 2, city_name: '呼伦贝尔' },
  ]),
  'place/regions': ok({
    list: [
      { code: '330000', name: '浙江省', words: '浙江省', leaf: false },
      { code: '330106', name: '西湖区', words: '浙江省杭州市西湖区', leaf: true },
      {
        code: '530926',
        name: '双江拉祜族佤族布朗族傣族自治县',
        words: '云南省临沧市双江拉祜族佤族布朗族傣族自治县',
        leaf: true,
      },
    ],
  }),
  'session/map': ok(null),
}
const malls = ok({
  list: [{ mid: 1, name: longNames[0], city_id: 1, city_name: '长春' }],
  total: 1,
})
const answerOf = (url: string): Told => {
  const path = url.replace(/^.*?\/api\/(?:manageback\/)?/, '').replace(/\?.*$/, '')
  return answers[path] ?? (path.includes('mall') ? malls : { status: 404, message: '没有这个接口' })
}
/** In the place of `fetch`: nothing in the gallery leaves the browser. */
export const answering = (url: unknown): Promise<Response> => {
  const told = answerOf(String(url))
  if (told === 'never') return new Promise(() => {})
  if (told === 'lost') return Promise.reject(new TypeError('Failed to fetch'))
  return Promise.resolve(new Response(JSON.stringify(told)))
}
