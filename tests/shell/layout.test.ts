// It is @drawn: it follows the browser’s history.
import { expect, test, vi } from 'vitest'
import { Desk } from '#src/shell/desk.ts'
import { mirrorAddress } from '#src/shell/panes/layout.ts'
import { single, workspace } from '#src/shell/panes/workspace.ts'
import { makeStore } from '#src/shell/store.ts'

test('the browser’s Back is followed though the page remembers something before the pane hears of it', () => {
  const store = makeStore()
  const desk = new Desk(store, { id: 2, name: '周晓敏', account: 'auditor', can: () => true })
  store.dispatch(
    workspace.restored({
      tree: 'p1',
      focused: 'p1',
      maximised: null,
      byId: {
        p1: { at: '/manage/audit/bulks', back: [], forward: [], kept: {}, memo: {}, moves: 0 },
      },
    } as never),
  )
  const stop = mirrorAddress(store, desk)
  for (const at of ['/manage/audit/card', '/manage/audit/voucher']) desk.go('p1', at)
  expect([location.pathname, history.state]).toEqual(['/manage/audit/voucher', { n: 2 }])
  history.replaceState({ n: 1 }, '', '/manage/audit/card')
  store.dispatch(
    workspace.remembered({ pane: 'p1', page: '/manage/audit/voucher', key: 'scroll', value: 40 }),
  )
  expect(location.pathname).toBe('/manage/audit/card')
  dispatchEvent(new PopStateEvent('popstate'))
  expect([desk.pane('p1')!.at, location.pathname]).toEqual([
    '/manage/audit/card',
    '/manage/audit/card',
  ])
  stop()
})

const frame = () =>
  new Promise(done => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))
const twoPanes = () => {
  const store = makeStore()
  const desk = new Desk(store, { id: 2, name: '周晓敏', account: 'auditor', can: () => true })
  const pane = (at: string) => ({ at, back: [], forward: [], kept: {}, memo: {}, moves: 0 })
  store.dispatch(
    workspace.restored({
      tree: { type: 'split', direction: 'row', children: ['p1', 'p2'] },
      focused: 'p1',
      maximised: null,
      byId: { p1: pane('/manage/audit/bulks'), p2: pane('/manage/audit/card') },
    } as never),
  )
  return { store, desk, stop: mirrorAddress(store, desk) }
}
test('the address of another pane is there once it is painted, and never behind what is done in it', async () => {
  const { store, desk, stop } = twoPanes()
  store.dispatch(workspace.focused('p2'))
  await frame()
  expect(location.pathname).toBe('/manage/audit/card')
  store.dispatch(workspace.focused('p1'))
  desk.go('p1', '/manage/audit/voucher')
  expect(location.pathname).toBe('/manage/audit/voucher')
  await frame()
  expect(location.pathname).toBe('/manage/audit/voucher')
  // Below it lies what the same pane showed before, as it was written in time.
  history.back()
  await frame()
  expect(location.pathname).toBe('/manage/audit/bulks')
  stop()
})
test('a new tab is a step of the browser’s history: Back shows the tab it was opened from, Forward the new one', async () => {
  history.replaceState(null, '', '/manage/audit/bulks')
  const store = makeStore()
  const desk = new Desk(store, { id: 2, name: '周晓敏', account: 'auditor', can: () => true })
  store.dispatch(workspace.restored(single('/manage/audit/bulks')))
  const stop = mirrorAddress(store, desk)
  desk.visit('/manage/audit/card')
  expect([location.pathname, history.state]).toEqual(['/manage/audit/card', { n: 1 }])
  const turn = async (n: number, at: string) => {
    history.replaceState({ n }, '', at)
    dispatchEvent(new PopStateEvent('popstate'))
    await frame()
    return [desk.pane()!.at, location.pathname]
  }
  expect(await turn(0, '/manage/audit/bulks')).toEqual([
    '/manage/audit/bulks',
    '/manage/audit/bulks',
  ])
  expect(await turn(1, '/manage/audit/card')).toEqual(['/manage/audit/card', '/manage/audit/card'])
  // Before the first page of the first tab there is nothing of ours.
  await turn(0, '/manage/audit/bulks')
  expect(await turn(-1, '/manage/audit/voucher')).toEqual([
    '/manage/audit/bulks',
    '/manage/audit/bulks',
  ])
  stop()
})
test('who left the workbench in that moment stays where they went', async () => {
  const { store, stop } = twoPanes()
  store.dispatch(workspace.focused('p2'))
  history.replaceState(null, '', '/')
  await frame()
  expect(location.pathname).toBe('/')
  stop()
})
test('the address of another pane is written before the page goes, and at once where nothing is painted', () => {
  const { store, stop } = twoPanes()
  store.dispatch(workspace.focused('p2'))
  expect(location.pathname).toBe('/manage/audit/bulks')
  dispatchEvent(new Event('pagehide'))
  expect(location.pathname).toBe('/manage/audit/card')
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  store.dispatch(workspace.focused('p1'))
  expect(location.pathname).toBe('/manage/audit/bulks')
  hidden.mockRestore()
  stop()
})
