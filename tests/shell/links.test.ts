// It is @drawn: it asks the window which pane it was popped from.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Desk } from '#src/shell/desk.ts'
import { followBeside, linkPanes } from '#src/shell/panes/links.ts'
import { revive, workspace } from '#src/shell/panes/workspace.ts'
import { makeStore, type Store } from '#src/shell/store.ts'

const can = vi.fn((_: string) => true)
let store: Store
let desk: Desk
let stop: () => void
beforeEach(() => {
  vi.useFakeTimers()
  can.mockReturnValue(true)
  store = makeStore()
  desk = new Desk(store, { id: 2, name: '周晓敏', account: 'service', can })
  store.dispatch(workspace.went({ pane: 'p1', at: '/manage/order/bulks' }))
  stop = linkPanes(store, desk)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})
/** The list in the pane shows these rows as its focus or selection, for as long as an eye rests. */
const looksAt = (pane: string, ...rows: object[]) => {
  desk.stage(pane).subject = { rows }
  vi.advanceTimersByTime(100)
}
const at = (pane: string) => desk.pane(pane)?.at
const front = (pane: string) => {
  store.dispatch(workspace.focused(pane))
  vi.advanceTimersByTime(100)
}
const order = (id: number, kind = 'bulks') => ({ id, kind })
const opened = () => {
  looksAt('p1', order(7))
  followBeside(store.dispatch, desk)
  vi.advanceTimersByTime(100)
}

test('the page of a row opens beside its list and follows it, whatever kind of order comes; the focus stays in the list', () => {
  opened()
  expect([
    at('p2'),
    desk.workspace.focused,
    desk.pane('p1')!.channel,
    desk.pane('p2')!.channel,
  ]).toEqual(['/manage/order/bulks/detail?id=7', 'p1', 1, 1])
  looksAt('p1', order(9, 'elist'))
  expect(at('p2')).toBe('/manage/order/elist/Detail?id=9')
  expect(desk.pane('p2')!.back).toEqual([])
})
test('rows that are only run over are not followed, nor are several at once', () => {
  opened()
  for (const id of [8, 9, 10]) desk.stage('p1').subject = { rows: [order(id)] }
  expect(at('p2')).toBe('/manage/order/bulks/detail?id=7')
  vi.advanceTimersByTime(100)
  expect(at('p2')).toBe('/manage/order/bulks/detail?id=10')
  looksAt('p1', order(11), order(12))
  expect(at('p2')).toBe('/manage/order/bulks/detail?id=10')
})
test('only the pane in front is followed; one that is gone to and left again comes back to the row', () => {
  opened()
  front('p2')
  looksAt('p1', order(20))
  expect(at('p2')).toBe('/manage/order/bulks/detail?id=7')
  desk.go('p2', '/manage/order/bulks/detail?id=33')
  front('p1')
  expect(at('p2')).toBe('/manage/order/bulks/detail?id=20')
})
test.each([
  [
    'store',
    '/manage/order/bulks/verify?from=1',
    { id: 7, kind: 'bulks', store_id: 12 },
    '/manage/order/bulks/verify?from=1&store_id=12',
  ],
  [
    'member',
    '/manage/system/history?entry=scan&page=3',
    { id: 7, kind: 'bulks', member_id: 31 },
    '/manage/system/history?entry=scan&member_id=31',
  ],
  [
    'city',
    '/manage/system/dataIndex',
    { id: 7, kind: 'bulks', city_id: 5 },
    '/manage/system/dataIndex?city_id=5',
  ],
])(
  'a pane follows the %s of a row, whatever the row is, and keeps its other filters',
  (_, beside, row, then) => {
    store.dispatch(workspace.opened({ at: beside, how: 'right' }))
    for (const pane of ['p1', 'p2']) store.dispatch(workspace.linked({ pane, channel: 1 }))
    front('p1')
    looksAt('p1', row)
    expect(at('p2')).toBe(then)
    looksAt('p1', { id: 8, kind: 'bulks' })
    expect(at('p2')).toBe(then)
  },
)
test('a list of stores is followed by what is of a store', () => {
  desk.go('p1', '/manage/mall/shop?mid=1')
  store.dispatch(workspace.opened({ at: '/manage/order/voucher/verify', how: 'right' }))
  for (const pane of ['p1', 'p2']) store.dispatch(workspace.linked({ pane, channel: 2 }))
  front('p1')
  looksAt('p1', { id: 3, store_id: 44 })
  expect(at('p2')).toBe('/manage/order/voucher/verify?store_id=44')
})
test('what is half written stays, and follows again when it is not', () => {
  opened()
  let dirty = true
  desk.stage('p2').hold({ dirty: () => dirty, discard: () => {} })
  looksAt('p1', order(8))
  expect(at('p2')).toBe('/manage/order/bulks/detail?id=7')
  dirty = false
  looksAt('p1', order(9))
  expect(at('p2')).toBe('/manage/order/bulks/detail?id=9')
})
test('a pane that comes late gets the row of its channel at once; one that is taken off stays', () => {
  opened()
  desk.open('/manage/order/voucher/detail?id=1', 'beside', 'p2')
  front('p1')
  store.dispatch(workspace.linked({ pane: 'p3', channel: 2 }))
  vi.advanceTimersByTime(100)
  expect(at('p3')).toBe('/manage/order/voucher/detail?id=1')
  store.dispatch(workspace.linked({ pane: 'p3', channel: 1 }))
  vi.advanceTimersByTime(100)
  expect(at('p3')).toBe('/manage/order/bulks/detail?id=7')
  store.dispatch(workspace.linked({ pane: 'p3', channel: undefined }))
  looksAt('p1', order(8))
  expect([at('p2'), at('p3')]).toEqual([
    '/manage/order/bulks/detail?id=8',
    '/manage/order/bulks/detail?id=7',
  ])
})
test('nobody is led to a page they may not open, and a page that shows nothing of such a row stays', () => {
  opened()
  can.mockImplementation(permit => !permit.startsWith('order.card'))
  looksAt('p1', order(8, 'card'))
  expect(at('p2')).toBe('/manage/order/bulks/detail?id=7')
  front('p2')
  desk.go('p2', '/manage/system/role')
  front('p1')
  looksAt('p1', order(9))
  expect(at('p2')).toBe('/manage/system/role')
})
test('the log of changes follows objects of every kind', () => {
  desk.open('/manage/system/logs', 'beside', 'p1')
  for (const pane of ['p1', 'p2']) store.dispatch(workspace.linked({ pane, channel: 4 }))
  front('p1')
  looksAt('p1', order(5))
  expect(at('p2')).toBe('/manage/system/logs?object_type=order&object_id=5')
})
test('links are kept with the layout; a channel that does not exist is not', () => {
  opened()
  const kept = JSON.parse(JSON.stringify(desk.workspace))
  expect(revive(kept)!.byId.p2!.channel).toBe(1)
  kept.byId.p2.channel = 7
  expect(revive(kept)!.byId.p2).not.toHaveProperty('channel')
})
test('where nothing can follow the row it is said, and nothing opens', () => {
  looksAt('p1')
  followBeside(store.dispatch, desk)
  expect(Object.keys(desk.workspace.byId)).toEqual(['p1'])
})
