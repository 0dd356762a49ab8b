import { expect, test } from 'vitest'
import { claimableQueues } from '#commands/pages/audit.ts'
import { moodOf } from '#src/modules/home/parts/Money.tsx'
import { stepsOf } from '#src/modules/home/parts/Newcomer.tsx'
import { leadOf, rowsOf } from '#src/modules/home/parts/plan.ts'

const can =
  (...permits: string[]) =>
  (permit: string) =>
    permits.includes(permit)

test('what a home is about follows from rights alone', () => {
  expect(leadOf(() => true)).toBe('house')
  expect(leadOf(can('audit.look.figures.view', 'audit.bulks.claimNext'))).toBe('supervisor')
  expect(leadOf(can('audit.bulks.claimNext', 'audit.bulks.view'))).toBe('auditor')
  expect(leadOf(can('order.eRefund.view', 'order.eRefund.claim'))).toBe('service')
  expect(leadOf(can('audit.bulks.view', 'order.eRefund.view'))).toBe('newcomer')
})
test('a queue that one may claim from but not see is none to claim from', () => {
  expect(claimableQueues(can('audit.bulks.claimNext'))).toEqual([])
})
test('a home has only the parts that one may see, and wide ones stand by themselves', () => {
  expect(rowsOf(() => true)).toEqual([['figures'], ['hours', 'alarms'], ['todos'], ['supervision']])
  expect(rowsOf(can('audit.bulks.claimNext', 'audit.bulks.view'))).toEqual([['queue'], ['todos']])
  expect(
    rowsOf(can('order.eRefund.view', 'order.eRefund.claim', 'system.warning.logs.view')),
  ).toEqual([['service'], ['todos'], ['alarms']])
  expect(rowsOf(can())).toEqual([['todos']])
})
test('more of what is bad is never good', () => {
  expect([moodOf(5, false), moodOf(-5, false), moodOf(0, true)]).toEqual(['good', 'bad', 'even'])
  expect([moodOf(5, true), moodOf(-5, true)]).toEqual(['bad', 'good'])
})
test('the steps into practice have the progress of the round, and keep that of earlier ones', () => {
  const mine = {
    round: 1,
    size: 8,
    decided: 3,
    right: 2,
    seconds_each: null,
    by_keys: 0,
    lessons: [],
    last: null,
    rounds_done: 0,
    best: null as number | null,
    decided_real: false,
    finished_at: null,
  }
  const far = (of: Partial<typeof mine>) =>
    stepsOf({ ...mine, ...of }).map(step => `${step.done}/${step.of}`)
  expect(far({ decided: 0, right: 0 })).toEqual(['0/1', '0/8', '0/6'])
  expect(far({})).toEqual(['1/1', '3/8', '2/6'])
  expect(far({ round: 2, decided: 0, right: 0, rounds_done: 1, best: 5 })).toEqual([
    '1/1',
    '8/8',
    '5/6',
  ])
  expect(far({ rounds_done: 1, best: 7 })).toEqual(['1/1', '8/8', '6/6'])
})
