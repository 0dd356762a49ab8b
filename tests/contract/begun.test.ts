import { expect, test } from 'vitest'
import { fitting } from '#src/contract/query.ts'
import { bulks } from '#src/modules/order/contract/bulks.ts'
import { bulksVerify } from '#src/modules/order/contract/verify.ts'
import { history } from '#src/modules/system/contract/history.ts'
import { parseInput } from '#src/server/call/parse.ts'

const faults = (call: { input: Parameters<typeof parseInput>[0] }, input: object) => {
  const parsed = parseInput(call.input, input, 'zh')
  return 'fields' in parsed ? parsed.fields : undefined
}
const at = 1_795_000_000

test.each([
  ['a list', bulks.lst],
  ['its counts', bulks.counts],
  ['its file', bulks.export],
  ['redemptions', bulksVerify.lst],
  ['their sums', bulksVerify.sums],
  ['their file', bulksVerify.export],
])('an end without a beginning is refused at the field of the beginning: %s', (_, call) => {
  expect(faults(call, { to: at })).toEqual({ from: '请同时填写开始时间' })
  expect([
    faults(call, { from: at - 60, to: at }),
    faults(call, { from: at }),
    faults(call, {}),
  ]).toEqual([undefined, undefined, undefined])
})
test('of two periods each has its own', () => {
  expect(faults(bulks.lst, { to: at, paid_to: at })).toEqual({
    from: '请同时填写开始时间',
    paid_from: '请同时填写开始时间',
  })
})
test('an address of before that names an end alone is read without it', () => {
  expect(fitting(bulks.lst.input, { q: '138', to: at, paid_to: at, from: undefined })).toEqual({
    q: '138',
    from: undefined,
  })
  expect(fitting(bulks.lst.input, { q: '138', from: at - 60, to: at })).toEqual({
    q: '138',
    from: at - 60,
    to: at,
  })
})
test('pages of clicks are of 20 unless asked otherwise', () =>
  expect(history.lstClickLog.input.parse({})).toMatchObject({ page: 1, pageSize: 20 }))
