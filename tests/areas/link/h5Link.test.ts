import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  BATCH_ROWS_MAX,
  batchFault,
  batchRows,
  channelFault,
  expiryFault,
  h5Can,
  h5State,
  renewsItself,
} from '#src/areas/link/h5Link.ts'

const DAY = 86_400
it('a link is over when its time has passed, but stopped stays stopped', () =>
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(1000), (expire_at, now) => {
      expect(h5State({ status: 'on', expire_at }, now)).toBe(expire_at <= now ? 'expired' : 'on')
      expect(h5State({ status: 'stopped', expire_at }, now)).toBe('stopped')
    }),
  ))
it('only what is on is stopped, only what is not stopped is renewed', () => {
  const states = ['on', 'expired', 'stopped'] as const
  expect(states.filter(state => h5Can('stop', state) === true)).toEqual(['on'])
  expect(states.filter(state => h5Can('renew', state) === true)).toEqual(['on', 'expired'])
})
it('channels are lower-case words', () =>
  expect(
    ['sms_0618', 'a1', 'A1', '1a', 'a', 'a-b', 'a'.repeat(33)].map(
      one => channelFault(one) === undefined,
    ),
  ).toEqual([true, true, false, false, false, false, false]))
it('a link ends after now and within two years', () =>
  expect(
    [0, 1, 700 * DAY, 800 * DAY].map(s => expiryFault(1_000_000 + s, 1_000_000) === undefined),
  ).toEqual([false, true, true, false]))
it('only links into WeChat that live longer than its own are renewed', () =>
  expect([
    renewsItself({ type: 'page', created_at: 0, expire_at: 31 * DAY }, 30),
    renewsItself({ type: 'page', created_at: 0, expire_at: 30 * DAY }, 30),
    renewsItself({ type: 'h5', created_at: 0, expire_at: 99 * DAY }, 30),
  ]).toEqual([true, false, false]))
it('a table is read by commas or tabs, without its head line, each line by its number', () => {
  const read = batchRows(
    '\ufeff名称,链接编号,参数,渠道,到期日\n\n甲,12,id=17 from=x,sms_1,2027-06-30\r\n乙\t13\t\tsms_2\t2027-07-01',
  )
  expect(read).toEqual({
    rows: [
      {
        line: 3,
        name: '甲',
        page_link_id: 12,
        params: { id: 17, from: 'x' },
        channel: 'sms_1',
        expire_at: 1_814_371_199,
      },
      {
        line: 4,
        name: '乙',
        page_link_id: 13,
        params: {},
        channel: 'sms_2',
        expire_at: 1_814_457_599,
      },
    ],
  })
})
it.each([
  '甲,x,,sms_1,2027-06-30',
  '甲,12,,SMS,2027-06-30',
  '甲,12,,sms_1,30/6/2027',
  ',12,,sms_1,2027-06-30',
  '甲,12,,sms_1,2027-06-30,多',
])('a line that can’t be read is named: %s', line =>
  expect(batchRows(`头,12,,sms_0,2027-06-30\n${line}`)).toEqual({ bad: line }),
)
it('a table is refused as a whole for a line that can’t be read, for no line and for too many', () => {
  const lines = (n: number) =>
    Array.from({ length: n }, (_, at) => `批 ${at},12,,sms_1,2027-06-30`).join('\n')
  expect(
    [
      '乱七八糟\n乱七八糟',
      '名称,链接编号,参数,渠道,到期日',
      lines(BATCH_ROWS_MAX),
      lines(BATCH_ROWS_MAX + 1),
    ].map(table => batchFault(batchRows(table))?.[0]),
  ).toEqual([
    '无法识别这一行：乱七八糟',
    '没有数据行',
    undefined,
    '共 50001 行，一次最多 50000 行，请拆分后分批提交',
  ])
})
